package cmd

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// exact are the functions of package math that give the same bits on every CPU.
var exact = []string{
	"Abs", "Ceil", "Copysign", "FMA", "Float32bits", "Float32frombits", "Float64bits", "Float64frombits", "Floor", "Frexp", "Inf", "IsInf", "IsNaN",
	"Ldexp", "Max", "Min", "Mod", "Modf", "NaN", "Nextafter", "Nextafter32", "Round", "RoundToEven", "Signbit", "Sqrt", "Trunc",
}

// drawn are the methods of rand.Rand that do not: some use logarithms, the
// others draw another way where an int has 32 bits.
var drawn = []string{"ExpFloat64", "Int32N", "Int64N", "IntN", "NormFloat64", "Perm", "Shuffle", "Uint32N", "Uint64N", "UintN"}

// TestPortableCalls keeps all but pictures to package internal/portable.
func TestPortableCalls(t *testing.T) {
	pictures := regexp.MustCompile("^(evaluation/report|graph/draw|bench|examples)(/|$)")
	visitSources(t, 0, func(dir string, files *token.FileSet, file *ast.File) {
		if pictures.MatchString(dir) {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if mode, ok := n.(*ast.CallExpr); ok && len(mode.Args) == 0 {
				if f, ok := mode.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Perm" {
					return false // of a file, not of a rand.Rand
				}
			}
			call, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			of, _ := call.X.(*ast.Ident)
			inMath := of != nil && of.Name == "math" && of.Obj == nil && call.Sel.IsExported() && !isConstant(call.Sel.Name)
			switch {
			case inMath && !slices.Contains(exact, call.Sel.Name):
				t.Errorf("%v: math.%s differs between CPUs: use package internal/portable, or see whether it is exact", files.Position(call.Pos()), call.Sel.Name)
			case slices.Contains(drawn, call.Sel.Name) && !(of != nil && of.Name == "portable"):
				t.Errorf("%v: %s differs between CPUs: use package internal/portable", files.Position(call.Pos()), call.Sel.Name)
			}
			return true
		})
	})
}

// isConstant tells the constants of package math from its functions.
func isConstant(name string) bool {
	return slices.Contains([]string{"E", "Pi", "Phi", "Sqrt2", "SqrtE", "SqrtPi", "SqrtPhi", "Ln2", "Ln10", "Log2E", "Log10E"}, name) ||
		strings.HasPrefix(name, "Max") && name != "Max" || strings.HasPrefix(name, "Smallest") || strings.HasPrefix(name, "Min") && name != "Min"
}
