package trainers_test

import (
	"context"
	"fmt"

	"sml/data"
	"sml/models"
	_ "sml/models/methods"
	"sml/trainers"
)

// A callback sees each step of a training, and ends it.
func ExampleStop() {
	table := data.Friedman(200, 1)
	x, y := data.FitScalers(table.X, table.Columns, nil), data.FitScalers(table.Y, table.Targets, nil)
	spec, err := models.NewSpec("sml", nil, models.Architecture{
		Inputs: len(table.Columns), Targets: len(table.Targets), Hidden: []int{20, 20}, Dropout: 0.1,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := trainers.Train(context.Background(), spec, table.Subset(nil, x, y), trainers.Settings{Epochs: 100, Batch: 20}, trainers.Options{
		AfterStep: func(r trainers.StepReport) error {
			if r.Step == 1 {
				fmt.Println(r.Terms[0].Name, "at a learning rate of", r.LearningRate)
			}
			if r.Step == 25 {
				return trainers.Stop("25 steps are enough")
			}
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Steps, "steps in", len(result.History.Rows), "epochs:", result.Ended[0])
	// Output:
	// regression at a learning rate of 0.001
	// 25 steps in 3 epochs: 25 steps are enough
}

// The second-moment loss on 200 rows of Friedman's function.
func ExampleTrain() {
	table := data.Friedman(200, 1)
	x, y := data.FitScalers(table.X, table.Columns, nil), data.FitScalers(table.Y, table.Targets, nil)

	spec, err := models.NewSpec("sml", nil, models.Architecture{
		Inputs: len(table.Columns), Targets: len(table.Targets), Hidden: []int{20, 20}, Dropout: 0.1,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := trainers.Train(context.Background(), spec, table.Subset(nil, x, y), trainers.Settings{
		Epochs: 100, Batch: 20, LearningRate: 0.005, Seed: 1,
	}, trainers.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.History.Columns)
	for _, epoch := range []int{1, 100} {
		row := result.History.Rows[epoch-1]
		fmt.Printf("epoch %d: loss %.2f, regression %.2f\n", row.Number, row.Values[0], row.Values[1])
	}
	model := result.Model(spec, x, y) // Save writes it
	fmt.Println(len(model.Members), "network for", model.Targets[0].Name)
	// Output:
	// [loss regression second moment sub-network]
	// epoch 1: loss 1.41, regression 0.96
	// epoch 100: loss 0.05, regression 0.02
	// 1 network for y
}
