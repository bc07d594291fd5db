package study_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"sml/data"
	"sml/evaluation/experiment"
	_ "sml/evaluation/report/paper" // for its presets
	"sml/evaluation/study"
)

// A study of two methods on one data set is planned, run, and its scores collected.
// What has been run stays: run again, it goes on where it was stopped.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "study")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	tables := func(ctx context.Context, s experiment.Source, protocol data.Protocol) (*data.Table, error) {
		return s.Read(ctx, "", protocol)
	}
	c := study.Config{Preset: "quick", Datasets: []string{"friedman"}, Methods: []string{"mc", "sml beta=0.25"}, Settings: study.Settings{"epochs": {"20"}}}
	const version = "my program 1.0" // results of another are not mixed in
	p, err := study.NewPlan(ctx, c, version, tables, false)
	if err != nil {
		log.Fatal(err)
	}
	if err := p.Write(dir); err != nil {
		log.Fatal(err)
	}
	if _, err := study.Run(ctx, dir, p, version, tables, study.Options{}); err != nil {
		log.Fatal(err)
	}
	found, _, err := study.Collect([]study.Directory{{Dir: dir, Plan: p}})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range found[0].Scores {
		if s.Split == "test" && s.Measure == "ece" {
			fmt.Printf("%s of %s on %d folds: %.2f\n", s.Measure, s.Method, s.Folds, s.Mean)
		}
	}
	// Output:
	// ece of mc on 2 folds: 0.86
	// ece of sml beta=0.25 on 2 folds: 0.64
}
