package cmd

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"testing"
)

// The lines that docs/objectives.md counts are those of the files.
func TestObjectivesPage(t *testing.T) {
	text, err := os.ReadFile("../docs/objectives.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^(\| [^|]+ \| \[[^]]+\]\(\.\./([^)]+\.go)\)) \| (\d+) \| (\d*) \|`)
	rows := row.FindAllStringSubmatch(string(text), -1)
	if len(rows) < 15 {
		t.Fatalf("%d rows of files", len(rows))
	}
	for _, r := range rows {
		file, objective := countLines(t, "../"+r[2])
		want := fmt.Sprintf("%s | %d | %s |", r[1], file, objective)
		if r[0] != want {
			t.Errorf("%s\nwant\n%s", r[0], want)
		}
	}
}

// countLines counts the lines of a method's file and of the body of its objective, "" for the
// file of a network.
func countLines(t *testing.T, path string) (file int, objective string) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	line := func(p token.Pos) int { return set.Position(p).Line }
	name := ""
	ast.Inspect(f, func(n ast.Node) bool {
		if field, ok := n.(*ast.KeyValueExpr); ok {
			if key, ok := field.Key.(*ast.Ident); ok && key.Name == "Objective" {
				name = field.Value.(*ast.Ident).Name
			}
		}
		return true
	})
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name == name {
			objective = fmt.Sprint(line(d.End()) - line(d.Pos()) - 1)
		}
	}
	return line(f.End()), objective
}
