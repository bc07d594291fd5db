package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"sml/graph"
)

// countsCalls lists the functions of Gorgonia that count their calls in a variable of the
// process, which only its drawings read: docs/explanation/gorgonia.md.
var countsCalls = []string{"Rectify", "Conv1d", "Conv2d", "MaxPool1D", "MaxPool2D", "AveragePool1D", "AveragePool2D"}

// Goroutines that build graphs at the same time, of any function of Gorgonia, find the
// values that one goroutine alone finds. The race detector watches.
func TestGraphsBuiltAtTheSameTime(t *testing.T) {
	functions := slices.DeleteFunc(gorgoniaFunctions(), func(f gorgoniaFunction) bool {
		return slices.ContainsFunc(countsCalls, func(name string) bool { return strings.HasPrefix(f.name, name) })
	})
	evaluateAll := func() (results []string) {
		for _, f := range functions {
			results = append(results, fmt.Sprintf("%s: %x", f.name, f.lossAndGradient()))
		}
		return results
	}
	want := evaluateAll()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i, got := range evaluateAll() {
				if got != want[i] {
					t.Errorf("built at the same time: %s, and alone: %s", got, want[i])
				}
			}
		})
	}
	group.Wait()
}

// lossAndGradient returns the sum of the function's values and its gradient, nil if the
// function is refused.
func (f gorgoniaFunction) lossAndGradient() (values []float64) {
	defer func() {
		if recover() != nil {
			values = nil
		}
	}()
	b, x := f.operands(graph.Float64, f.values())
	y, err := f.build(b, x)
	if err != nil {
		return nil
	}
	loss := b.Sum(y)
	if graph.Inspect(b).CheckTrainable(loss) != nil {
		return nil
	}
	r, err := graph.NewRunner(graph.Compiled, b, append(graph.Nodes{loss}, b.Grad(loss, x...)...)...)
	if err != nil {
		return nil
	}
	defer r.Close()
	if r.Run() != nil {
		return nil
	}
	for i := range 1 + len(x) {
		values = append(values, r.Output64(i)...)
	}
	return values
}
