// Program rows trains on rows that are not in memory, by trainers.TrainFrom:
//
//	go run ./examples/rows generated model
//	go run ./examples/rows make rows.parquet 5000000
//	go run ./examples/rows file rows.parquet model
//
// The first trains on rows that are drawn anew in each epoch (generated.go), the second writes a file with 20 inputs
// (make.go), and the third trains on a file of any length in bounded memory (file.go).
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"sml/models"
	_ "sml/models/methods"
	"sml/trainers"
)

// main runs the command that the arguments name. It exits with 2 for wrong arguments and with 1 after an error.
func main() {
	err := run(context.Background(), os.Args[1:])
	if errors.Is(err, errUsage) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "rows:", err)
		os.Exit(1)
	}
}

// errUsage is the error of wrong arguments.
var errUsage = errors.New("usage: rows generated DIR | make FILE.parquet ROWS | file FILE DIR")

// run runs a command with its arguments.
func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 2 && args[0] == "generated":
		return train(ctx, generatedRows(), args[1])
	case len(args) == 3 && args[0] == "make":
		rows, err := strconv.Atoi(args[2])
		if err != nil || rows < 1 {
			return errUsage
		}
		return makeFile(args[1], rows)
	case len(args) == 3 && args[0] == "file":
		source, err := fileRows(ctx, args[1])
		if err != nil {
			return err
		}
		return train(ctx, source, args[2])
	}
	return errUsage
}

// train trains a network that predicts mean and standard deviation on a source, and saves it in the directory dir.
func train(ctx context.Context, source trainers.Source, dir string) error {
	spec, err := models.NewSpec("pu", nil, models.Architecture{
		Inputs:  len(source.XScale),
		Targets: len(source.YScale),
		Hidden:  []int{50, 50},
	})
	if err != nil {
		return err
	}
	settings := trainers.Settings{Epochs: 3, Batch: 250, LearningRate: 0.003, Seed: 1}
	result, err := trainers.TrainFrom(ctx, spec, source, settings, trainers.Options{Progress: report})
	if err != nil {
		return err
	}
	return result.Model(spec, source.XScale, source.YScale).Save(dir, false)
}

// report prints the loss of an epoch.
func report(p trainers.Progress) {
	fmt.Printf("epoch %d of %d: loss %.3f\n", p.Epoch, p.Epochs, p.Loss)
}
