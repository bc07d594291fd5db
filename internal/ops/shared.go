package ops

import (
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Gorgonia keeps one node for each of the constants 0, 1, 2, 3 and log 2, in each number
// type. Its functions and derivatives put copies of them into graphs, and store the hash of
// the original at the first use. These stores would be data races if two goroutines built
// graphs at the same time, so init makes all of them.
func init() {
	for _, dtype := range []tensor.Dtype{tensor.Float32, tensor.Float64} {
		for _, op := range []func(x *gorgonia.Node) (*gorgonia.Node, error){
			gorgonia.Rectify, // 0, in the function; the derivatives of the others have:
			gorgonia.Log1p,   // 1
			gorgonia.Square,  // 2
			gorgonia.Cube,    // 3
			gorgonia.Log2,    // log 2
		} {
			x := gorgonia.NewScalar(gorgonia.NewGraph(), dtype, gorgonia.WithName("x"))
			y := gorgonia.Must(op(x))
			if d, ok := y.Op().(gorgonia.SDOp); ok && y.Op().Arity() == 1 {
				if _, err := d.SymDiff(gorgonia.Nodes{x}, y, x); err != nil {
					panic(err)
				}
			}
		}
	}
}
