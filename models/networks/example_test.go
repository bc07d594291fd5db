package networks_test

import (
	"fmt"

	"sml/graph"
	"sml/models"
	_ "sml/models/methods"
	"sml/models/networks"
)

// A network is a function of the inputs, made of layers. Once it is registered any
// method trains it; Architecture.Drop is heeded by the MLP within.
func Example() {
	wideAndDeep := func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
		deep := networks.MLP(b, x, a)
		return func(pass graph.Pass) *graph.Node {
			return b.Add(networks.Dense(b, "wide", x, a.Outputs), deep(pass))
		}
	}
	models.RegisterNetwork(models.Network{
		Name: "wide-and-deep", Summary: "a linear model beside an MLP", Source: "Cheng et al. 2016",
		Activations: networks.Activations(),
		Build:       wideAndDeep,
	})

	spec, err := models.NewSpec("sml", nil, models.Architecture{Network: "wide-and-deep", Inputs: 4, Targets: 1, Hidden: []int{10}, Dropout: 0.1})
	if err != nil {
		fmt.Println(err)
		return
	}
	params, err := spec.NewParams(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range params.List() {
		fmt.Println(p.Name, p.Rows, p.Columns)
	}
	// Output:
	// wide.weight 4 1
	// wide.bias 1 1
	// hidden1.weight 4 10
	// hidden1.bias 1 10
	// output.weight 10 1
	// output.bias 1 1
}
