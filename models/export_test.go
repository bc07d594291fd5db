package models

import "slices"

// Forget takes a method out of the registry, so that a test's method is not
// another's.
func Forget(name string) {
	methods = slices.DeleteFunc(methods, func(m Method) bool { return m.Name == name })
}
