package strict

import (
	"bytes"
	"encoding/json"
	"errors"

	"go.yaml.in/yaml/v3"
)

// List is one value or several. In YAML and JSON a single value stands for itself.
type List[T any] []T

// MarshalJSON writes a single value as such, and several as an array.
func (l List[T]) MarshalJSON() ([]byte, error) {
	if len(l) == 1 {
		return json.Marshal(l[0])
	}
	return json.Marshal([]T(l))
}

// UnmarshalJSON reads a value or an array.
func (l *List[T]) UnmarshalJSON(text []byte) error {
	if bytes.Equal(text, []byte("null")) {
		return errors.New("a setting is null")
	}
	if bytes.HasPrefix(text, []byte("[")) {
		return json.Unmarshal(text, (*[]T)(l))
	}
	*l = make(List[T], 1)
	return json.Unmarshal(text, &(*l)[0])
}

// UnmarshalYAML reads a value or a sequence.
func (l *List[T]) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == yaml.SequenceNode {
		return n.Decode((*[]T)(l))
	}
	*l = make(List[T], 1)
	return n.Decode(&(*l)[0])
}
