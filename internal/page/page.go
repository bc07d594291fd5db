// Package page lets tests keep sections of the documentation equal to the text that the program
// generates. Start with Section.Check. The package is for tests only.
package page

import (
	"flag"
	"os"
	"strings"
)

var update = flag.Bool("update", false, "write the generated text into the page of documentation")

// TestingT is the part of *testing.T that Check uses.
type TestingT interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
}

// Section is a generated part of a page of documentation.
type Section struct {
	Path    string // file of the page
	Begin   string // mark in the page before the section
	End     string // mark in the page after the section
	Command string // command that writes the section anew, for the error of Check
}

// Check reports an error to t unless the section's text in the page is want. With the flag -update,
// it replaces the text by want instead.
func (s Section) Check(t TestingT, want string) {
	t.Helper()
	page, err := os.ReadFile(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, hasBegin := strings.Cut(string(page), s.Begin)
	_, after, hasEnd := strings.Cut(rest, s.End)
	if !hasBegin || !hasEnd {
		t.Fatalf("%s has no section between the marks %q and %q", s.Path, s.Begin, s.End)
	}
	wantPage := before + s.Begin + want + s.End + after
	if string(page) == wantPage {
		return
	}
	if !*update {
		t.Errorf("%s differs from the generated text; write it with: %s", s.Path, s.Command)
		return
	}
	if err := os.WriteFile(s.Path, []byte(wantPage), 0o644); err != nil {
		t.Fatal(err)
	}
}
