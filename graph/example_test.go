package graph_test

import (
	"fmt"

	"sml/graph"
)

// A line fitted to two points: y = x·w + b, the mean squared error, its gradients.
func Example() {
	params := new(graph.Params)
	b := graph.New(graph.Float32, params)
	x, y := b.Input("x", 2, 1), b.Input("y", 2, 1)
	prediction := b.Linear(x, b.Param("w", 1, 1, graph.Uniform(0.5)), b.Param("b", 1, 1, graph.Uniform(0.5)))
	loss := b.MSE(prediction, y)

	r, err := graph.NewRunner(graph.Compiled, b, append(graph.Nodes{loss}, b.Gradients(loss)...)...)
	if err != nil {
		fmt.Println(err) // also of a mistake in what was built, with its line
		return
	}
	defer r.Close()
	copy(params.Float32s(), []float32{2, 1}) // w and b; or params.Initialise(seed)
	copy(r.Input("x"), []float32{1, 3})
	copy(r.Input("y"), []float32{5, 5})
	if err := r.Run(); err != nil {
		fmt.Println(err)
		return
	}
	// The residuals are 3 − 5 and 7 − 5.
	fmt.Println("loss", r.Output(0)[0])
	for i, p := range params.List() {
		fmt.Println("gradient of", p.Name, r.Output(1 + i)[0])
	}
	// Output:
	// loss 4
	// gradient of w 4
	// gradient of b 0
}

// The gradient of p·stop(p) is p, and not 2·p.
func ExampleBuilder_StopGradient() {
	params := new(graph.Params)
	b := graph.New(graph.Float32, params)
	p := b.Param("p", 1, 1, graph.Uniform(1))
	loss := b.Sum(b.Mul(p, b.StopGradient(p)))
	r, err := graph.NewRunner(graph.Compiled, b, append(graph.Nodes{loss}, b.Gradients(loss)...)...)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	params.Float32s()[0] = 3
	if err := r.Run(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Output(0)[0], r.Output(1)[0])
	// Output: 9 3
}

// A graph may be run by the compiled engine and by Gorgonia's own machine.
func ExampleNewRunner() {
	params := new(graph.Params)
	for _, engine := range graph.Engines() {
		b := graph.New(graph.Float64, params)
		p := b.Param("p", 1, 3, graph.Uniform(1))
		loss := b.Sum(b.Max(b.Pow(p, 2), b.Const(1)))
		r, err := graph.NewRunner(engine, b, append(graph.Nodes{loss}, b.Gradients(loss)...)...)
		if err != nil {
			fmt.Println(err)
			return
		}
		copy(params.Float64s(), []float64{0.5, 2, -3})
		if err := r.Run(); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(engine, r.Output64(0), r.Output64(1))
		r.Close()
	}
	// Output:
	// compiled [14] [0 4 -6]
	// tape [14] [0 4 -6]
}

// Bayesian linear regression: with prior N(0, I) of the weights and noise variance 1, the
// posterior has the precision ΦᵀΦ + I and the mean (ΦᵀΦ + I)⁻¹·Φᵀy. Features Φ may as well be
// the last hidden layer of a network.
func ExampleBuilder_Cholesky() {
	b := graph.New(graph.Float64, new(graph.Params))
	features := b.Constant(3, 2, []float64{1, 0, 1, 1, 1, 2}) // 1 and x
	y := b.Constant(3, 1, []float64{1, 3, 5})
	precision := b.Add(b.MatMul(b.Transpose(features), features), b.Identity(2))
	l := b.Cholesky(precision)
	u := b.Transpose(l)
	mean := b.SolveUpper(u, b.SolveLower(l, b.MatMul(b.Transpose(features), y)))
	covariance := b.SolveUpper(u, b.SolveLower(l, b.Identity(2)))
	r, err := graph.NewRunner(graph.Compiled, b, mean, covariance, b.LogDet(precision))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	if err := r.Run(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean %.3f\ncovariance %.3f\nlog determinant %.3f\n", r.Output64(0), r.Output64(1), r.Output64(2))
	// Output:
	// mean [1.000 1.667]
	// covariance [0.400 -0.200 -0.200 0.267]
	// log determinant [2.708]
}
