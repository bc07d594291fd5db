package study

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"sml/evaluation/experiment"
	"sml/internal/safefile"
)

// maxConfigBytes is the largest size of a configuration file: a list of a hundred thousand seeds still fits.
const maxConfigBytes = 1 << 20

// ReadConfig returns the configuration in a YAML file. The file is one mapping with the keys of Config; keys that
// are left out have their defaults. ReadConfig is stricter than YAML: it returns an error with line and key for
// an unknown or repeated key, a key without a value, an empty list, a single value in place of a list or the
// reverse, a value of another type, a 0 in place of a default, and a second document.
func ReadConfig(r io.Reader) (Config, error) {
	var c Config
	text, err := safefile.ReadAll(r, "the configuration", maxConfigBytes)
	if err != nil {
		return c, err
	}
	documents := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	err = documents.Decode(&document)
	if errors.Is(err, io.EOF) { // an empty file
		return c, nil
	}
	if err != nil {
		return c, err
	}
	if err := checkNoDocument(documents); err != nil {
		return c, err
	}
	if err := checkDocument(&document); err != nil {
		return c, err
	}
	err = document.Decode(&c)
	return c, err
}

// checkNoDocument returns an error if the decoder has another document.
func checkNoDocument(documents *yaml.Decoder) error {
	var document yaml.Node
	err := documents.Decode(&document)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("line %d: a second YAML document begins; want one document", document.Line)
}

// checkDocument returns an error for the mistakes in a document that a YAML decoder does not report. A document
// may have comments only.
func checkDocument(document *yaml.Node) error {
	if len(document.Content) != 1 {
		return errors.New("line 1: want a mapping of keys to values")
	}
	root := document.Content[0]
	if root.Kind == yaml.ScalarNode && root.ShortTag() == "!!null" && root.Value == "" {
		return nil
	}
	checker := newMappingChecker(reflect.TypeFor[Config](), "")
	return checker.check(root)
}

// mappingChecker checks a YAML mapping before it is decoded into a struct.
type mappingChecker struct {
	keys  []string             // YAML keys of the struct, in order
	forms map[string]valueForm // forms of the keys' values
	owner string               // what errors say after a key: " of a table", or "" for the configuration
}

// valueForm says which values a key may have.
type valueForm struct {
	list    listForm
	element reflect.Type // type of a single value, or of an element if the value is a list
}

// listForm says whether the value of a key is a list.
type listForm int

const (
	neverList  listForm = iota // the value is a single value
	eitherForm                 // a list of one value may be written as the value itself
	alwaysList                 // the value is a list, even of one value
)

// newMappingChecker returns a checker for mappings to be decoded into the struct type t.
func newMappingChecker(t reflect.Type, owner string) mappingChecker {
	keys, forms := yamlKeys(t)
	return mappingChecker{keys: keys, forms: forms, owner: owner}
}

// check returns an error if the node is not a mapping, or for the first key with a mistake.
func (m mappingChecker) check(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: want a mapping of keys to values%s", n.Line, m.owner)
	}
	lines := make(map[string]int)            // by key
	for i := 0; i < len(n.Content); i += 2 { // keys and values alternate
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind != yaml.ScalarNode || !slices.Contains(m.keys, key.Value) {
			return fmt.Errorf("line %d: unknown key %q%s; want one of %s", key.Line, key.Value, m.owner, strings.Join(m.keys, ", "))
		}
		if before, isRepeated := lines[key.Value]; isRepeated {
			return fmt.Errorf("line %d: key %q%s is repeated; line %d has it already", key.Line, key.Value, m.owner, before)
		}
		lines[key.Value] = key.Line
		if err := m.checkValues(key, resolveAlias(value)); err != nil {
			return err
		}
	}
	return nil
}

// checkValues returns an error for a mistake in the value of a key, or in an element if the value is a list.
func (m mappingChecker) checkValues(key, value *yaml.Node) error {
	subject := fmt.Sprintf("line %d: key %q%s", key.Line, key.Value, m.owner)
	if err := checkListForm(value, m.forms[key.Value].list); err != nil {
		return fmt.Errorf("%s %w", subject, err)
	}
	values := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode {
		values = value.Content
		subject = fmt.Sprintf("line %d: an element of key %q%s", key.Line, key.Value, m.owner)
	}
	for _, v := range values {
		v = resolveAlias(v)
		if key.Value == "tables" && v.Kind == yaml.MappingNode {
			table := newMappingChecker(reflect.TypeFor[Table](), " of a table")
			if err := table.check(v); err != nil {
				return err
			}
			continue
		}
		if err := m.checkValue(key.Value, v); err != nil {
			return fmt.Errorf("%s %w", subject, err)
		}
	}
	return nil
}

// checkListForm returns an error if a value is an empty list, a list where a single value is wanted, or a single
// value where a list is wanted. The error completes a sentence whose subject is the key.
func checkListForm(value *yaml.Node, form listForm) error {
	isList := value.Kind == yaml.SequenceNode
	switch {
	case isList && len(value.Content) == 0:
		return errors.New("is an empty list; give it a value, or remove the key for its default")
	case isList && form == neverList:
		return errors.New("is a list; want a single value")
	case isList || form != alwaysList || isMissing(value):
		return nil // checkScalar reports a missing value
	case value.Kind == yaml.MappingNode:
		return errors.New("is a mapping; want a list")
	}
	return fmt.Errorf("is %s; want a list, such as [%s]", value.Value, value.Value)
}

// isMissing reports whether a value is null, as after a key without a value, or a blank text.
func isMissing(value *yaml.Node) bool {
	return value.Kind == yaml.ScalarNode && (value.ShortTag() == "!!null" || strings.TrimSpace(value.Value) == "")
}

// checkValue returns an error for a mistake in a single value of a key. The error completes a sentence whose
// subject is the key.
func (m mappingChecker) checkValue(key string, v *yaml.Node) error {
	if err := checkScalar(v, m.forms[key].element); err != nil && !isEmptyWidths(key, v) {
		return err
	}
	zeroIsMistake := m.owner == "" || key == "test-fraction" // other keys of a table are checked when it is read
	if zeroIsMistake && isZero(v) && !allowsZero(key) {
		return errors.New("is 0; remove it for its default")
	}
	return nil
}

// allowsZero reports whether 0 is an ordinary value of a key.
func allowsZero(key string) bool {
	s, ok := lookupSetting(key)
	if !ok {
		return key == "fold" || key == "seeds"
	}
	isNumber := s.Kind == experiment.WholeNumber || s.Kind == experiment.Number
	return isNumber && !s.ZeroIsDefault
}

// isEmptyWidths reports whether a value is the empty text of a key for the widths of hidden layers. It stands for
// a linear model.
func isEmptyWidths(key string, n *yaml.Node) bool {
	s, ok := lookupSetting(key)
	return ok && s.Kind == experiment.Widths && n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str"
}

// resolveAlias returns the node that a YAML alias refers to, and any other node itself.
func resolveAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// checkScalar returns an error unless a node is a single value of type want that means what it looks like: YAML
// reads 010 as 8, and the decoder truncates 1.5 for a whole number.
func checkScalar(n *yaml.Node, want reflect.Type) error {
	isWhole := want.Kind() == reflect.Int || want.Kind() == reflect.Uint64
	switch {
	case n.Kind != yaml.ScalarNode:
		return errors.New("is a list or a mapping; want a single value")
	case isMissing(n):
		return errors.New("has no value; remove it for its default")
	case n.ShortTag() == "!!int" && hasLeadingZero(n.Value):
		return fmt.Errorf("is %s; write it without the leading 0", n.Value)
	}
	decoded := reflect.New(want).Interface() // only its error counts
	isTruncated := isWhole && n.ShortTag() == "!!float"
	if isTruncated || n.Decode(decoded) != nil {
		return fmt.Errorf("is %s; want %s", n.Value, describeType(want))
	}
	return nil
}

// describeType returns how errors call the values of a type.
func describeType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "a whole number, in digits"
	case reflect.Uint64:
		return "a whole number from 0, in digits"
	case reflect.Float64:
		return "a number"
	}
	return "a text"
}

// hasLeadingZero reports whether the text of a whole number has a 0 before another digit, perhaps after a sign.
func hasLeadingZero(text string) bool {
	digits := strings.TrimLeft(text, "+-")
	return len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9'
}

// isZero reports whether a value is the number 0, however it is written.
func isZero(n *yaml.Node) bool {
	isNumber := n.ShortTag() == "!!int" || n.ShortTag() == "!!float"
	var v float64
	return isNumber && n.Decode(&v) == nil && v == 0
}

// yamlKeys returns the YAML keys of a struct type in the order of its fields, and the forms of their values. For a
// Config, the keys of settings follow.
func yamlKeys(t reflect.Type) (keys []string, forms map[string]valueForm) {
	forms = make(map[string]valueForm)
	for f := range t.Fields() {
		switch key := f.Tag.Get("yaml"); key {
		case "-":
		case ",inline":
			innerKeys, innerForms := yamlKeys(f.Type)
			keys = append(keys, innerKeys...)
			maps.Copy(forms, innerForms)
		default:
			keys = append(keys, key)
			forms[key] = formOf(f.Type)
		}
	}
	if t == reflect.TypeFor[Config]() {
		for _, s := range variableSettings() {
			keys = append(keys, s.Key)
			forms[s.Key] = settingForm(s)
		}
	}
	return keys, forms
}

// formOf returns the form of the YAML value of a field of type t. A strict.List decodes itself from a list or a
// single value; other slices are decoded from lists only.
func formOf(t reflect.Type) valueForm {
	if t.Kind() != reflect.Slice {
		return valueForm{list: neverList, element: t}
	}
	form := valueForm{list: alwaysList, element: t.Elem()}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[yaml.Unmarshaler]()) {
		form.list = eitherForm
	}
	return form
}

// settingForm returns the form of the values of a setting: the types are those of decodeValues.
func settingForm(s experiment.Setting) valueForm {
	switch s.Kind {
	case experiment.WholeNumber:
		return valueForm{list: eitherForm, element: reflect.TypeFor[int]()}
	case experiment.Number:
		return valueForm{list: eitherForm, element: reflect.TypeFor[float64]()}
	}
	return valueForm{list: eitherForm, element: reflect.TypeFor[string]()}
}
