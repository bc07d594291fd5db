package project

import (
	"runtime"
	"strings"
	"testing"

	"sml/internal/expect"
)

func TestRootOf(t *testing.T) {
	_, file, _, _ := runtime.Caller(0)
	if root, err := rootOf(file); err != nil || !strings.HasPrefix(file, root) {
		t.Errorf("the root of %s is %q, %v", file, root, err)
	}
	for _, c := range map[string]struct{ file, want string }{
		"built with -trimpath": {"sml/cmd/internal/project/source.go", "without the path of its source"},
		"moved":                {"/nowhere/cmd/internal/project/source.go", "/nowhere does not hold the source of sml"},
	} {
		expect.Error(t, expect.ErrorOf(rootOf(c.file)), c.want)
	}
}

func TestModuleFile(t *testing.T) {
	got := string(moduleFile("my-loss", "/a b/sml", []byte("module sml\n\ngo 1.26.0\n\nrequire (\n\tx.test/a v1.0.0\n\tx.test/b v1.1.0 // indirect\n)\n")))
	want := `module example/my-loss

go 1.26.0

require (
	x.test/a v1.0.0 // indirect
	x.test/b v1.1.0 // indirect
)

require sml v0.0.0

replace sml => "/a b/sml"
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestCheckName(t *testing.T) {
	for _, name := range []string{"a", "my-loss", "loss2"} {
		if err := CheckName(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"", "My", "2nd", "-x", "a b", "a/b", "a_b", "β"} {
		if CheckName(name) == nil {
			t.Errorf("%q is taken as a name", name)
		}
	}
}
