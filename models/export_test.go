package models

import "slices"

// Forget takes a method out of the registry, so that a test's method is not
// another's.
func Forget(name string) {
	methods = slices.DeleteFunc(methods, func(m Method) bool { return m.Name == name })
}

// decode makes a model of the contents of its two files.
func decode(text, weights []byte) (*Model, error) {
	d, _, err := decodeDescription(text)
	if err != nil {
		return nil, err
	}
	return d.model(weights)
}
