package experiment_test

import (
	"context"
	"fmt"
	"log"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/models"
	"sml/trainers"
)

// A fold of a table is held out, a network trained on the others, and judged on it.
func Example() {
	ctx := context.Background()
	s := experiment.Settings{
		Table:    experiment.Source{Name: "friedman"}, // or a file
		Training: trainers.Settings{Epochs: 60, Seed: 1, Split: "random", Fold: 3, Protocol: data.Sound},
	}
	table, err := s.Table.Read(ctx, "", s.Training.Protocol)
	if err != nil {
		log.Fatal(err)
	}
	s.Spec, err = models.NewSpec("sml", nil, models.Architecture{
		Inputs: len(table.Columns), Targets: len(table.Targets), Hidden: []int{50, 50}, Dropout: 0.1,
	})
	if err != nil {
		log.Fatal(err)
	}
	e, err := experiment.Prepare(ctx, s, experiment.NewTable(table))
	if err != nil {
		log.Fatal(err)
	}
	trained, err := e.Train(ctx, trainers.Options{})
	if err != nil {
		log.Fatal(err)
	}
	found, _, err := e.Evaluate(ctx, trained.Model, e.Rows.Test, e.Sampling())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d rows trained on, %d judged\n", len(e.Rows.Train), found.Rows)
	fmt.Printf("RMSE %.3f standard deviations, ECE %.2f\n", found.Standardised.Get("rmse"), found.Standardised.Get("ece"))
	// Output:
	// 900 rows trained on, 100 judged
	// RMSE 0.277 standard deviations, ECE 0.36
}
