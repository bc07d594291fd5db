// Package page is for tests that hold a page of the documentation to what a program
// finds.
package page

import (
	"flag"
	"os"
	"strings"
)

var update = flag.Bool("update", false, "write the page of documentation that is tested")

// T is what Holds needs of a *testing.T.
type T interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
}

// Holds fails the test if what a page has between two marks is not text; with -update
// it writes it there. how is the command that does so.
func Holds(t T, path, begin, end, text, how string) {
	t.Helper()
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(old), begin)
	_, after, also := strings.Cut(rest, end)
	if !ok || !also {
		t.Fatalf("%s has no place for what is found, between %q and %q", path, begin, end)
	}
	want := before + begin + text + end + after
	switch {
	case string(old) == want:
	case *update:
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not what is found: %s writes it", path, how)
	}
}
