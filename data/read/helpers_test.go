package read

import (
	"strings"
	"testing"
)

// must returns value. It panics if err is not nil, since the test cannot go on without the value.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// noError ends the test if err is not nil.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// checkErrorContains reports an error unless err contains want.
func checkErrorContains(t testing.TB, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
}

// checkErrorIs reports an error unless want is the whole text of err.
func checkErrorIs(t testing.TB, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("error %v\nwant %s", err, want)
	}
}
