package methods_test

import (
	"fmt"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// A method of your own can be made of the parts of built-in methods: here, an ensemble of 3
// networks that predict mean and standard deviation, trained by a likelihood without bounds.
func Example() {
	objective := func(b *graph.Builder, t *models.Task) *graph.Node {
		mean, std := methods.MeanAndStd(b, t.Forward(graph.Full))
		return t.Mean(methods.RowNLL(b, mean, std, t.Y))
	}
	models.Register(models.Method{
		Name:      "my-nll",
		Objective: objective,
		Outputs:   models.Outputs(2), // mean and standard deviation
		Predict:   methods.PredictNormal,
		Members:   3,
		Combine:   models.CombineAsNormal,
		Summary:   "ensemble of 3 networks that predict mean and standard deviation",
		Source:    "an example",
	})

	spec, err := models.NewSpec("my-nll", nil, models.Architecture{Inputs: 4, Targets: 1, Hidden: []int{10}})
	if err != nil {
		fmt.Println(err)
		return
	}
	step, err := spec.NewStep(graph.Compiled, new(graph.Params), 1) // a batch of one row
	if err != nil {
		fmt.Println(err)
		return
	}
	defer step.Close()
	clear(step.X)
	step.Y[0] = 1 // all weights are 0: the mean is 0 and the standard deviation softplus(0) = log 2
	if err := step.Run(models.Position{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("loss %.4f\n", step.Loss())
	// Output: loss 0.6742
}
