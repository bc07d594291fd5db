package cmd

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sml/internal/expect"
)

// leaves may be imported by every package, and import none of the project's.
var leaves = []string{"internal/expect", "internal/linear", "internal/portable", "internal/registry", "internal/rowset", "internal/statistics", "internal/strict", "internal/texts"}

// knows lists the packages of the project that each package may import besides leaves and its own
// internal packages. Other internal packages may import the same as their parents.
var knows = map[string][]string{
	"data":                          {"internal/safefile"},
	"data/read":                     {"data", "data/internal/broken", "data/internal/pages", "data/internal/xlsx"},
	"data/split":                    {"data"},
	"data/write":                    {"data"},
	"internal/safefile":             {},
	"internal/safetensors":          {},
	"internal/kernels":              {},
	"internal/ops":                  {"internal/kernels", "internal/page"},
	"internal/newton":               {},
	"internal/page":                 {},
	"data/preparation":              {"data", "data/read"},
	"data/fetch":                    {"data", "data/internal/broken", "data/internal/xlsx", "data/read", "data/write", "internal/safefile"},
	"graph":                         {"internal/kernels", "internal/ops"},
	"graph/gradcheck":               {"graph"},
	"graph/draw":                    {"graph", "internal/ops"},
	"evaluation/export/onnx":        {"graph", "internal/ops", "evaluation/export/onnx"},
	"evaluation/export/onnx/ort":    {},
	"models":                        {"models/distribution", "data", "graph", "internal/safefile", "internal/safetensors"},
	"models/distribution":           {"graph"},
	"models/networks":               {"models", "graph"},
	"models/methods":                {"models/distribution", "models", "models/networks", "graph"},
	"trainers":                      {"internal/kernels", "trainers/optimizer", "models", "graph", "data", "internal/safefile", "internal/safetensors"},
	"trainers/optimizer":            {"internal/kernels", "models", "graph"},
	"trainers/check":                {"evaluation", "models/distribution", "internal/kernels", "trainers", "models", "graph", "graph/gradcheck", "data"},
	"evaluation":                    {"models/distribution", "internal/kernels", "models", "graph", "data", "evaluation/measure"},
	"evaluation/measure":            {"models/distribution", "data"},
	"evaluation/paired":             {"evaluation/measure"},
	"evaluation/baseline":           {"models/distribution", "data", "evaluation/measure", "internal/newton"},
	"evaluation/calibrate":          {"data/read", "models/distribution", "models", "evaluation", "evaluation/measure"},
	"evaluation/shift":              {"models", "internal/newton"},
	"evaluation/experiment":         {"evaluation/shift", "models/distribution", "data", "data/read", "data/split", "data/preparation", "graph", "models", "models/methods", "trainers", "trainers/optimizer", "evaluation", "evaluation/baseline", "evaluation/calibrate", "evaluation/measure"},
	"evaluation/export":             {"models/distribution", "data", "data/preparation", "graph", "evaluation/export/onnx", "models", "evaluation", "evaluation/calibrate", "evaluation/experiment", "evaluation/measure"},
	"evaluation/predicted":          {"data", "data/read", "evaluation/measure", "models", "models/distribution"},
	"evaluation/study":              {"data/write", "evaluation/predicted", "models/distribution", "data", "data/read", "data/split", "data/preparation", "internal/safefile", "graph", "models", "trainers", "evaluation", "evaluation/calibrate", "evaluation/measure", "evaluation/experiment"},
	"evaluation/study/tune":         {"data", "data/split", "internal/safefile", "graph", "models", "evaluation/measure", "evaluation/experiment", "evaluation/study"},
	"evaluation/explain":            {"models/distribution", "data", "models", "evaluation", "evaluation/measure", "evaluation/experiment"},
	"cmd/internal/cluster":          {"evaluation/study"},
	"cmd/internal/mlflow":           {"internal/safefile"},
	"cmd/internal/project":          {"internal/safefile"},
	"cmd/internal/project/template": {"cmd", "graph", "models", "models/distribution", "models/methods"},
	"cmd/internal/summary":          {"data"},
	"evaluation/report/chart":       {"evaluation"},
	"evaluation/report":             {"models/distribution", "models", "data", "data/preparation", "data/split", "evaluation", "evaluation/experiment", "evaluation/explain", "evaluation/measure", "evaluation/paired", "evaluation/study", "evaluation/report/chart"},
	"evaluation/report/paper":       {"data", "models", "trainers", "evaluation", "evaluation/measure", "evaluation/predicted", "evaluation/experiment", "evaluation/study", "evaluation/report/chart", "evaluation/report"},
	"cmd":                           {"data/write", "evaluation/predicted", "evaluation/shift", "models/distribution", "evaluation/baseline", "evaluation/paired", "internal/kernels", "data/fetch", "data/preparation", "models/methods", "evaluation/calibrate", "evaluation/measure", "evaluation/experiment", "evaluation/explain", "evaluation/export", "evaluation/report/paper", "evaluation/study", "evaluation/study/tune", "trainers/optimizer", "trainers/check", "graph/draw", "data", "data/read", "data/split", "internal/safefile", "graph", "models", "trainers", "evaluation", "evaluation/report/chart", "evaluation/report"},
	"cmd/sml":                       {"cmd"},
}

// foreign lists packages that only some rooms may import.
var foreign = map[string][]string{
	"gorgonia.org/":           {"graph", "internal/ops", "evaluation/export/onnx"},
	"github.com/urfave/":      {"cmd"},
	"gonum.org/v1/":           {"data/split", "evaluation/report/chart", "evaluation/report", "evaluation/report/paper"},
	"gonum.org/v1/gonum/stat": {"evaluation/report", "evaluation/report/chart", "evaluation/report/paper"}, // its sums are in another order on other CPUs
	"os/exec":                 {"evaluation/export/onnx/ort", "cmd/internal/cluster"},                      // for tests; a cluster's own programs
	"google.golang.org/":      {"evaluation/export/onnx"},
	"net/http":                {"data/fetch"},
	"golang.org/x/sys/":       {"internal/kernels", "internal/safefile"},
	"github.com/schollz/":     {"cmd"},
	"github.com/jedib0t/":     {"cmd"},
}

func TestImportOrder(t *testing.T) {
	visitSources(t, parser.ImportsOnly, func(from string, _ *token.FileSet, file *ast.File) {
		for _, spec := range file.Imports {
			checkImport(t, from, expect.Must(strconv.Unquote(spec.Path.Value)))
		}
	})
}

// visitSources parses every file of the module but tests, and calls visit with its directory below the root.
func visitSources(t *testing.T, mode parser.Mode, visit func(dir string, files *token.FileSet, file *ast.File)) {
	t.Helper()
	root := ".."
	expect.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || hasOwnModule(path)) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, mode)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		visit(filepath.ToSlash(dir), files, file)
		return err
	}))
}

func hasOwnModule(dir string) bool {
	matches, err := filepath.Glob(filepath.Join(dir, "go.mod"))
	return err == nil && len(matches) > 0
}

func checkImport(t *testing.T, from, imported string) {
	t.Helper()
	room := from
	if _, listed := knows[from]; !listed {
		room, _, _ = strings.Cut(from, "/internal/")
	}
	if room == "bench" || strings.HasPrefix(room, "bench/") || strings.HasPrefix(room, "examples/") {
		return // these know everything
	}
	allowed, known := knows[room]
	if !known && !slices.Contains(leaves, room) {
		t.Errorf("package %s is in none of the rooms", from)
	}
	if own, ok := strings.CutPrefix(imported, "sml/"); ok {
		if strings.HasPrefix(room, "internal/") && !strings.HasPrefix(own, "internal/") {
			t.Errorf("%s imports %s: internal is below all other packages", from, own)
		}
		inside := strings.HasPrefix(own, room+"/internal/")
		if !inside && !slices.Contains(allowed, own) && (!known || !slices.Contains(leaves, own)) {
			t.Errorf("%s imports %s: it may know %v and the leaves %v", from, own, allowed, leaves)
		}
	}
	for prefix, rooms := range foreign {
		if strings.HasPrefix(imported, prefix) && !slices.Contains(rooms, room) {
			t.Errorf("%s imports %s, which belongs to %v", from, imported, rooms)
		}
	}
}
