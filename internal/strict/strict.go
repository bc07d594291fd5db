// Package strict decodes JSON files that must match a Go type exactly, since results depend on them.
// Start with Unmarshal: it returns an error, with line and key, for mistakes that encoding/json
// ignores, such as unknown, repeated or missing keys and null in place of a number. The package does
// not check values beyond their type.
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

// Unmarshal decodes text, which must be one JSON value, into v, a pointer. It returns an error unless
// all objects have exactly the keys of their type:
//
//   - Each key is a key of the type, in the same case, and occurs once.
//   - Each key without omitempty or omitzero is present.
//   - null only stands for pointers, slices, maps and interfaces.
//
// In values of types that decode themselves, such as json.RawMessage, it only checks that no key is
// repeated.
func Unmarshal(text []byte, v any) error {
	if err := checkSyntax(text); err != nil { // also limits the nesting, to which checkValue recurses
		return err
	}
	c := checker{text: text, tokens: json.NewDecoder(bytes.NewReader(text))}
	c.tokens.UseNumber()
	if err := c.checkValue(reflect.TypeOf(v).Elem(), "the value"); err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

// checkSyntax returns an error with the line of the mistake unless text is one JSON value.
func checkSyntax(text []byte) error {
	var value json.RawMessage
	err := json.Unmarshal(text, &value)
	var syntaxError *json.SyntaxError
	if errors.As(err, &syntaxError) {
		return checker{text: text}.errorf(syntaxError.Offset, "%w", err)
	}
	return err
}

// checker compares a JSON text of correct syntax with a Go type.
type checker struct {
	text   []byte
	tokens *json.Decoder // reads the tokens of text one after another
}

// errorf returns an error with the number of the line at a byte offset of the text.
func (c checker) errorf(offset int64, format string, args ...any) error {
	line := 1 + bytes.Count(c.text[:min(int(offset), len(c.text))], []byte("\n"))
	return fmt.Errorf("line %d: %w", line, fmt.Errorf(format, args...))
}

// nextToken returns the next token, which is nil for null. Unmarshal has checked the syntax before, so
// that there is no error.
func (c checker) nextToken() json.Token {
	token, _ := c.tokens.Token()
	return token
}

// checkValue reads the next value and returns an error unless it can be decoded into type t; nil
// stands for any type. Errors call the value by its name.
func (c checker) checkValue(t reflect.Type, name string) error {
	token := c.nextToken() // nil for null
	t, nullable := resolveType(t)
	isAllowedNull := token == nil && nullable
	if t != nil && !isAllowedNull && !canDecode(token, t) {
		return c.errorf(c.tokens.InputOffset(), "%s is %s; want %s", name, describeToken(token), kindOf(t))
	}
	switch token {
	case json.Delim('{'):
		return c.checkObject(t, name)
	case json.Delim('['):
		return c.checkArray(t, name)
	}
	return nil
}

var (
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// resolveType returns the type that t points to, or t if it is no pointer, and whether null can be
// decoded into t. It returns nil for types that decode themselves and for interfaces: they accept any
// value.
func resolveType(t reflect.Type) (_ reflect.Type, nullable bool) {
	if t == nil {
		return nil, true
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
		nullable = true
	}
	pointer := reflect.PointerTo(t)
	if pointer.Implements(jsonUnmarshaler) || pointer.Implements(textUnmarshaler) || t.Kind() == reflect.Interface {
		return nil, true
	}
	if t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		nullable = true
	}
	return t, nullable
}

// kind is a kind of JSON value, as errors call it.
type kind string

const (
	objectKind  kind = "an object"
	arrayKind   kind = "an array"
	stringKind  kind = "a string"
	boolKind    kind = "true or false"
	numberKind  kind = "a number"
	integerKind kind = "a whole number"
)

// kindOf returns the kind of the values that can be decoded into type t.
func kindOf(t reflect.Type) kind {
	switch t.Kind() {
	case reflect.String:
		return stringKind
	case reflect.Bool:
		return boolKind
	case reflect.Float32, reflect.Float64:
		return numberKind
	case reflect.Struct, reflect.Map:
		return objectKind
	case reflect.Slice, reflect.Array:
		return arrayKind
	}
	return integerKind
}

// canDecode reports whether the value that begins with token can be decoded into type t, apart from
// the contents of objects and arrays. Numbers must be whole and in the range of t if t demands it.
// The result is false for null.
func canDecode(token json.Token, t reflect.Type) bool {
	want := kindOf(t)
	switch token := token.(type) {
	case json.Delim:
		return token == '{' && want == objectKind || token == '[' && want == arrayKind
	case string:
		return want == stringKind
	case bool:
		return want == boolKind
	case json.Number:
		if want == stringKind { // json.Number is a string type, into which encoding/json decodes numbers
			return false
		}
		return json.Unmarshal([]byte(token), reflect.New(t).Interface()) == nil
	}
	return false
}

// describeToken returns how errors call the value that begins with token.
func describeToken(token json.Token) string {
	switch token := token.(type) {
	case json.Delim:
		if token == '{' {
			return string(objectKind)
		}
		return string(arrayKind)
	case string:
		return string(stringKind)
	case nil:
		return "null"
	}
	return fmt.Sprint(token) // a number, true or false
}

// checkObject reads the rest of an object, up to its closing brace, and returns an error unless it
// can be decoded into t: a struct, a map, or nil for any type.
func (c checker) checkObject(t reflect.Type, name string) error {
	var fields []field // nil unless t is a struct
	if t != nil && t.Kind() == reflect.Struct {
		fields = listFields(t)
	}
	isPresent := make(map[string]bool) // by key
	for c.tokens.More() {
		key := c.nextToken().(string)
		if isPresent[key] {
			return c.errorf(c.tokens.InputOffset(), "key %q is repeated", key)
		}
		isPresent[key] = true
		valueType, err := c.keyType(t, fields, key)
		if err != nil {
			return err
		}
		if err := c.checkValue(valueType, fmt.Sprintf("key %q", key)); err != nil {
			return err
		}
	}
	for _, f := range fields {
		if !f.optional && !isPresent[f.name] {
			return c.errorf(c.tokens.InputOffset(), "key %q is missing in %s", f.name, name)
		}
	}
	c.nextToken() // the closing brace
	return nil
}

// keyType returns the type of the value of a key in an object of type t: a map, nil for any type, or
// a struct with the given fields. It returns an error if the struct has no such field.
func (c checker) keyType(t reflect.Type, fields []field, key string) (reflect.Type, error) {
	if t == nil {
		return nil, nil
	}
	if t.Kind() == reflect.Map {
		return t.Elem(), nil
	}
	i := slices.IndexFunc(fields, func(f field) bool { return f.name == key })
	if i < 0 {
		var names []string
		for _, f := range fields {
			names = append(names, f.name)
		}
		return nil, c.errorf(c.tokens.InputOffset(), "unknown key %q; want one of %s", key, strings.Join(names, ", "))
	}
	return fields[i].valueType, nil
}

// checkArray reads the rest of an array, up to its closing bracket, and returns an error unless it
// can be decoded into t: a slice, an array, or nil for any type.
func (c checker) checkArray(t reflect.Type, name string) error {
	var elementType reflect.Type
	if t != nil {
		elementType = t.Elem()
	}
	length := 0
	for c.tokens.More() {
		if err := c.checkValue(elementType, "an element of "+name); err != nil {
			return err
		}
		length++
	}
	if t != nil && t.Kind() == reflect.Array && length != t.Len() {
		return c.errorf(c.tokens.InputOffset(), "%s has %d elements; want %d", name, length, t.Len())
	}
	c.nextToken() // the closing bracket
	return nil
}

// field is a key of an object for a struct.
type field struct {
	name      string
	valueType reflect.Type
	optional  bool // the key may be missing
}

// listFields returns the keys of a struct, as encoding/json names them, and the keys of its embedded
// structs.
func listFields(t reflect.Type) []field {
	var fields []field
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		isHidden := !f.IsExported() && !f.Anonymous
		if name == "-" || isHidden {
			continue
		}
		isEmbedded := f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct
		if isEmbedded {
			fields = append(fields, listFields(f.Type)...)
			continue
		}
		if name == "" {
			name = f.Name
		}
		fields = append(fields, field{
			name:      name,
			valueType: f.Type,
			optional:  strings.Contains(options, "omit"), // omitempty or omitzero
		})
	}
	return fields
}
