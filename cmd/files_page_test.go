//go:build unix

package cmd

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sml/internal/expect"
)

// docs/reference/files.md lists the keys of model.json.
func TestFilesPage(t *testing.T) {
	want := jsonKeys(t, "../models/files.go", "description")
	want = append(want, jsonKeys(t, "../models/spec.go", "Spec")...)
	want = append(want, jsonKeys(t, "../models/model.go", "Model")...)
	_, list, _ := strings.Cut(readPage(t, "docs/reference/files.md"), "Keys of `model.json`:\n\n")
	list, _, _ = strings.Cut(list, "\n\n")
	var got []string
	for line := range strings.Lines(list) {
		keys, _, _ := strings.Cut(line, ": ")
		for _, found := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(keys, -1) {
			got = append(got, found[1])
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the page lists the keys\n%q\nof model.json; want\n%q", got, want)
	}
}

// jsonKeys returns the keys of the JSON form of a struct type, without those of embedded structs.
func jsonKeys(t *testing.T, file, typeName string) []string {
	t.Helper()
	source := expect.Must(parser.ParseFile(token.NewFileSet(), file, nil, 0))
	var keys []string
	ast.Inspect(source, func(n ast.Node) bool {
		declared, ok := n.(*ast.TypeSpec)
		if !ok || declared.Name.Name != typeName {
			return true
		}
		for _, field := range declared.Type.(*ast.StructType).Fields.List {
			if field.Tag == nil {
				continue
			}
			tag := expect.Must(strconv.Unquote(field.Tag.Value))
			key, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
			if key != "-" {
				keys = append(keys, key)
			}
		}
		return false
	})
	if len(keys) == 0 {
		t.Fatalf("%s has no struct type %s with JSON keys", file, typeName)
	}
	return keys
}
