package read

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
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

// openJSON returns a reader of the JSON text in buffered, which reads source.
func openJSON(source *sourceReader, buffered *bufio.Reader, name string) *jsonReader {
	lines := &lineCounter{r: buffered}
	o := &jsonReader{
		filePosition: filePosition{file: displayName(name), line: 1},
		source:       source,
		buffered:     buffered,
		lines:        lines,
		decoder:      json.NewDecoder(lines),
		columnByKey:  make(map[string]int),
		unknownKeys:  make(map[string]int),
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

// isReady reports whether the buffered text has the end of an object. A line end after the last
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

// next returns the keys of the first object as the first row, and then the cells of each object.
func (o *jsonReader) next() ([]string, error) {
	if o.objectCount == 0 {
		return o.readKeys()
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
	for i, start := range o.nested {
		if start != "" && o.used[i] {
			return o.cells, o.rowError(i, fmt.Errorf("column %s: a value within a value (%s…); a table has one number or text in each cell: give it a key of its own, or leave the column out", columnLabel(o.keys, i), start))
		}
	}
	return o.cells, nil
}

// readKeys reads the first object and returns its keys. The object's cells are held for next.
func (o *jsonReader) readKeys() ([]string, error) {
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

// readObject reads the next object into cells, and returns io.EOF after the last one. If the
// object has a mistake, and the objects after it can be read, it sets o.mistake and returns no
// error.
func (o *jsonReader) readObject() error {
	if err := o.readStart(); err != nil {
		return err
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
	if _, err := o.decoder.Token(); err != nil { // the closing brace
		return o.explainError(err)
	}
	return nil
}

// readStart reads the opening brace of the next object, after the bracket of an array before the
// first one. It returns io.EOF after the last object.
func (o *jsonReader) readStart() error {
	o.source.rowStart = o.decoder.InputOffset()
	start, err := o.decoder.Token()
	if err == nil && start == json.Delim('[') && o.objectCount == 0 && !o.inArray {
		o.inArray = true
		start, err = o.decoder.Token()
	}
	if err == io.EOF && !o.inArray {
		return io.EOF
	}
	if err != nil {
		return o.explainError(err)
	}
	o.line = o.lines.lineAt(o.decoder.InputOffset())
	switch start {
	case json.Delim('{'):
		return nil
	case json.Delim(']'):
		if _, err := o.decoder.Token(); err != io.EOF {
			return o.failf("there is text after the end of the array; the file must have one array, or objects one after the other")
		}
		return io.EOF
	}
	return o.failf("%v is not an object; each row is one, such as {\"a\": 1, \"b\": \"x\"}", start)
}

// readMember reads a key of an object, and its value. It sets o.mistake for an unknown key and for
// a key that the object has twice.
func (o *jsonReader) readMember() error {
	token, err := o.decoder.Token()
	if err != nil {
		return o.explainError(err)
	}
	key, _ := token.(string) // the decoder returns an error for other keys
	i, isColumn := o.columnByKey[key]
	switch {
	case !isColumn && o.objectCount == 1:
		i, isColumn = o.addColumn(key), true
	case !isColumn:
		o.setUnknownKey(key)
	case o.lastObject[i] == o.objectCount:
		o.mistake = o.rowError(-1, fmt.Errorf("the object has the key %s twice", quoteShort(key)))
	}
	cell, nested, err := o.readValue()
	if err != nil {
		return o.explainError(err)
	}
	if isColumn {
		o.lastObject[i] = o.objectCount
		o.cells[i] = cell
		o.nested[i] = nested
	}
	return nil
}

// addColumn adds a column for a key of the first object, and returns its index.
func (o *jsonReader) addColumn(key string) int {
	i := len(o.keys)
	o.columnByKey[key] = i
	o.keys = append(o.keys, key)
	o.cells = append(o.cells, "")
	o.nested = append(o.nested, "")
	o.lastObject = append(o.lastObject, 0)
	return i
}

// setUnknownKey sets o.mistake for a key that the first object lacks. Each unknown key has a
// negative number of its own in place of a column, from −2 down, so that mistakes with different
// keys are reported one by one.
func (o *jsonReader) setUnknownKey(key string) {
	if _, ok := o.unknownKeys[key]; !ok && len(o.unknownKeys) < maxBadRows {
		o.unknownKeys[key] = len(o.unknownKeys)
	}
	o.mistake = o.rowError(-2-o.unknownKeys[key], fmt.Errorf("the first object, whose keys are the columns, lacks the key %s; it has %s: give the key to the first object, with null where there is no value", quoteShort(key), listNames(o.keys)))
}

// readValue reads a value and returns it as the text of a cell. It skips a list or an object, and
// returns its bracket or brace as nested.
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
		return strconv.FormatBool(v), "", nil
	case json.Delim:
		return "", v.String(), o.skipNested()
	}
	return "", "", nil // null
}

// skipNested reads up to the end of the list or object whose start was read last.
func (o *jsonReader) skipNested() error {
	for depth := 1; depth > 0; {
		token, err := o.decoder.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
	return nil
}

// explainError returns an error of the decoder with its position.
func (o *jsonReader) explainError(err error) error {
	var syntax *json.SyntaxError
	var format *formatError
	switch {
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return o.failf("the file ends within this object or the array around it; is it cut off?")
	case errors.As(err, &syntax):
		offset := max(o.decoder.InputOffset(), min(syntax.Offset, o.lines.bytesRead))
		o.line = max(o.line, o.lines.lineAt(offset))
		message := err.Error()
		if strings.Contains(message, "'N'") || strings.Contains(message, "'I'") {
			message += "; JSON has no NaN and no Infinity: write null for a missing value"
		}
		return o.failf("this is not JSON: %s", message)
	case errors.As(err, &format) && format.line > 0:
		o.line = format.line
		return o.failf("%w", err)
	case errors.As(err, &format), o.objectCount == 0:
		return fmt.Errorf("%s: %w", o.file, err)
	}
	return fmt.Errorf("%s: after line %d: %w", o.file, o.line, err)
}

// lineCounter reads from r, and remembers where the lines end.
type lineCounter struct {
	r           io.Reader
	bytesRead   int64
	linesBefore int     // number of lines before those of lineEnds
	lineEnds    []int64 // offsets of line feeds that lineAt has not passed
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
	passed := 0
	for passed < len(c.lineEnds) && c.lineEnds[passed] < offset-1 {
		passed++
	}
	c.lineEnds = slices.Delete(c.lineEnds, 0, passed)
	c.linesBefore += passed
	return c.linesBefore + 1
}
