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

// objects reads JSON: a sequence of objects, such as JSON Lines, or one array of objects. The
// columns are the keys of the first object, in their order.
type objects struct {
	position
	in    *input
	text  *bufio.Reader // reads in
	lines *lineCounter  // reads text
	dec   *json.Decoder // reads lines

	array   bool
	keys    []string
	columns map[string]int
	others  map[string]int // keys that the first object lacks, in the order of their appearance
	seen    []int          // line of the last object that has the key
	objects int
	used    []bool

	cells  []string
	nested []string // for each column, the start of a list or object in it; "" if it has a plain value
	held   bool     // the cells are from the first object, which next has still to return
	wrong  *badRow  // error of the cells; nil if there is none
}

var (
	jsonStart   = regexp.MustCompile(`^(\{\s*["}]|\[\s*[\]{])`)
	jsonPerhaps = regexp.MustCompile(`^[\[{]\s*$`) // as long as nothing follows
)

// isJSON reports whether text without leading blanks is JSON, by its first characters.
func isJSON(head []byte) bool { return jsonStart.Match(head) }

func openObjects(in *input, text *bufio.Reader, name string) *objects {
	lines := &lineCounter{r: text}
	o := &objects{
		position: position{file: show(name), line: 1}, in: in, text: text, lines: lines, dec: json.NewDecoder(lines),
		columns: make(map[string]int), others: make(map[string]int),
	}
	o.dec.UseNumber() // numbers stay as they are written, and are parsed as in CSV
	return o
}

func (o *objects) use(columns []bool) error { o.used = columns; return nil }
func (o *objects) hasNames() bool           { return true }
func (o *objects) delimiter() string        { return "" }
func (o *objects) offset() (int64, bool)    { return o.dec.InputOffset(), !o.in.converted.Load() }
func (o *objects) close()                   { o.in.close() }

// ready reports whether the buffered text has the end of an object. A line end after the last
// object says nothing.
func (o *objects) ready() bool {
	rest, _ := io.ReadAll(o.dec.Buffered())
	if o.held || bytes.IndexByte(rest, '}') >= 0 {
		return true
	}
	for {
		text, _ := o.text.Peek(o.text.Buffered())
		switch {
		case bytes.IndexByte(text, '}') >= 0, len(text) == o.text.Size():
			return true
		case !o.in.more():
			return false
		}
		if _, err := o.text.Peek(len(text) + 1); err != nil {
			return true
		}
	}
}

func (o *objects) next() ([]string, error) {
	if o.objects == 0 {
		if err := o.object(); err != nil {
			return nil, err
		}
		if o.wrong != nil && o.wrong.column < 0 {
			return nil, o.wrong
		}
		if len(o.keys) == 0 {
			return nil, o.failf("the first object is empty; its keys are the names of the columns")
		}
		o.held = true
		return o.keys, nil
	}
	if !o.held {
		if err := o.object(); err != nil {
			return nil, err
		}
	}
	o.held = false
	if o.wrong != nil {
		return o.cells, o.wrong
	}
	for i, what := range o.nested {
		if what != "" && o.used[i] {
			return o.cells, o.bad(i, fmt.Errorf("column %s: a value within a value (%s…); a table has one number or text in each cell: give it a key of its own, or leave the column out", label(o.keys, i), what))
		}
	}
	return o.cells, nil
}

// object reads the next object into cells. If the object has a mistake, and the objects after it
// can be read, object sets wrong and returns no error.
func (o *objects) object() error {
	o.in.row = o.dec.InputOffset()
	start, err := o.dec.Token()
	if err == nil && start == json.Delim('[') && o.objects == 0 && !o.array {
		o.array = true
		start, err = o.dec.Token()
	}
	if err == io.EOF && !o.array {
		return io.EOF
	}
	if err == nil {
		o.line = o.lines.lineAt(o.dec.InputOffset())
	}
	switch {
	case err != nil:
		return o.failure(err)
	case start == json.Delim(']'):
		if _, err := o.dec.Token(); err != io.EOF {
			return o.failf("there is text behind the end of the array; one array, or objects one behind the other, are needed")
		}
		return io.EOF
	case start != json.Delim('{'):
		return o.failf("%v where an object is needed: each row is one, such as {\"a\": 1, \"b\": \"x\"}", start)
	}
	o.objects++
	o.wrong = nil
	clear(o.cells)
	clear(o.nested)
	for o.dec.More() {
		if err := o.member(); err != nil {
			return err
		}
	}
	if _, err := o.dec.Token(); err != nil {
		return o.failure(err)
	}
	return nil
}

// member reads a key of an object, and its value.
func (o *objects) member() error {
	token, err := o.dec.Token()
	if err != nil {
		return o.failure(err)
	}
	key, _ := token.(string)
	i, known := o.columns[key]
	switch {
	case !known && o.objects == 1:
		i = len(o.keys)
		o.columns[key] = i
		o.keys, o.cells, o.nested, o.seen = append(o.keys, key), append(o.cells, ""), append(o.nested, ""), append(o.seen, 0)
	case !known:
		if _, again := o.others[key]; !again && len(o.others) < maxBadRows {
			o.others[key] = len(o.others)
		}
		o.wrong = o.bad(-2-o.others[key], fmt.Errorf("the key %s is not one of the first object, whose keys are the columns: %s; give it to the first, with null where there is no value", excerpt(key), list(o.keys)))
		i = -1
	case o.seen[i] == o.objects:
		o.wrong = o.bad(-1, fmt.Errorf("the key %s is there twice", excerpt(key)))
	}
	if i >= 0 {
		o.seen[i] = o.objects
	}
	cell, nested, err := o.value()
	if err != nil {
		return o.failure(err)
	}
	if i >= 0 {
		o.cells[i], o.nested[i] = cell, nested
	}
	return nil
}

// value reads a value as the text of a cell, and skips a list or an object.
func (o *objects) value() (cell, nested string, err error) {
	token, err := o.dec.Token()
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
			switch token, err = o.dec.Token(); token {
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
func (o *objects) failure(err error) error {
	var syntax *json.SyntaxError
	var unread *badText
	switch {
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return o.failf("the file ends within this object or the array around it; is it cut off?")
	case errors.As(err, &syntax):
		o.line = max(o.line, o.lines.lineAt(max(o.dec.InputOffset(), min(syntax.Offset, o.lines.read))))
		says := err.Error()
		if strings.Contains(says, "'N'") || strings.Contains(says, "'I'") {
			says += "; JSON has no NaN and no Infinity: null is a value that is missing"
		}
		return o.failf("this is not JSON: %s", says)
	case errors.As(err, &unread) && unread.line > 0:
		o.line = unread.line
		return o.failf("%w", err)
	case errors.As(err, &unread), o.objects == 0:
		return fmt.Errorf("%s: %w", o.file, err)
	}
	return fmt.Errorf("%s: after line %d: %w", o.file, o.line, err)
}

// lineCounter passes text on, and remembers where its lines end.
type lineCounter struct {
	r    io.Reader
	read int64
	ends []int64 // offsets of the ends of the lines after line
	line int     // number of lines before these
}

func (c *lineCounter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.ends = append(c.ends, c.read+int64(i))
		}
	}
	c.read += int64(n)
	return n, err
}

// lineAt returns the line, from 1, of the byte before offset. Offsets must not go down from call
// to call.
func (c *lineCounter) lineAt(offset int64) int {
	n := 0
	for n < len(c.ends) && c.ends[n] < offset-1 {
		n++
	}
	c.ends = c.ends[:copy(c.ends, c.ends[n:])]
	c.line += n
	return c.line + 1
}
