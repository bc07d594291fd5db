// Package strict reads JSON that is exactly what a type says. Where
// encoding/json takes the last of two equal keys, any case of their letters, a
// null for a number and whatever follows the value, and leaves a missing key
// at 0, a file that a result depends on is refused, with the line and the key.
package strict

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Unmarshal decodes the one JSON value that text is into v, a pointer. A key
// must be one of the type's, in its spelling, and stand there once. One
// without omitempty must be there, and null is only for what can be nil. What
// decodes itself, as json.RawMessage does, is looked at for keys that are
// there twice and else left to itself.
func Unmarshal(text []byte, v any) error {
	if err := syntax(text); err != nil { // also bounds the depth
		return err
	}
	w := walk{text: text, tokens: json.NewDecoder(bytes.NewReader(text))}
	w.tokens.UseNumber()
	if err := w.value(reflect.TypeOf(v).Elem(), "the value"); err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

// syntax returns where text is not one JSON value.
func syntax(text []byte) error {
	var raw json.RawMessage
	err := json.Unmarshal(text, &raw)
	if wrong := (*json.SyntaxError)(nil); errors.As(err, &wrong) {
		return walk{text: text}.fail(wrong.Offset, "%w", err)
	}
	return err
}

// walk goes through a text that is known to be JSON, beside the type that it
// is to become.
type walk struct {
	text   []byte
	tokens *json.Decoder
}

func (w walk) fail(offset int64, format string, args ...any) error {
	line := 1 + bytes.Count(w.text[:min(int(offset), len(w.text))], []byte("\n"))
	return fmt.Errorf("line %d: %w", line, fmt.Errorf(format, args...))
}

var (
	decodesItself = reflect.TypeFor[json.Unmarshaler]()
	readsText     = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// next is the next token; there is one, as the syntax is right.
func (w walk) next() json.Token {
	token, _ := w.tokens.Token()
	return token
}

// value goes through the next value. A nil type takes anything.
func (w walk) value(t reflect.Type, name string) error {
	token := w.next()
	nullable := t == nil
	for t != nil && t.Kind() == reflect.Pointer {
		t, nullable = t.Elem(), true
	}
	if t != nil {
		p := reflect.PointerTo(t)
		switch {
		case p.Implements(decodesItself), p.Implements(readsText), t.Kind() == reflect.Interface:
			t, nullable = nil, true
		case t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
			nullable = true
		}
	}
	if t != nil && !(token == nil && nullable) {
		if given, ok := fits(token, t); !ok {
			return w.fail(w.tokens.InputOffset(), "%s is %s; want %s", name, given, inWords(t))
		}
	}
	switch token {
	case json.Delim('{'):
		return w.object(t, name)
	case json.Delim('['):
		return w.list(t, name)
	}
	return nil
}

const aText, aBool = "a text", "true or false"

var delimited = map[json.Delim]string{'{': "an object", '[': "a list"}

// fits says what begins with token, and tells whether it can become a t.
func fits(token json.Token, t reflect.Type) (given string, ok bool) {
	want := inWords(t)
	switch token := token.(type) {
	case json.Delim:
		return delimited[token], want == delimited[token]
	case string:
		return aText, want == aText
	case bool:
		return fmt.Sprint(token), want == aBool
	case json.Number: // whole where it must be, and within the type's range
		return token.String(), want != aText && json.Unmarshal([]byte(token), reflect.New(t).Interface()) == nil
	}
	return "null", false
}

func (w walk) object(t reflect.Type, name string) error {
	var known []field
	if t != nil && t.Kind() == reflect.Struct {
		known = fields(t)
	}
	seen := make(map[string]bool)
	for w.tokens.More() {
		key := w.next().(string)
		at := w.tokens.InputOffset()
		if seen[key] {
			return w.fail(at, "key %q is there twice", key)
		}
		seen[key] = true
		var of reflect.Type
		switch {
		case t == nil:
		case t.Kind() == reflect.Map:
			of = t.Elem()
		default:
			i := slices.IndexFunc(known, func(f field) bool { return f.name == key })
			if i < 0 {
				var names []string
				for _, f := range known {
					names = append(names, f.name)
				}
				return w.fail(at, "unknown key %q: there is %s", key, strings.Join(names, ", "))
			}
			of = known[i].of
		}
		if err := w.value(of, fmt.Sprintf("key %q", key)); err != nil {
			return err
		}
	}
	for _, f := range known {
		if !f.optional && !seen[f.name] {
			return w.fail(w.tokens.InputOffset(), "key %q is missing in %s", f.name, name)
		}
	}
	w.next() // the end
	return nil
}

func (w walk) list(t reflect.Type, name string) error {
	var of reflect.Type
	if t != nil {
		of = t.Elem()
	}
	n := 0
	for ; w.tokens.More(); n++ {
		if err := w.value(of, "an element of "+name); err != nil {
			return err
		}
	}
	if t != nil && t.Kind() == reflect.Array && n != t.Len() {
		return w.fail(w.tokens.InputOffset(), "%s has %d elements; want %d", name, n, t.Len())
	}
	w.next() // the end
	return nil
}

// field is a key of an object.
type field struct {
	name     string
	of       reflect.Type
	optional bool
}

// fields lists the keys of a struct, those of embedded ones among them.
func fields(t reflect.Type) []field {
	var list []field
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
			continue
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			list = append(list, fields(f.Type)...)
			continue
		case name == "":
			name = f.Name
		}
		list = append(list, field{name, f.Type, strings.Contains(options, "omit")})
	}
	return list
}

// inWords says what JSON value a type is.
func inWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return aText
	case reflect.Bool:
		return aBool
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Struct, reflect.Map:
		return delimited['{']
	case reflect.Slice, reflect.Array:
		return delimited['[']
	}
	return "a whole number"
}
