// Package broken turns panics of file readers into errors, because some libraries panic on
// files that contradict themselves. Defer Recover around each call of such a library. The
// package guards single calls: it is no general recovery of a goroutine.
package broken

import "fmt"

// Recover stores explain(e) in *err if the surrounding function panics; the error e has the
// text of the panic's value. Without a panic it does nothing. Recover must be deferred.
func Recover(err *error, explain func(error) error) {
	if value := recover(); value != nil {
		*err = explain(fmt.Errorf("%v", value))
	}
}
