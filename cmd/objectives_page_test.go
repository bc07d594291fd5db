package cmd

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The lines that docs/objectives.md counts are those of the files.
func TestObjectivesPage(t *testing.T) {
	text, err := os.ReadFile("../docs/objectives.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^(\| [^|]+ \| \[[^]]+\]\(\.\./([^)]+\.go)\)) \| (\d+) \| (\d+) \| (\d*) \|`)
	rows := row.FindAllStringSubmatch(string(text), -1)
	if len(rows) < 15 {
		t.Fatalf("%d rows of files", len(rows))
	}
	for _, r := range rows {
		file, export, objective := linesOf(t, "../"+r[2])
		want := fmt.Sprintf("%s | %d | %d | %s |", r[1], file, file-export, objective)
		if r[0] != want {
			t.Errorf("%s\nwant\n%s", r[0], want)
		}
	}
}

// linesOf counts the lines of a method's file, those that are for files of other runtimes
// alone, and those within the function of its objective, none in that of a network.
func linesOf(t *testing.T, path string) (file, export int, objective string) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	line := func(p token.Pos) int { return set.Position(p).Line }
	name := ""
	ast.Inspect(f, func(n ast.Node) bool {
		if field, ok := n.(*ast.KeyValueExpr); ok {
			switch key, _ := field.Key.(*ast.Ident); {
			case key == nil:
			case key.Name == "PredictGraph" || key.Name == "CombineGraph":
				export += line(field.End()) - line(field.Pos()) + 1
			case key.Name == "Objective":
				name = field.Value.(*ast.Ident).Name
			}
		}
		return true
	})
	for _, d := range f.Decls {
		switch d, ok := d.(*ast.FuncDecl); {
		case !ok:
		case d.Name.Name == name:
			objective = fmt.Sprint(line(d.End()) - line(d.Pos()) - 1)
		case strings.HasSuffix(d.Name.Name, "Graph"):
			export += line(d.End()) - line(d.Doc.Pos()) + 2 // with the blank line before
		}
	}
	return line(f.End()), export, objective
}
