package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// List holds one value or several. In JSON and YAML, a list of one value can be written as the value
// itself.
type List[T any] []T

// MarshalJSON returns the value if there is one, and an array otherwise.
func (l List[T]) MarshalJSON() ([]byte, error) {
	if len(l) == 1 {
		return json.Marshal(l[0])
	}
	return json.Marshal([]T(l))
}

// UnmarshalJSON decodes a value or an array. It returns an error for null, and for a value of another type.
func (l *List[T]) UnmarshalJSON(text []byte) error {
	if bytes.Equal(text, []byte("null")) {
		return errors.New("a setting is null; want a value or an array")
	}
	if bytes.HasPrefix(text, []byte("[")) {
		return nameTypes(json.Unmarshal(text, (*[]T)(l)))
	}
	*l = make(List[T], 1)
	return nameTypes(json.Unmarshal(text, &(*l)[0]))
}

// nameTypes returns the error of a value of another type with the words for types that the other errors of the
// package have, not with the names of Go types. It returns any other error as it is.
func nameTypes(err error) error {
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		return fmt.Errorf("a value is a JSON %s; want %s", mismatch.Value, kindOf(mismatch.Type))
	}
	return err
}

// UnmarshalYAML decodes a value or a sequence.
func (l *List[T]) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode { // *name stands for the node marked &name
		n = n.Alias
	}
	if n.Kind == yaml.SequenceNode {
		return n.Decode((*[]T)(l))
	}
	*l = make(List[T], 1)
	return n.Decode(&(*l)[0])
}
