package cmd

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/internal/expect"
)

// backwardAllowed is the maximum number of backward calls in each package whose files call each
// other in circles. All other packages must have none. Lower a number when its package gets
// fewer.
var backwardAllowed = map[string]int{
	"graph/internal/engine": 3,
	"internal/kernels":      3,
	"internal/ops":          3,
}

// The files of a package call each other in one direction: some order exists such that each file
// calls only later files.
func TestFilesCallInOneDirection(t *testing.T) {
	skipIfShort(t)
	listed := goList[listedPackage](t, nil, "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles", "./...") // with all imported packages
	exports := make(map[string]string)
	for _, p := range listed {
		exports[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range listed {
		name, own := strings.CutPrefix(p.ImportPath, "sml/")
		if !own {
			continue
		}
		backward := backwardCalls(t, p, fset, imports)
		if allowed := backwardAllowed[name]; len(backward) > allowed {
			t.Errorf("%s: %d calls between files run backwards, at most %d may: %v", name, len(backward), allowed, backward)
		}
	}
}

// listedPackage is a package as "go list" describes it.
type listedPackage struct {
	ImportPath string
	Dir        string
	Export     string // file of the compiled package's exported types
	GoFiles    []string
}

// fileCall is a call from a file to a function or method in another file.
type fileCall struct{ from, to string }

// backwardCalls returns the calls between files of a package that run backwards in the best
// order found.
func backwardCalls(t *testing.T, p listedPackage, fset *token.FileSet, imports types.Importer) []fileCall {
	t.Helper()
	var files []*ast.File
	for _, name := range p.GoFiles {
		file := expect.Must(parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution))
		files = append(files, file)
	}
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	config := types.Config{Importer: imports}
	checked := expect.Must(config.Check(p.ImportPath, fset, files, info))
	var calls []fileCall
	fileOf := func(at token.Pos) string { return filepath.Base(fset.Position(at).Filename) }
	for id, used := range info.Uses {
		function, ok := used.(*types.Func)
		if !ok || function.Pkg() != checked || isInterfaceMethod(function) {
			continue
		}
		if c := (fileCall{fileOf(id.Pos()), fileOf(function.Pos())}); c.from != c.to && !slices.Contains(calls, c) {
			calls = append(calls, c)
		}
	}
	return callsAgainst(calls, improveOrder(calls, callersFirst(calls)))
}

func isInterfaceMethod(f *types.Func) bool {
	receiver := f.Signature().Recv()
	return receiver != nil && types.IsInterface(receiver.Type())
}

// callersFirst orders files so that callers come before the files they call: it repeatedly takes
// the file with the fewest remaining callers. No call runs backwards in this order if no files
// call each other in circles.
func callersFirst(calls []fileCall) []string {
	callers := make(map[string]int)
	for _, c := range calls {
		callers[c.from] += 0
		callers[c.to]++
	}
	var order []string
	for len(callers) > 0 {
		next := ""
		for file, n := range callers {
			if next == "" || n < callers[next] || n == callers[next] && file < next {
				next = file
			}
		}
		for _, c := range calls {
			if _, left := callers[c.to]; c.from == next && left {
				callers[c.to]--
			}
		}
		delete(callers, next)
		order = append(order, next)
	}
	return order
}

// improveOrder moves one file at a time to a better place, until no move helps.
func improveOrder(calls []fileCall, order []string) []string {
	least := len(callsAgainst(calls, order))
	for improved := least > 0; improved; {
		improved = false
		for i := range order {
			for j := range order {
				moved := slices.Insert(slices.Delete(slices.Clone(order), i, i+1), j, order[i])
				if n := len(callsAgainst(calls, moved)); n < least {
					least, order, improved = n, moved, true
				}
			}
		}
	}
	return order
}

// callsAgainst returns the calls from a file to an earlier file in an order.
func callsAgainst(calls []fileCall, order []string) []fileCall {
	place := make(map[string]int)
	for i, file := range order {
		place[file] = i
	}
	var backward []fileCall
	for _, c := range calls {
		if place[c.from] > place[c.to] {
			backward = append(backward, c)
		}
	}
	return backward
}
