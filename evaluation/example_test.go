package evaluation_test

import (
	"context"
	"fmt"

	"sml/data"
	"sml/evaluation"
	"sml/models"
	_ "sml/models/methods"
	"sml/trainers"
)

// A model is trained on 200 rows, and predicts 100 others, whose targets score the predictions.
func ExamplePredict() {
	table := data.Friedman(200, 1)
	x := data.FitScalers(table.X, table.Columns, nil)
	y := data.FitScalers(table.Y, table.Targets, nil)
	spec, err := models.NewSpec("sml", nil, models.Architecture{
		Inputs:  len(table.Columns),
		Targets: len(table.Targets),
		Hidden:  []int{20, 20},
		Dropout: 0.1,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	settings := trainers.Settings{Epochs: 100, Batch: 20, LearningRate: 0.005, Seed: 1, Protocol: data.Sound}
	result, err := trainers.Train(ctx, spec, table.Subset(nil, x, y), settings, trainers.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

	heldOut := data.Friedman(100, 2)
	rows := heldOut.Subset(nil, x, y) // the scalers of the training
	predictions, err := evaluation.Predict(ctx, result.Model(spec, x, y), rows, evaluation.Sampling{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	truth := evaluation.Truth{Y: rows.Y, Columns: y}
	scores, err := evaluation.Evaluate(predictions, truth, data.Sound, []string{"rmse", "coverage90"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("RMSE %.2f in the target's unit; 90 %% intervals cover %.2f\n", scores.Original.Get("rmse"), scores.Original.Get("coverage90"))
	// Output: RMSE 2.09 in the target's unit; 90 % intervals cover 0.75
}
