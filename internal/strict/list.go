package strict

import (
	"bytes"
	"encoding/json"
	"errors"

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

// UnmarshalJSON decodes a value or an array. It returns an error for null.
func (l *List[T]) UnmarshalJSON(text []byte) error {
	if bytes.Equal(text, []byte("null")) {
		return errors.New("a setting is null; want a value or an array")
	}
	if bytes.HasPrefix(text, []byte("[")) {
		return json.Unmarshal(text, (*[]T)(l))
	}
	*l = make(List[T], 1)
	return json.Unmarshal(text, &(*l)[0])
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
