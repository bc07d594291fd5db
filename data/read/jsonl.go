package read

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// jsonReader reads JSON: a sequence of objects, such as JSON Lines, or one array of objects. The
// columns are the keys of the first object, in their order.
type jsonReader struct {
	filePosition
	source   *sourceReader
	buffered *bufio.Reader // reads source
	lines    *lineCounter  // reads buffered
	decoder  *json.Decoder // reads lines

	inArray     bool           // the objects are in an array
	keys        []string       // of the columns
	columnByKey map[string]int // index in keys
	unknownKeys map[string]int // keys that the first object lacks, in the order of their appearance
	lastObject  []int          // for each column, the number of the last object that has its key
	objectCount int            // number of objects so far
	used        []bool         // whether the column is read

	cells     []string  // of the last object
	nested    []string  // for each column, "{" or "[" if the last object has an object or a list in it; else ""
	firstHeld bool      // cells are from the first object, which next has still to return
	mistake   *rowError // error of the cells; nil if there is none
}

var (
	jsonStart     = regexp.MustCompile(`^(\{\s*["}]|\[\s*[\]{])`)
	jsonUndecided = regexp.MustCompile(`^[\[{]\s*$`) // may be the start of JSON; the next character decides
)

// isJSON reports whether text without leading blanks is JSON, by its first characters.
func isJSON(head []byte) bool { return jsonStart.Match(head) }

func openJSON(in *sourceReader, text *bufio.Reader, name string) *jsonReader {
	lines := &lineCounter{r: text}
	o := &jsonReader{
		filePosition: filePosition{file: displayName(name), line: 1}, source: in, buffered: text, lines: lines, decoder: json.NewDecoder(lines),
		columnByKey: make(map[string]int), unknownKeys: make(map[string]int),
	}
	o.decoder.UseNumber() // numbers stay as they are written, and are parsed as in CSV
	return o
}

func (o *jsonReader) useColumns(columns []bool) error { o.used = columns; return nil }
func (o *jsonReader) hasNames() bool                  { return true }
func (o *jsonReader) delimiterName() string           { return "" }
func (o *jsonReader) offset() (int64, bool) {
	return o.decoder.InputOffset(), !o.source.converted.Load()
}
func (o *jsonReader) close() { o.source.close() }

// ready reports whether the buffered text has the end of an object. A line end after the last
// object says nothing.
func (o *jsonReader) isReady() bool {
	rest, _ := io.ReadAll(o.decoder.Buffered())
	if o.firstHeld || bytes.IndexByte(rest, '}') >= 0 {
		return true
	}
	for {
		text, _ := o.buffered.Peek(o.buffered.Buffered())
		switch {
		case bytes.IndexByte(text, '}') >= 0, len(text) == o.buffered.Size():
			return true
		case !o.source.hasMore():
			return false
		}
		if _, err := o.buffered.Peek(len(text) + 1); err != nil {
			return true
		}
	}
}

func (o *jsonReader) next() ([]string, error) {
	if o.objectCount == 0 {
		if err := o.readObject(); err != nil {
			return nil, err
		}
		if o.mistake != nil && o.mistake.column < 0 {
			return nil, o.mistake
		}
		if len(o.keys) == 0 {
			return nil, o.failf("the first object is empty; its keys are the names of the columns")
		}
		o.firstHeld = true
		return o.keys, nil
	}
	if !o.firstHeld {
		if err := o.readObject(); err != nil {
			return nil, err
		}
	}
	o.firstHeld = false
	if o.mistake != nil {
		return o.cells, o.mistake
	}
	for i, what := range o.nested {
		if what != "" && o.used[i] {
			return o.cells, o.rowError(i, fmt.Errorf("column %s: a value within a value (%s…); a table has one number or text in each cell: give it a key of its own, or leave the column out", columnLabel(o.keys, i), what))
		}
	}
	return o.cells, nil
}

// object reads the next object into cells. If the object has a mistake, and the objects after it
// can be read, object sets wrong and returns no error.
func (o *jsonReader) readObject() error {
	o.source.rowStart = o.decoder.InputOffset()
	start, err := o.decoder.Token()
	if err == nil && start == json.Delim('[') && o.objectCount == 0 && !o.inArray {
		o.inArray = true
		start, err = o.decoder.Token()
	}
	if err == io.EOF && !o.inArray {
		return io.EOF
	}
	if err == nil {
		o.line = o.lines.lineAt(o.decoder.InputOffset())
	}
	switch {
	case err != nil:
		return o.explainError(err)
	case start == json.Delim(']'):
		if _, err := o.decoder.Token(); err != io.EOF {
			return o.failf("there is text behind the end of the array; one array, or objects one behind the other, are needed")
		}
		return io.EOF
	case start != json.Delim('{'):
		return o.failf("%v where an object is needed: each row is one, such as {\"a\": 1, \"b\": \"x\"}", start)
	}
	o.objectCount++
	o.mistake = nil
	clear(o.cells)
	clear(o.nested)
	for o.decoder.More() {
		if err := o.readMember(); err != nil {
			return err
		}
	}
	if _, err := o.decoder.Token(); err != nil {
		return o.explainError(err)
	}
	return nil
}

// member reads a key of an object, and its value.
func (o *jsonReader) readMember() error {
	token, err := o.decoder.Token()
	if err != nil {
		return o.explainError(err)
	}
	key, _ := token.(string)
	i, known := o.columnByKey[key]
	switch {
	case !known && o.objectCount == 1:
		i = len(o.keys)
		o.columnByKey[key] = i
		o.keys, o.cells, o.nested, o.lastObject = append(o.keys, key), append(o.cells, ""), append(o.nested, ""), append(o.lastObject, 0)
	case !known:
		if _, again := o.unknownKeys[key]; !again && len(o.unknownKeys) < maxBadRows {
			o.unknownKeys[key] = len(o.unknownKeys)
		}
		o.mistake = o.rowError(-2-o.unknownKeys[key], fmt.Errorf("the key %s is not one of the first object, whose keys are the columns: %s; give it to the first, with null where there is no value", quoteShort(key), listNames(o.keys)))
		i = -1
	case o.lastObject[i] == o.objectCount:
		o.mistake = o.rowError(-1, fmt.Errorf("the key %s is there twice", quoteShort(key)))
	}
	if i >= 0 {
		o.lastObject[i] = o.objectCount
	}
	cell, nested, err := o.readValue()
	if err != nil {
		return o.explainError(err)
	}
	if i >= 0 {
		o.cells[i], o.nested[i] = cell, nested
	}
	return nil
}

// value reads a value as the text of a cell, and skips a list or an object.
func (o *jsonReader) readValue() (cell, nested string, err error) {
	token, err := o.decoder.Token()
	if err != nil {
		return "", "", err
	}
	switch v := token.(type) {
	case string:
		return strings.TrimSpace(v), "", nil
	case json.Number:
		return v.String(), "", nil
	case bool:
		return fmt.Sprint(v), "", nil
	case json.Delim:
		for depth := 1; depth > 0; {
			switch token, err = o.decoder.Token(); token {
			case json.Delim('{'), json.Delim('['):
				depth++
			case json.Delim('}'), json.Delim(']'):
				depth--
			}
			if err != nil {
				return "", "", err
			}
		}
		return "", v.String(), nil
	}
	return "", "", nil // null
}

// failure explains an error of the decoder.
func (o *jsonReader) explainError(err error) error {
	var syntax *json.SyntaxError
	var unread *formatError
	switch {
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return o.failf("the file ends within this object or the array around it; is it cut off?")
	case errors.As(err, &syntax):
		o.line = max(o.line, o.lines.lineAt(max(o.decoder.InputOffset(), min(syntax.Offset, o.lines.bytesRead))))
		says := err.Error()
		if strings.Contains(says, "'N'") || strings.Contains(says, "'I'") {
			says += "; JSON has no NaN and no Infinity: null is a value that is missing"
		}
		return o.failf("this is not JSON: %s", says)
	case errors.As(err, &unread) && unread.line > 0:
		o.line = unread.line
		return o.failf("%w", err)
	case errors.As(err, &unread), o.objectCount == 0:
		return fmt.Errorf("%s: %w", o.file, err)
	}
	return fmt.Errorf("%s: after line %d: %w", o.file, o.line, err)
}

// lineCounter reads from r, and remembers where the lines end.
type lineCounter struct {
	r           io.Reader
	bytesRead   int64
	lineEnds    []int64 // offsets of the ends of the lines after line
	linesBefore int     // number of lines before these
}

func (c *lineCounter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.lineEnds = append(c.lineEnds, c.bytesRead+int64(i))
		}
	}
	c.bytesRead += int64(n)
	return n, err
}

// lineAt returns the line, from 1, of the byte before offset. Offsets must not go down from call
// to call.
func (c *lineCounter) lineAt(offset int64) int {
	n := 0
	for n < len(c.lineEnds) && c.lineEnds[n] < offset-1 {
		n++
	}
	c.lineEnds = c.lineEnds[:copy(c.lineEnds, c.lineEnds[n:])]
	c.linesBefore += n
	return c.linesBefore + 1
}
