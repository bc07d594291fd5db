// Package broken guards calls of libraries that panic on files which contradict themselves.
package broken

import "fmt"

// Recover must be deferred. If the function panics, it stores explain(e) in err, where e is an
// error with the panic's value.
func Recover(err *error, explain func(error) error) {
	if value := recover(); value != nil {
		*err = explain(fmt.Errorf("%v", value))
	}
}
