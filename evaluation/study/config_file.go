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

// maxConfig is in bytes: a list of a hundred thousand seeds still fits.
const maxConfig = 1 << 20

// ReadConfig reads a YAML file of one mapping, whose keys are those of Config; one
// that is left out has its default. Errors name line and key, also of what YAML
// lets pass: an unknown key, one that stands there twice, one without a value, an
// empty list, a 0, a fraction of a whole number, a second document.
func ReadConfig(r io.Reader) (Config, error) {
	var c Config
	text, err := safefile.ReadAll(r, "the configuration", maxConfig)
	if err != nil {
		return c, err
	}
	documents := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	if err := documents.Decode(&document); errors.Is(err, io.EOF) {
		return c, nil
	} else if err != nil {
		return c, err
	}
	var second yaml.Node
	if err := documents.Decode(&second); err == nil {
		return c, fmt.Errorf("line %d: a second document begins: want one", second.Line)
	} else if !errors.Is(err, io.EOF) {
		return c, err
	}
	if err := checkKeys(&document); err != nil {
		return c, err
	}
	err = document.Decode(&c)
	return c, err
}

// checkKeys checks what a decoder would pass over in silence.
func checkKeys(document *yaml.Node) error {
	if len(document.Content) != 1 {
		return errors.New("line 1: want a mapping of keys to values")
	}
	root := document.Content[0]
	if root.Kind == yaml.ScalarNode && root.ShortTag() == "!!null" && root.Value == "" {
		return nil // nothing but comments
	}
	return checkMapping(root, reflect.TypeFor[Config](), "")
}

// checkMapping checks the keys of a type, and the values that they have. of is what
// errors say of where they stand.
func checkMapping(root *yaml.Node, t reflect.Type, of string) error {
	if root.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: want a mapping of keys to values%s", root.Line, of)
	}
	names, wholes := yamlKeys(t)
	lines := make(map[string]int)
	for i := 0; i < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		fail := func(format string, args ...any) error {
			return fmt.Errorf("line %d: key %q%s %s", key.Line, key.Value, of, fmt.Sprintf(format, args...))
		}
		switch before, twice := lines[key.Value]; {
		case key.Kind != yaml.ScalarNode || !slices.Contains(names, key.Value):
			return fail("is unknown: there is %s", strings.Join(names, ", "))
		case twice:
			return fail("stands in line %d already", before)
		}
		lines[key.Value] = key.Line
		values, is := []*yaml.Node{target(value)}, "is"
		if values[0].Kind == yaml.SequenceNode {
			values, is = values[0].Content, "has an element"
		}
		if len(values) == 0 {
			return fail("is an empty list: name something, or leave the key out for its default")
		}
		for _, v := range values {
			v = target(v)
			if key.Value == "tables" && v.Kind == yaml.MappingNode {
				if err := checkMapping(v, reflect.TypeFor[Table](), " of a table"); err != nil {
					return err
				}
				continue
			}
			if err := checkScalar(v, wholes[key.Value]); err != nil && !isEmptyWidths(key.Value, v) {
				return fail("%s %v", is, err)
			}
			if (of == "" || key.Value == "test-share") && isZero(v) && !mayBeZero(key.Value) {
				return fail("%s 0: leave it out for its default", is)
			}
		}
	}
	return nil
}

// mayBeZero reports whether 0 is a value like others of a key.
func mayBeZero(key string) bool {
	s, ok := lookupSetting(key)
	if !ok {
		return key == "fold" || key == "seeds"
	}
	return (s.Kind == experiment.Whole || s.Kind == experiment.Number) && !s.ZeroIsDefault
}

// isEmptyWidths reports whether a value is the empty text for no hidden layers.
func isEmptyWidths(key string, n *yaml.Node) bool {
	s, ok := lookupSetting(key)
	return ok && s.Kind == experiment.Widths && n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str"
}

// target is what an alias stands for, and any other value itself.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// checkScalar refuses what is nothing, and a number that is not what it looks
// like: 010 is 8 in YAML, and a decoder makes a whole number of 1.5.
func checkScalar(n *yaml.Node, whole bool) error {
	digits := strings.TrimLeft(n.Value, "+-")
	switch {
	case n.Kind != yaml.ScalarNode:
		return errors.New("of several values: want one")
	case n.ShortTag() == "!!null" || strings.TrimSpace(n.Value) == "":
		return errors.New("without a value: leave it out for its default")
	case whole && n.ShortTag() == "!!float":
		return fmt.Errorf("%s: want a whole number, in digits", n.Value)
	case n.ShortTag() == "!!int" && len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9':
		return fmt.Errorf("%s with a leading 0: write it without", n.Value)
	}
	return nil
}

// isZero tells whether a value is the number 0, however it is written.
func isZero(n *yaml.Node) bool {
	var v float64
	return (n.ShortTag() == "!!int" || n.ShortTag() == "!!float") && n.Decode(&v) == nil && v == 0
}

// yamlKeys returns the keys of a type in their order, and the keys of whole numbers. A Config
// has the keys of the settings last.
func yamlKeys(t reflect.Type) (names []string, whole map[string]bool) {
	whole = make(map[string]bool)
	for f := range t.Fields() {
		name, of := f.Tag.Get("yaml"), f.Type
		if name == "-" {
			continue
		}
		if name == ",inline" {
			inner, wholeInner := yamlKeys(f.Type)
			names = append(names, inner...)
			maps.Copy(whole, wholeInner)
			continue
		}
		if of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		names = append(names, name)
		whole[name] = of.Kind() == reflect.Int || of.Kind() == reflect.Uint64
	}
	if t == reflect.TypeFor[Config]() {
		for _, s := range variableSettings() {
			names = append(names, s.Key)
			whole[s.Key] = s.Kind == experiment.Whole
		}
	}
	return names, whole
}
