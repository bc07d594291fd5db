package ops

import (
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// init makes Gorgonia store the hashes of its shared constants. Gorgonia keeps one node for each of
// the constants 0, 1, 2, 3 and log 2, in each number type. It puts copies of them into graphs, and
// stores the hash of the original at the first use. These stores would be data races if two
// goroutines built graphs at the same time.
func init() {
	for _, dtype := range []tensor.Dtype{tensor.Float32, tensor.Float64} {
		useConstants(dtype, gorgonia.Rectify) // 0, in its value
		useConstants(dtype, gorgonia.Log1p)   // 1, in its derivative
		useConstants(dtype, gorgonia.Square)  // 2, in its derivative
		useConstants(dtype, gorgonia.Cube)    // 3, in its derivative
		useConstants(dtype, gorgonia.Log2)    // log 2, in its derivative
	}
}

// useConstants builds f(x) and its derivative in a graph that is not used further, which makes Gorgonia
// store the hashes of the constants in both.
func useConstants(dtype tensor.Dtype, f func(x *gorgonia.Node) (*gorgonia.Node, error)) {
	x := gorgonia.NewScalar(gorgonia.NewGraph(), dtype, gorgonia.WithName("x"))
	y := gorgonia.Must(f(x))
	op, hasDerivative := y.Op().(gorgonia.SDOp)
	if !hasDerivative || y.Op().Arity() != 1 { // Rectify is a product of two nodes
		return
	}
	if _, err := op.SymDiff(gorgonia.Nodes{x}, y, x); err != nil {
		panic(err)
	}
}
