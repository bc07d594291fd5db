package models_test

import (
	"fmt"
	"math"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// A method is an objective, written as a function of the graph, and a predictor.
func ExampleRegister() {
	// logCosh is the mean of log cosh(f − y) = |f − y| + softplus(−2|f − y|) − log 2.
	logCosh := func(b *graph.Builder, t *models.Task) *graph.Node {
		size := b.Abs(b.Sub(t.Forward(graph.Full), t.Y))
		return t.Mean(b.Shift(b.Add(size, b.Softplus(b.Scale(-2, size))), -math.Ln2))
	}
	models.Register(models.Method{
		Name: "log-cosh", Summary: "an ensemble of 3, trained by log cosh of the error", Source: "an example",
		Objective: logCosh,
		Predict:   methods.PredictFullNetwork,
		Members:   3,
		Combine:   models.CombineByFamily,
	})

	spec, err := models.NewSpec("log-cosh", nil, models.Architecture{Inputs: 4, Targets: 1, Hidden: []int{10}})
	if err != nil {
		fmt.Println(err)
		return
	}
	step, err := spec.NewStep(graph.Compiled, new(graph.Params), 1) // what a training runs, for a batch of one row
	if err != nil {
		fmt.Println(err)
		return
	}
	defer step.Close()
	clear(step.X)
	step.Y[0] = 2 // weights that are not drawn yet are 0, and so is the network's output
	if err := step.Run(models.Position{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("log cosh 2 = %.4f, gradient of %d weights\n", step.Loss(), len(step.Gradient()))
	// Output: log cosh 2 = 1.3250, gradient of 61 weights
}
