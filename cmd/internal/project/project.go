// Package project writes a new Go module with a method of a user's own: the program sml with
// this method, a test of it, and a page with the next commands.
package project

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"

	"sml/internal/safefile"
)

// files holds the module of a method with the name placeholder, but for go.mod and go.sum. It is a
// package of sml too, so that it always compiles.
//
//go:embed template/*.go template/README.md
var files embed.FS

const (
	filesDir    = "template"
	placeholder = "my-loss"
)

// validName matches names for a method, the last element of a module's path and a program.
var validName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// CheckName returns an error unless a method, a module and a program can all have the name.
func CheckName(name string) error {
	if !validName.MatchString(name) {
		return fmt.Errorf("method name %q: want lower-case letters, digits and hyphens, with a letter first, such as my-loss", name)
	}
	return nil
}

// Write creates the directory dir with the module of a method. It builds against the source of
// sml in the directory source, an absolute path. Write returns an error if there is anything at
// dir already.
func Write(dir, name, source string) error {
	requirements, err := readSource(source)
	if err != nil {
		return err
	}
	err = safefile.WriteDir(dir, nil, func(fresh string) error {
		if err := copyFiles(fresh, name); err != nil {
			return err
		}
		if err := create(fresh, "go.mod", moduleFile(name, source, requirements.mod)); err != nil {
			return err
		}
		return create(fresh, "go.sum", requirements.sum)
	})
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already, and nothing is overwritten: name a directory that does not exist yet", dir)
	}
	return err
}

// copyFiles writes the embedded files with the name of the method.
func copyFiles(dir, name string) error {
	entries, _ := files.ReadDir(filesDir) // embedded files can always be read
	for _, e := range entries {
		text, _ := files.ReadFile(path.Join(filesDir, e.Name()))
		if err := create(dir, e.Name(), bytes.ReplaceAll(text, []byte(placeholder), []byte(name))); err != nil {
			return err
		}
	}
	return nil
}

// create writes a file of the new module.
func create(dir, name string, text []byte) error {
	return safefile.Create(filepath.Join(dir, name), safefile.WriteBytes(text))
}
