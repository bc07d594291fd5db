package read

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// jsonReader reads JSON: a sequence of objects, such as JSON Lines, or one array of objects. The columns are the keys of
// the first objects. An object that lacks a key misses its value.
type jsonReader struct {
	filePosition
	source   *sourceReader
	buffered *bufio.Reader // reads source
	lines    *lineCounter  // reads buffered by way of a nanReader
	decoder  *json.Decoder // reads lines

	inputs      []string // inputs that the options name; other keys may be anything. It is nil if all keys are columns
	columns     keyList
	allKeys     keyList        // columns, and the keys that only later objects have
	unknownKeys map[string]int // keys that no column has, numbered in the order of their appearance
	plainForms  map[string]int // index of each column, by plainForm of its key; only set if inputs are

	inArray     bool         // the objects are in an array
	hasStarted  bool         // an object, or the start of the array, was read
	held        []jsonObject // objects that were read ahead
	object      jsonObject   // object that was read last
	objectCount int          // number of objects that next has returned
	lastObject  []int        // for each column, the number of the last object that has its key; 0 for none
	used        []bool       // whether the column is read

	cells  []string // cells of the last object, by column
	stored []bool   // for each column, whether its cell in the last object is a number of JSON
	nested []string // for each column, "{" or "[" if the last object has an object or a list in it; else ""
	err    error    // error that ended the reading, io.EOF after the last object; nil before it
}

// jsonObject is an object of the text, which is a row.
type jsonObject struct {
	line    int
	members []jsonMember
}

// jsonMember is a key of an object and its value.
type jsonMember struct {
	key, cell string
	nested    string // "{" or "[" if the value is an object or a list; else ""
	stored    bool   // the value is a number
}

// keys returns the keys of the object in their order.
func (o jsonObject) keys() []string {
	keys := make([]string, len(o.members))
	for i, m := range o.members {
		keys[i] = m.key
	}
	return keys
}

// lookAheadBytes limits how many bytes of objects are read ahead for their keys.
const lookAheadBytes = 1 << 20

var (
	jsonStart     = regexp.MustCompile(`^(\{\s*["}]|\[\s*[\]{])`)
	jsonUndecided = regexp.MustCompile(`^[\[{]\s*$`) // may be the start of JSON; the next character decides
)

// isJSON reports whether text without leading blanks is JSON, by its first characters.
func isJSON(head []byte) bool { return jsonStart.Match(head) }

// openJSON returns a reader of the JSON text in buffered, which reads source.
func openJSON(source *sourceReader, buffered *bufio.Reader, name string, o Options) *jsonReader {
	lines := &lineCounter{r: &nanReader{r: buffered}}
	r := &jsonReader{
		filePosition: filePosition{file: displayName(name), line: 1},
		source:       source,
		buffered:     buffered,
		lines:        lines,
		decoder:      json.NewDecoder(lines),
		inputs:       o.Inputs,
		unknownKeys:  make(map[string]int),
	}
	r.columns.merge(o.jsonKeys)
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
	if len(r.held) > 0 || bytes.IndexByte(rest, '}') >= 0 {
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

// next returns the keys as the first row, and then the cells of each object. A used cell with a list or an object in it is
// a *rowError.
func (r *jsonReader) next() (row, error) {
	switch {
	case r.cells == nil:
		keys, err := r.readKeys()
		return row{cells: keys, line: r.line}, err
	case len(r.held) > 0:
		r.object = r.held[0]
		r.held = r.held[1:]
	default:
		if err := r.readObject(); err != nil {
			return row{}, err
		}
	}
	if mistake := r.setCells(); mistake != nil {
		return r.row(), mistake
	}
	for i, start := range r.nested {
		if start != "" && r.used[i] {
			return r.row(), r.rowError(i, fmt.Errorf("column %s: a list or an object (%s…) in place of a value; a table has one number or text in each cell: give each value a key of its own, or leave the column out", columnLabel(r.columns.keys, i), start))
		}
	}
	return r.row(), nil
}

// row returns the cells of the last object.
func (r *jsonReader) row() row { return row{r.cells, r.stored, r.line} }

// readKeys reads the first objects and returns their keys. The following calls of next return the objects.
func (r *jsonReader) readKeys() ([]string, error) {
	if err := r.readAhead(); err != nil {
		return nil, err
	}
	r.line = r.held[0].line
	if key, ok := r.held[0].repeatedKey(); ok {
		return nil, r.repeatedKeyError(key)
	}
	if len(r.columns.keys) == 0 {
		return nil, r.failf("the first object is empty; its keys are the names of the columns")
	}
	isValue := func(m jsonMember) bool { return m.nested == "" }
	if !slices.ContainsFunc(r.held[0].members, isValue) {
		return nil, r.failf("the first object holds only lists and objects; write an object for each row, as pandas does with orient=\"records\", and rows below a key as a list without it")
	}
	if r.inputs != nil {
		r.addInputs()
	}
	r.allKeys.merge(r.columns.keys)
	columns := len(r.columns.keys)
	r.cells = make([]string, columns)
	r.nested = make([]string, columns)
	r.stored = make([]bool, columns)
	r.lastObject = make([]int, columns)
	return r.columns.keys, nil
}

// readAhead reads the first objects into r.held, and their keys into r.columns. If the options name the inputs, one object is
// enough, as its prediction may be awaited. It returns an error if there is no object.
func (r *jsonReader) readAhead() error {
	objects := lookAheadRows
	if r.inputs != nil {
		objects = 1
	}
	for len(r.held) < objects && r.decoder.InputOffset() < lookAheadBytes {
		err := r.readObject()
		if err != nil && len(r.held) == 0 {
			return err
		}
		if err != nil { // a later call of next returns it
			break
		}
		r.held = append(r.held, r.object)
		r.columns.merge(r.object.keys())
		r.object.members = nil // held has them
	}
	return nil
}

// addInputs adds the inputs that the first object lacks, if it has others. It does not add an input that the object seems
// to have under a name that is spelt in another way: the schema then reports the input as missing.
func (r *jsonReader) addInputs() {
	r.plainForms = make(map[string]int)
	for i, key := range r.columns.keys {
		r.plainForms[plainForm(key)] = i
	}
	isMisspelt := func(name string) bool { _, ok := r.plainForms[plainForm(name)]; return ok }
	missing := r.columns.missing(r.inputs)
	if len(missing) == len(r.inputs) || slices.ContainsFunc(missing, isMisspelt) {
		return
	}
	r.columns.merge(slices.Concat(r.columns.keys, missing))
	for i, key := range r.columns.keys {
		r.plainForms[plainForm(key)] = i
	}
}

// repeatedKey returns a key that the object has twice. ok is false if there is none.
func (o jsonObject) repeatedKey() (key string, ok bool) {
	seen := make(map[string]bool)
	for _, m := range o.members {
		key = canonicalName(cleanName(m.key))
		if seen[key] {
			return key, true
		}
		seen[key] = true
	}
	return "", false
}

// repeatedKeyError returns the error for an object with two members of one key.
func (r *jsonReader) repeatedKeyError(key string) *rowError {
	return r.rowError(-1, fmt.Errorf("the object has the key %s twice", quoteShort(key)))
}

// setCells sets r.cells and r.nested to the values of r.object. A key that the object lacks has the empty cell of a missing
// value. It returns a mistake if the object has a key twice or a key that cannot be read.
func (r *jsonReader) setCells() (mistake *rowError) {
	r.objectCount++
	r.line = r.object.line
	clear(r.cells)
	clear(r.nested)
	clear(r.stored)
	var unknown []string
	for _, m := range r.object.members {
		i, isColumn := r.columns.find(m.key)
		if !isColumn {
			unknown = append(unknown, m.key)
			continue
		}
		if r.lastObject[i] == r.objectCount {
			mistake = r.repeatedKeyError(m.key)
		}
		r.lastObject[i] = r.objectCount
		r.cells[i] = m.cell
		r.nested[i] = m.nested
		r.stored[i] = m.stored
	}
	for _, key := range unknown {
		mistake = cmp.Or(mistake, r.checkUnknownKey(key))
	}
	return mistake
}

// checkUnknownKey returns a mistake for a key that no column has. If the options name the inputs, it is a mistake only if it
// seems to be the misspelt key of an input that the object lacks.
func (r *jsonReader) checkUnknownKey(key string) *rowError {
	if r.inputs == nil {
		r.allKeys.merge(r.object.keys())
		return r.unknownKeyError(key)
	}
	form := plainForm(key)
	i, ok := r.plainForms[form]
	if !ok || form == "" || r.lastObject[i] == r.objectCount || !r.used[i] {
		return nil
	}
	return r.rowError(i, fmt.Errorf("the object has the key %+q and lacks the input %+q; names must match letter by letter", key, r.columns.keys[i]))
}

// unknownKeyError returns the error for a key that the first objects lack. Each unknown key has a negative number of its own
// in place of a column, from −2 down, so that mistakes with different keys are reported one by one. No more than maxBadRows
// keys are remembered; later ones share a number.
func (r *jsonReader) unknownKeyError(key string) *rowError {
	if _, ok := r.unknownKeys[key]; !ok && len(r.unknownKeys) < maxBadRows {
		r.unknownKeys[key] = len(r.unknownKeys)
	}
	const firstNumber = -2 // −1 stands for other mistakes
	return r.rowError(firstNumber-r.unknownKeys[key], fmt.Errorf("the first objects, whose keys are the columns, lack the key %s; they have %s: give the key to the first object, with null where there is no value, or read the table from a file", quoteShort(key), listNames(r.columns.keys)))
}

// readObject reads the next object into r.object, and returns io.EOF after the last object.
func (r *jsonReader) readObject() error {
	r.object.members = r.object.members[:0]
	if r.err == nil {
		r.readStart()
	}
	r.object.line = r.line
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
	isArrayStart := err == nil && start == json.Delim('[') && !r.hasStarted
	switch {
	case isArrayStart:
		r.inArray = true
		r.hasStarted = true
		start = r.token()
	case err == io.EOF && !r.inArray:
		r.err = io.EOF
	case err != nil:
		r.err = r.explainError(err)
	}
	if r.err != nil {
		return
	}
	r.hasStarted = true
	r.line = r.lines.lineAt(r.decoder.InputOffset())
	switch start {
	case json.Delim('{'):
	case json.Delim(']'):
		r.err = r.endOfArray()
	default:
		r.err = r.failf("%v is not an object; each row is one, such as {\"a\": 1, \"b\": \"x\"}", start)
	}
}

// endOfArray returns io.EOF after the end of the array, and another error if there is text after it.
func (r *jsonReader) endOfArray() error {
	if _, err := r.decoder.Token(); err != io.EOF {
		return r.failf("there is text after the end of the array; the file must have one array, or objects one after the other")
	}
	return io.EOF
}

// readMember reads a key of an object and its value.
func (r *jsonReader) readMember() {
	key, _ := r.token().(string) // the decoder returns an error for other keys
	if r.err != nil {
		return
	}
	m := r.readValue()
	m.key = key
	r.object.members = append(r.object.members, m)
}

// readValue reads a value and returns it as a member without a key. It skips a list or an object.
func (r *jsonReader) readValue() jsonMember {
	switch v := r.token().(type) {
	case string:
		return jsonMember{cell: strings.TrimSpace(v)}
	case json.Number:
		return jsonMember{cell: v.String(), stored: true}
	case bool:
		return jsonMember{cell: strconv.FormatBool(v)}
	case json.Delim:
		r.skipNested()
		return jsonMember{nested: v.String()}
	}
	return jsonMember{} // null
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

// explainError returns an error of the decoder with its position in the file: an end within a value, wrong JSON, a value
// that a table cannot have, or an error of reading. It sets r.line to the line of the error, if that is known.
func (r *jsonReader) explainError(err error) error {
	var syntax *json.SyntaxError
	var format *formatError
	switch {
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return r.failf("the file ends within this object or the array around it; is it cut off?")
	case errors.As(err, &syntax):
		return r.syntaxError(syntax)
	case errors.As(err, &format) && format.line > 0:
		r.line = format.line
		return r.failf("%w", err)
	case errors.As(err, &format), !r.hasStarted:
		return fmt.Errorf("%s: %w", r.file, err)
	}
	return fmt.Errorf("%s: after line %d: %w", r.file, r.line, err)
}

// syntaxError returns the error for wrong JSON, and sets r.line to its line.
func (r *jsonReader) syntaxError(syntax *json.SyntaxError) error {
	offset := min(syntax.Offset, r.lines.bytesRead) // lineAt needs an offset that was read,
	offset = max(offset, r.decoder.InputOffset())   // and offsets that do not go down
	r.line = max(r.line, r.lines.lineAt(offset))
	message := syntax.Error()
	if strings.Contains(message, "'N'") || strings.Contains(message, "'I'") {
		message += "; JSON has no Infinity and no None: write null for a missing value"
	}
	return r.failf("this is not JSON: %s", message)
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
