package graph_test

import (
	"fmt"
	"slices"
	"strings"

	"sml/graph"
)

// This program computes the mean squared error of a line y = x·w + b at two points, and its gradients.
func Example() {
	params := new(graph.Params)
	b := graph.New(graph.Float32, params)
	x, y := b.Input("x", 2, 1), b.Input("y", 2, 1)
	prediction := b.Linear(x, b.Param("w", 1, 1, graph.Uniform(0.5)), b.Param("b", 1, 1, graph.Uniform(0.5)))
	loss := b.MSE(prediction, y)

	r, err := graph.NewRunner(graph.Compiled, b, append(graph.Nodes{loss}, b.Gradients(loss)...)...)
	if err != nil {
		fmt.Println(err) // the builder's first error, too, with its line
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

// No gradient flows through a StopGradient: the gradient of p·StopGradient(p) is p, not 2·p.
// The helper runOnce runs a graph and returns the values of a node.
func ExampleBuilder_StopGradient() {
	b := graph.New(graph.Float64, new(graph.Params))
	p := b.Constant(1, 1, []float64{3})
	product := b.Sum(b.Mul(p, b.StopGradient(p)))
	fmt.Println(runOnce(b, product), runOnce(b, b.Grad(product, p)[0]))
	// Output: [9] [3]
}

// Both engines run the same graphs: the compiled engine and, as a reference, Gorgonia's tape machine.
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

// This program solves a Bayesian linear regression. For weights with the prior N(0, I) and noise of
// variance 1, the posterior has the precision ΦᵀΦ + I and the mean (ΦᵀΦ + I)⁻¹·Φᵀy. The features Φ can
// also be the last hidden layer of a network. The helper runOnce runs a graph and returns the values of a node.
func ExampleBuilder_Cholesky() {
	b := graph.New(graph.Float64, new(graph.Params))
	features := b.Constant(3, 2, []float64{1, 0, 1, 1, 1, 2}) // 1 and x
	y := b.Constant(3, 1, []float64{1, 3, 5})
	precision := b.Add(b.MatMul(b.Transpose(features), features), b.Identity(2))
	l := b.Cholesky(precision)
	u := b.Transpose(l)
	mean := b.SolveUpper(u, b.SolveLower(l, b.MatMul(b.Transpose(features), y)))
	covariance := b.SolveUpper(u, b.SolveLower(l, b.Identity(2)))
	fmt.Printf("mean %.3f\n", runOnce(b, mean))
	fmt.Printf("covariance %.3f\n", runOnce(b, covariance))
	fmt.Printf("log determinant %.3f\n", runOnce(b, b.LogDet(precision)))
	// Output:
	// mean [1.000 1.667]
	// covariance [0.400 -0.200 -0.200 0.267]
	// log determinant [2.708]
}

// runOnce returns the values of a node after one run of the graph. Examples use it.
func runOnce(b *graph.Builder, n *graph.Node) []float64 {
	r, err := graph.NewRunner(graph.Compiled, b, n)
	if err != nil {
		fmt.Println(err)
		return nil
	}
	defer r.Close()
	r.SampleMasks(graph.MaskKey{Seed: 1})
	if err := r.Run(); err != nil {
		fmt.Println(err)
		return nil
	}
	return r.Output64(0)
}

// A mistake does not stop the building of a graph. The builder keeps the first error, with the line
// of the call.
func ExampleBuilder_Err() {
	b := graph.New(graph.Float32, new(graph.Params))
	prediction := b.Input("prediction", 100, 1)
	target := b.Input("target", 1, 100)
	b.Mean(b.Square(b.Sub(prediction, target)))
	message, _, _ := strings.Cut(b.Err().Error(), ":")
	fmt.Println(message)
	// Output: Sub([100 1], [1 100])
}

// Grad differentiates with respect to any nodes, and its results can be differentiated again. The helper runOnce
// runs a graph and returns the values of a node.
func ExampleBuilder_Grad() {
	b := graph.New(graph.Float64, new(graph.Params))
	x := b.Constant(1, 2, []float64{1, 3})
	y := b.Sum(b.Pow(x, 3))
	slope := b.Grad(y, x)[0]                // 3x²
	curvature := b.Grad(b.Sum(slope), x)[0] // 6x
	fmt.Println(runOnce(b, slope))
	fmt.Println(runOnce(b, curvature))
	// Output:
	// [3 27]
	// [6 18]
}

// Each unit is dropped with probability ½, and the other units are doubled. The masks follow from
// the MaskKey alone. The helper runOnce runs a graph with one MaskKey.
func ExampleBuilder_Dropout() {
	b := graph.New(graph.Float64, new(graph.Params))
	x := b.Constant(1, 8, []float64{1, 2, 3, 4, 5, 6, 7, 8})
	fmt.Println(runOnce(b, b.Dropout(x, graph.Full, 0, 0.5)))
	fmt.Println(runOnce(b, b.Dropout(x, graph.Drop(0), 0, 0.5)))
	fmt.Println(runOnce(b, b.Dropout(x, graph.Drop(1), 0, 0.5)))
	// Output:
	// [1 2 3 4 5 6 7 8]
	// [2 4 6 0 0 0 0 0]
	// [0 4 6 8 10 12 14 16]
}

// WeightedSum adds the terms of an objective. A training logs each of them by its name.
func ExampleBuilder_WeightedSum() {
	b := graph.New(graph.Float64, new(graph.Params))
	prediction := b.Constant(2, 1, []float64{1, 4})
	target := b.Constant(2, 1, []float64{1, 2})
	loss := b.WeightedSum(
		graph.Term{Name: "error", Weight: 1, Value: b.MSE(prediction, target)},
		graph.Term{Name: "size", Weight: 0.1, Value: b.Sum(b.Square(prediction))},
	)
	fmt.Println(runOnce(b, loss))
	// Output: [3.7]
}

// A scope puts a prefix before the names of its parameters, and sets their learning rate and group.
func ExampleBuilder_Within() {
	params := new(graph.Params)
	b := graph.New(graph.Float32, params)
	b.Within(graph.Scope{Prefix: "critic.", Rate: 0.1, Group: "critic"}, func() {
		b.Weight("w", 13, 50, graph.Normal(0.1))
	})
	for _, p := range params.List() {
		fmt.Println(p.Name, p.Rows, p.Columns, p.Init, p.Rate, p.Group)
	}
	// Output: critic.w 13 50 Normal(0.1) 0.1 critic
}

// Inspect describes a graph that others have built, here its random numbers.
func ExampleInspect() {
	b := graph.New(graph.Float32, new(graph.Params))
	x := b.Dropout(b.Input("x", 100, 13), graph.Drop(0), 1, 0.25)
	b.Add(x, b.Normal(graph.Noise{Stream: 7}, 100, 13))
	fmt.Println(graph.Inspect(b).Inputs())
	for _, d := range graph.Inspect(b).Draws() {
		fmt.Println(d.Kind, d.Layer, d.Keep)
	}
	// Output:
	// [x]
	// dropout 1 0.75
	// normal 7 0
}

// A sampler draws many sub-networks of the same input. Rerun repeats only the calculations that
// depend on masks.
func ExampleNewSampler() {
	b := graph.New(graph.Float64, new(graph.Params))
	x := b.Constant(1, 1000, slices.Repeat([]float64{1}, 1000))
	r, err := graph.NewSampler(graph.Compiled, b, b.Mean(b.Dropout(x, graph.Drop(0), 0, 0.5)))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	r.SampleMasks(graph.MaskKey{Seed: 1})
	if err := r.Run(); err != nil {
		fmt.Println(err)
		return
	}
	for step := range 3 {
		r.SampleMasks(graph.MaskKey{Seed: 1, Step: uint32(step)})
		if err := r.Rerun(); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.3f\n", r.Output64(0)[0])
	}
	// Output:
	// 1.022
	// 1.034
	// 0.966
}
