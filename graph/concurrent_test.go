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
		return f.refused || slices.ContainsFunc(countsCalls, func(name string) bool { return strings.HasPrefix(f.name, name) })
	})
	evaluateAll := func() (results []string) {
		for _, f := range functions {
			for _, gradient := range []bool{false, true} {
				values, _, _, _ := f.run(graph.Compiled, graph.Float64, gradient)
				results = append(results, fmt.Sprintf("%s: %x", f.name, values))
			}
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
