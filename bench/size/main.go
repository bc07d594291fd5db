// Size prints each room of the project beside its target in CONTRIBUTING.md: lines of code and of comments,
// exported names and types. It skips tests and generated files. "make size" runs it.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/tabwriter"
)

// room is a folder of the project with all its subfolders, except for those that are rooms themselves.
type room struct {
	folder, target                  string
	code, comments, exported, types int
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
}

func run() error {
	rooms, err := readRooms("CONTRIBUTING.md")
	if err != nil {
		return err
	}
	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		isCode := strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !strings.Contains(path, "testdata")
		if err != nil || !isCode {
			return err
		}
		return roomOf(rooms, filepath.ToSlash(path)).addFile(path)
	})
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "room\tcode\ttarget\tcomments\texported\ttypes\t")
	sum := room{folder: "all", target: "64,000"}
	for _, r := range rooms {
		fmt.Fprintf(table, "%s\t%d\t%s\t%d\t%d\t%d\t\n", r.folder, r.code, r.target, r.comments, r.exported, r.types)
		sum.code += r.code
		sum.comments += r.comments
		sum.exported += r.exported
		sum.types += r.types
	}
	fmt.Fprintf(table, "%s\t%d\t%s\t%d\t%d\t%d\t\n", sum.folder, sum.code, sum.target, sum.comments, sum.exported, sum.types)
	return table.Flush()
}

// readRooms returns the rooms of the table in a page, and one for everything else.
func readRooms(page string) ([]*room, error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	var rooms []*room
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([\\d,]+) \\|$").FindAllStringSubmatch(string(text), -1) {
		rooms = append(rooms, &room{folder: row[1], target: row[2]})
	}
	if len(rooms) == 0 {
		return nil, fmt.Errorf("%s has no table of rooms and targets", page)
	}
	return append(rooms, &room{folder: ".", target: "0"}), nil
}

// roomOf returns the innermost room that contains the file. The last room contains every file.
func roomOf(rooms []*room, path string) *room {
	found := rooms[len(rooms)-1]
	for _, r := range rooms[:len(rooms)-1] {
		isLonger := found.folder == "." || len(r.folder) > len(found.folder)
		if strings.HasPrefix(path, r.folder+"/") && isLonger {
			found = r
		}
	}
	return found
}

// addFile counts a file.
func (r *room) addFile(path string) error {
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.ParseComments)
	if err != nil {
		return err
	}
	if ast.IsGenerated(file) {
		return nil
	}
	for line := range strings.Lines(string(source)) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "//"):
			r.comments++
		case line != "":
			r.code++
		}
	}
	for _, declaration := range file.Decls {
		r.addNames(declaration)
	}
	return nil
}

// addNames counts the names that a declaration declares, but methods.
func (r *room) addNames(declaration ast.Decl) {
	var names []*ast.Ident
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				r.types++
				names = append(names, s.Name)
			case *ast.ValueSpec:
				names = append(names, s.Names...)
			}
		}
	}
	for _, name := range names {
		if name.IsExported() {
			r.exported++
		}
	}
}
