package gradcheck_test

import (
	"fmt"

	"sml/graph"
	"sml/graph/gradcheck"
)

// Check compares the gradients of an objective with finite differences, on every engine.
func ExampleCheck() {
	objective := func(b *graph.Builder) *graph.Node {
		x := b.Input("x", 20, 3)
		y := b.Input("y", 20, 1)
		w := b.Param("w", 3, 1, graph.Uniform(1))
		return b.MSE(b.Tanh(b.MatMul(x, w)), y)
	}
	gradients, err := gradcheck.Check(objective, gradcheck.Settings{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range gradients {
		fmt.Println(g.Name, g.Error < 1e-6)
	}
	// Output: w true
}
