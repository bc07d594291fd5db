// Package expect has the checks of errors that tests of all packages share. Start with NoError and Error. Only tests
// import it.
package expect

import (
	"strings"
	"testing"
)

// Must returns the value of a call that prepares a test. It panics if the call failed.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// ErrorOf returns the error of a call with two results.
func ErrorOf[T any](_ T, err error) error { return err }

// NoError ends the test if err is not nil.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Error fails the test unless there is an error whose message contains all parts.
func Error(t testing.TB, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("there is no error, want one with %q", parts)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, want one with %q", err, part)
		}
	}
}

// ErrorText fails the test unless want is the whole message of err.
func ErrorText(t testing.TB, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("error %v\nwant %s", err, want)
	}
}
