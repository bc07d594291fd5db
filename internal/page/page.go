// Package page lets tests keep sections of the documentation equal to the text that the program
// generates. Start with Section.Check. The package is for tests only.
package page

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

var update = flag.Bool("update", false, "write the generated text into the page of documentation")

// TestingT is the part of *testing.T that Check uses.
type TestingT interface {
	Helper()
	Name() string
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
}

// Section is a generated part of a page of documentation. In the page it stands between the lines
// "<!-- NAME -->" and "<!-- end of NAME -->".
type Section struct {
	Path string // file of the page, relative to the folder of the test: "../", once or more, and its path in the module
	Name string // such as "the methods"
}

// Check reports an error to t unless the section's text in the page is want. With the flag -update,
// it replaces the text by want instead.
func (s Section) Check(t TestingT, want string) {
	t.Helper()
	page, err := os.ReadFile(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	begin := "<!-- " + s.Name + " -->\n"
	end := "<!-- end of " + s.Name + " -->\n"
	before, rest, hasBegin := strings.Cut(string(page), begin)
	_, after, hasEnd := strings.Cut(rest, end)
	if !hasBegin || !hasEnd {
		t.Fatalf("%s has no section between the lines %q and %q", s.Path, begin, end)
	}
	wantPage := before + begin + want + end + after
	if string(page) == wantPage {
		return
	}
	if !*update {
		t.Errorf("%s differs from the generated text; write it with: go test %s -run '^%s$' -update", s.Path, s.testPackage(), t.Name())
		return
	}
	if err := os.WriteFile(s.Path, []byte(wantPage), 0o644); err != nil {
		t.Fatal(err)
	}
}

// testPackage returns the package of the running test as an argument of "go test", such as "./cmd".
func (s Section) testPackage() string {
	folder, err := os.Getwd() // tests run in the folder of their package
	if err != nil {
		return "."
	}
	module := filepath.Join(folder, strings.Repeat("../", strings.Count(s.Path, "../")))
	path, err := filepath.Rel(module, folder)
	if err != nil {
		return "."
	}
	return fmt.Sprint("./", filepath.ToSlash(path))
}
