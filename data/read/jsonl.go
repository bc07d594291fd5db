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
	keys        []string       // keys of the first object, which are the columns
	columnByKey map[string]int // index in keys
	unknownKeys map[string]int // keys that the first object lacks, numbered in the order of their appearance
	lastObject  []int          // for each column, the number of the last object that has its key
	objectCount int            // number of objects so far
	used        []bool         // whether the column is read

	cells     []string  // cells of the last object, by column
	nested    []string  // for each column, "{" or "[" if the last object has an object or a list in it; else ""
	firstHeld bool      // cells are from the first object, and next has not returned them yet
	mistake   *rowError // mistake in the last object; nil if there is none
	err       error     // error that ended the reading, io.EOF after the last object; nil before it
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
	r := &jsonReader{
		filePosition: filePosition{file: displayName(name), line: 1},
		source:       source,
		buffered:     buffered,
		lines:        lines,
		decoder:      json.NewDecoder(lines),
		columnByKey:  make(map[string]int),
		unknownKeys:  make(map[string]int),
	}
	r.decoder.UseNumber() // numbers stay as they are written, and are parsed as in CSV
	return r
}

func (r *jsonReader) useColumns(columns []bool) error { r.used = columns; return nil }
func (r *jsonReader) hasNames() bool                  { return true }
func (r *jsonReader) delimiterName() string           { return "" }

// offset returns the number of bytes that the decoder has used. known is false if the text was unzipped
// or converted.
func (r *jsonReader) offset() (bytes int64, known bool) {
	return r.decoder.InputOffset(), !r.source.converted.Load()
}
func (r *jsonReader) close() { r.source.close() }

// isReady reports whether next can return without waiting: whether the end of an object, or of the
// input, has arrived. A line end does not count, as it may follow the last object.
func (r *jsonReader) isReady() bool {
	rest, _ := io.ReadAll(r.decoder.Buffered()) // text that the decoder has taken and not used
	if r.firstHeld || bytes.IndexByte(rest, '}') >= 0 {
		return true
	}
	for {
		text, _ := r.buffered.Peek(r.buffered.Buffered())
		isFull := len(text) == r.buffered.Size()
		switch {
		case isFull, bytes.IndexByte(text, '}') >= 0:
			return true
		case !r.source.hasMore():
			return false
		}
		if _, err := r.buffered.Peek(len(text) + 1); err != nil {
			return true
		}
	}
}

// next returns the keys of the first object as the first row, and then the cells of each object. A used
// cell with a list or an object in it is a *rowError.
func (r *jsonReader) next() ([]string, error) {
	if r.objectCount == 0 {
		return r.readKeys()
	}
	if !r.firstHeld {
		if err := r.readObject(); err != nil {
			return nil, err
		}
	}
	r.firstHeld = false
	if r.mistake != nil {
		return r.cells, r.mistake
	}
	for i, start := range r.nested {
		if start != "" && r.used[i] {
			return r.cells, r.rowError(i, fmt.Errorf("column %s: a list or an object (%s…) in place of a value; a table has one number or text in each cell: give each value a key of its own, or leave the column out", columnLabel(r.keys, i), start))
		}
	}
	return r.cells, nil
}

// readKeys reads the first object and returns its keys. The object's cells are held: the following call
// of next returns them.
func (r *jsonReader) readKeys() ([]string, error) {
	if err := r.readObject(); err != nil {
		return nil, err
	}
	if r.mistake != nil && r.mistake.column < 0 { // of the whole object: a key occurs twice
		return nil, r.mistake
	}
	if len(r.keys) == 0 {
		return nil, r.failf("the first object is empty; its keys are the names of the columns")
	}
	r.firstHeld = true
	return r.keys, nil
}

// readObject reads the next object into r.cells and r.nested, and returns io.EOF after the last
// object. If the object has a mistake, but the objects after it can be read, it sets r.mistake and
// returns no error. A key that the object lacks has the empty cell of a missing value.
func (r *jsonReader) readObject() error {
	r.readStart()
	r.objectCount++
	r.mistake = nil
	clear(r.cells)
	clear(r.nested)
	for r.err == nil && r.decoder.More() {
		r.readMember()
	}
	r.token() // the closing brace
	return r.err
}

// token returns the next token. If there is none, it sets r.err, and this and all later calls return nil.
func (r *jsonReader) token() json.Token {
	if r.err != nil {
		return nil
	}
	token, err := r.decoder.Token()
	if err != nil {
		r.err = r.explainError(err)
		return nil
	}
	return token
}

// readStart reads the opening brace of the next object and, before the first object, the bracket of an
// array. It sets r.line, and r.err to io.EOF after the last object.
func (r *jsonReader) readStart() {
	r.source.rowStart = r.decoder.InputOffset()
	start, err := r.decoder.Token()
	isArrayStart := err == nil && start == json.Delim('[') && r.objectCount == 0 && !r.inArray
	switch {
	case isArrayStart:
		r.inArray = true
		start = r.token()
	case err == io.EOF && !r.inArray:
		r.err = io.EOF
	case err != nil:
		r.err = r.explainError(err)
	}
	if r.err != nil {
		return
	}
	r.line = r.lines.lineAt(r.decoder.InputOffset())
	switch start {
	case json.Delim('{'):
	case json.Delim(']'):
		r.err = io.EOF
		if _, err := r.decoder.Token(); err != io.EOF {
			r.err = r.failf("there is text after the end of the array; the file must have one array, or objects one after the other")
		}
	default:
		r.err = r.failf("%v is not an object; each row is one, such as {\"a\": 1, \"b\": \"x\"}", start)
	}
}

// readMember reads a key of an object and its value, and stores the value in its column. A key of the
// first object adds a column. It sets r.mistake for an unknown key and for a key that the object has
// twice.
func (r *jsonReader) readMember() {
	key, _ := r.token().(string) // the decoder returns an error for other keys
	if r.err != nil {
		return
	}
	column, isColumn := r.columnByKey[key]
	isFirstObject := r.objectCount == 1
	switch {
	case !isColumn && isFirstObject:
		column = r.addColumn(key)
		isColumn = true
	case !isColumn:
		r.setUnknownKey(key)
	case r.lastObject[column] == r.objectCount:
		r.mistake = r.rowError(-1, fmt.Errorf("the object has the key %s twice", quoteShort(key)))
	}
	cell, nested := r.readValue()
	if isColumn {
		r.lastObject[column] = r.objectCount
		r.cells[column] = cell
		r.nested[column] = nested
	}
}

// addColumn adds a column for a key of the first object, and returns its index.
func (r *jsonReader) addColumn(key string) int {
	i := len(r.keys)
	r.columnByKey[key] = i
	r.keys = append(r.keys, key)
	r.cells = append(r.cells, "")
	r.nested = append(r.nested, "")
	r.lastObject = append(r.lastObject, 0)
	return i
}

// setUnknownKey sets r.mistake for a key that the first object lacks. Each unknown key has a
// negative number of its own in place of a column, from −2 down, so that mistakes with different
// keys are reported one by one. No more than maxBadRows keys are remembered; later ones share a number.
func (r *jsonReader) setUnknownKey(key string) {
	if _, ok := r.unknownKeys[key]; !ok && len(r.unknownKeys) < maxBadRows {
		r.unknownKeys[key] = len(r.unknownKeys)
	}
	const firstNumber = -2 // −1 stands for other mistakes
	r.mistake = r.rowError(firstNumber-r.unknownKeys[key], fmt.Errorf("the first object, whose keys are the columns, lacks the key %s; it has %s: give the key to the first object, with null where there is no value", quoteShort(key), listNames(r.keys)))
}

// readValue reads a value and returns it as the text of a cell. It skips a list or an object, and
// returns its bracket or brace as nested.
func (r *jsonReader) readValue() (cell, nested string) {
	switch v := r.token().(type) {
	case string:
		return strings.TrimSpace(v), ""
	case json.Number:
		return v.String(), ""
	case bool:
		return strconv.FormatBool(v), ""
	case json.Delim:
		r.skipNested()
		return "", v.String()
	}
	return "", "" // null
}

// skipNested reads up to the end of the list or object whose start was read last.
func (r *jsonReader) skipNested() {
	for depth := 1; depth > 0 && r.err == nil; {
		switch r.token() {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
}

// explainError returns an error of the decoder, in which the JSON ends or is wrong, with its position.
// It sets r.line.
func (r *jsonReader) explainError(err error) error {
	var syntax *json.SyntaxError
	var format *formatError
	switch {
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return r.failf("the file ends within this object or the array around it; is it cut off?")
	case errors.As(err, &syntax):
		offset := max(r.decoder.InputOffset(), min(syntax.Offset, r.lines.bytesRead)) // lineAt needs an offset that was read and does not go down
		r.line = max(r.line, r.lines.lineAt(offset))
		message := err.Error()
		if strings.Contains(message, "'N'") || strings.Contains(message, "'I'") {
			message += "; JSON has no NaN and no Infinity: write null for a missing value"
		}
		return r.failf("this is not JSON: %s", message)
	case errors.As(err, &format) && format.line > 0:
		r.line = format.line
		return r.failf("%w", err)
	case errors.As(err, &format), r.objectCount == 0:
		return fmt.Errorf("%s: %w", r.file, err)
	}
	return fmt.Errorf("%s: after line %d: %w", r.file, r.line, err)
}

// lineCounter reads from r and remembers where lines end, so that lineAt can tell the line of a byte.
type lineCounter struct {
	r           io.Reader
	bytesRead   int64
	linesBefore int     // number of lines that lineAt has passed
	lineEnds    []int64 // offsets of line feeds that lineAt has not passed
}

// Read reads from c.r, and counts the bytes and line feeds.
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
