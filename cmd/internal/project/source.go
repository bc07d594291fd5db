package project

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// moduleLine identifies the go.mod of sml.
const moduleLine = "module sml"

// BuiltFrom returns the directory of the source that this program was built from. It returns an
// error if the program does not know it, as when it was built with -trimpath, or if the
// directory is gone.
func BuiltFrom() (string, error) {
	_, thisFile, _, _ := runtime.Caller(0) // the path of this file at the time of the build
	return rootOf(thisFile)
}

// rootOf returns the root of the module sml, given the path of this file as the compiler recorded it. It
// returns an error if the path is not absolute or the module is not there.
func rootOf(file string) (string, error) {
	if !filepath.IsAbs(file) {
		return "", fmt.Errorf("this program was built without the path of its source")
	}
	root := filepath.Join(filepath.Dir(filepath.FromSlash(file)), "..", "..", "..") // from cmd/internal/project
	_, err := readSource(root)
	return root, err
}

// requirements holds go.mod and go.sum of a module.
type requirements struct{ mod, sum []byte }

// readSource reads the requirements of sml. It returns an error if the directory does not hold
// the source of sml.
func readSource(dir string) (r requirements, err error) {
	r.mod, err = os.ReadFile(filepath.Join(dir, "go.mod"))
	if err == nil {
		r.sum, err = os.ReadFile(filepath.Join(dir, "go.sum"))
	}
	switch {
	case err != nil:
		return r, fmt.Errorf("%s does not hold the source of sml: %w", dir, err)
	case !strings.HasPrefix(string(r.mod), moduleLine+"\n"):
		line, _, _ := bytes.Cut(r.mod, []byte("\n"))
		return r, fmt.Errorf("%s does not hold the source of sml: its go.mod begins with %q; want %q", dir, line, moduleLine)
	}
	return r, nil
}

// moduleFile returns the go.mod of a new module, given the go.mod of sml. The new module
// requires every module that sml requires in the same version, so that it builds with the
// modules that built sml. Its path begins with example, which Go reserves for modules without a
// server.
func moduleFile(name, source string, sml []byte) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "module example/%s\n", name)
	for line := range strings.Lines(strings.TrimPrefix(string(sml), moduleLine+"\n")) {
		line = strings.TrimRight(line, "\r\n")
		isRequirement := strings.HasPrefix(line, "\t")
		if isRequirement && !strings.HasSuffix(line, "// indirect") { // the new module does not import it itself
			line += " // indirect"
		}
		fmt.Fprintln(&out, line)
	}
	fmt.Fprintf(&out, "\nrequire sml v0.0.0\n\nreplace sml => %s\n", quote(source))
	return []byte(out.String())
}

// quote returns a path in the form of go.mod: in quotes if it has a blank, a character with a meaning in
// go.mod, or "//", which begins a comment there.
func quote(path string) string {
	isSpecial := func(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`,()[]{}\\", r) }
	if strings.ContainsFunc(path, isSpecial) || strings.Contains(path, "//") {
		return strconv.Quote(path)
	}
	return path
}
