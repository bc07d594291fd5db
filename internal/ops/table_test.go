package ops_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"sml/graph"
	"sml/internal/kernels"
	"sml/internal/ops"
	"sml/internal/page"
)

// The page of operations agrees with the table. After a change of the table, go test ./internal/ops
// -update writes the page.
func TestPage(t *testing.T) {
	section := page.Section{Path: "../../docs/reference/operations.md", Name: "the table"}
	section.Check(t, pageRows())
}

// pageRows returns the generated part of the page of operations, in Markdown: the Builder's methods,
// the other operations, and the operations without vector kernels.
func pageRows() string {
	var methods, others strings.Builder
	var loops []string // operations that are loops in Go
	for _, e := range ops.Table() {
		list, name := &methods, "`"+e.Method+"`"
		if e.Method == "" {
			list, name = &others, "*"+e.Name+"*"
		}
		list.WriteString(describeOperation(name, e))
		if kernelOf(e) == "Go" {
			loops = append(loops, name)
		}
	}
	return fmt.Sprintf("\n%s\nOther operations come from Gorgonia's functions and from gradients:\n\n%s\nLoops in Go, without vector kernels, compute %s.\n\n",
		&methods, &others, strings.Join(loops, ", "))
}

// describeOperation returns the line of an operation: its name, its formula and what is special about
// its gradient.
func describeOperation(name string, e ops.Elementwise) string {
	text := fmt.Sprintf("- %s: %s", name, e.Formula)
	switch e.Gradient {
	case "":
		return text + "\n"
	case "none":
		return text + " (no gradient)\n"
	}
	return fmt.Sprintf("%s (gradient: %s)\n", text, e.Gradient)
}

// kernelOf returns how an operation is computed, in a word.
func kernelOf(e ops.Elementwise) string {
	switch {
	case !e.Defined():
		return "Gorgonia"
	case e.UnaryKernel != 0 && e.UnaryKernel.Vector(), e.BinaryKernel != 0 && e.BinaryKernel.Vector():
		return "vectors"
	}
	return "Go"
}

func TestEntries(t *testing.T) {
	names := make(map[string]bool)
	for _, e := range ops.Table() {
		if names[e.Name] {
			t.Errorf("two operations are called %q", e.Name)
		}
		names[e.Name] = true
		if _, ok := reflect.TypeFor[*graph.Builder]().MethodByName(e.Method); e.Method != "" && !ok {
			t.Errorf("%s: the Builder has no method %s", e.Name, e.Method)
		}
		if e.Formula == "" || e.UnaryKernel != 0 && e.UnaryFunc == nil || e.BinaryKernel != 0 && e.BinaryFunc == nil || e.BinaryFunc != nil && !e.HasConstant && e.BinaryKernel == 0 || (e.UnaryFunc != nil) == (e.BinaryFunc != nil) {
			t.Errorf("%s: want a formula, and a definition, with a kernel where there are two operands", e.Name)
		}
		if e.Gorgonia == "" && !e.Applies() && e.Name != "relu" {
			t.Errorf("%s is an operation neither of Gorgonia nor of this project", e.Name)
		}
	}
}

// The Builder's methods make the operations of the table that name them. ReLU is left out: it makes
// two operations.
func TestMethods(t *testing.T) {
	for _, e := range ops.Table() {
		if e.Method == "" || e.Method == "ReLU" {
			continue
		}
		b := graph.New(graph.Float32, new(graph.Params))
		in := []reflect.Value{reflect.ValueOf(b.Input("x", 2, 3))}
		switch {
		case e.HasConstant:
			in = append(in, reflect.ValueOf(2.5))
		case e.Operands() == 2:
			in = append(in, reflect.ValueOf(b.Input("y", 2, 3)))
		}
		n := reflect.ValueOf(b).MethodByName(e.Method).Call(in)[0].Interface().(*graph.Node)
		if b.Err() != nil || !ops.Is(n, e.Name) || e.HasConstant && ops.OperationOf(n).Constant != 2.5 {
			t.Errorf("%s makes %v, not %s (%v)", e.Method, n.Op(), e.Name, b.Err())
		}
	}
}

// Kernels agree with the definitions in float64, up to the rounding of float32.
func TestKernelsAgreeWithDefinitions(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	numbers := []float64{0, math.Copysign(0, -1), 1, -1, 2, -2, 0.5, -0.5, 3, 1e-30, -1e-30, inf, -inf, nan}
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		numbers = append(numbers, float64(float32(3*r.NormFloat64())))
	}
	agree := func(name string, got float32, want float64, of ...float64) {
		t.Helper()
		rounded := float64(float32(want))
		// Zeros differ in sign where a definition leaves it open; results beyond
		// float32 are infinite.
		if d := math.Abs(float64(got) - rounded); !(d <= 2e-6*math.Abs(rounded)+1e-37 || float64(got) == rounded || got != got && want != want) {
			t.Errorf("%s of %v: the kernel gives %v, the definition %v", name, of, got, want)
		}
	}
	for _, e := range ops.Table() {
		for _, x := range numbers {
			dst := []float32{0}
			if e.UnaryKernel != 0 {
				kernels.Unary(e.UnaryKernel, dst, []float32{float32(x)})
				agree(e.Name, dst[0], e.UnaryFunc(x), x)
			}
			if e.BinaryKernel == 0 {
				continue
			}
			for _, y := range numbers {
				kernels.Binary(e.BinaryKernel, dst, []float32{float32(x)}, []float32{float32(y)})
				agree(e.Name, dst[0], e.BinaryFunc(x, y), x, y)
			}
		}
	}
}
