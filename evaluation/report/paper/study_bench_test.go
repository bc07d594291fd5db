package paper_test

import (
	"context"
	"os"
	"testing"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/evaluation/study"
)

// BenchmarkStudy runs a fold of the paper's evaluation of small and large data sets on
// one core. With -cpuprofile it shows where the time of the whole goes.
func BenchmarkStudy(b *testing.B) {
	dir := os.Getenv("SML_DATA")
	if dir == "" {
		b.Skip("it trains on the data sets: set SML_DATA to the folder with their files")
	}
	tables := func(ctx context.Context, s experiment.Source, protocol data.Protocol) (*data.Table, error) {
		return s.Read(ctx, dir, protocol)
	}
	c := study.Config{Preset: "paper", Datasets: []string{"yacht", "concrete", "naval", "protein"}, Splits: []string{"random"}, Fold: []int{0}}
	p, err := study.NewPlan(b.Context(), c, "benchmark", tables, false)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		to := b.TempDir()
		if err := p.Write(to); err != nil {
			b.Fatal(err)
		}
		s, err := study.Run(b.Context(), to, p, "benchmark", tables, study.Options{Jobs: 1})
		if err != nil || s.Done != s.Cells {
			b.Fatalf("%+v, %v", s, err)
		}
	}
	b.ReportMetric(float64(len(p.Cells)), "cells")
}
