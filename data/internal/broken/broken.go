// Package broken guards calls of libraries that panic on files which contradict themselves.
package broken

import "fmt"

// Recover stores an error in err if the function that deferred it panics: what explain makes
// of the panic's value.
func Recover(err *error, explain func(error) error) {
	if value := recover(); value != nil {
		*err = explain(fmt.Errorf("%v", value))
	}
}
