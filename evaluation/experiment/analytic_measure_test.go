package experiment

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"sml/data"
	"sml/evaluation"
	"sml/models"
	"sml/models/methods"
	"sml/trainers"
)

func TestMeasureAnalytic(t *testing.T) {
	if os.Getenv("SML_DATA") == "" {
		t.Skip()
	}
	for _, name := range []string{"concrete", "wine-red", "energy", "yacht"} {
		for _, act := range []string{"relu", "mish"} {
			for _, hidden := range [][]int{{50}, {50, 50}, {50, 50, 50}, {-50, 50}} {
				for _, method := range []string{"mc", "sml"} {
					for _, p := range []float64{0.1, 0.3} {
						if act == "mish" && (p > 0.2 || method == "mc") {
							continue
						}
						measureOne(t, name, method, act, hidden, p)
					}
				}
			}
		}
	}
}

func measureOne(t *testing.T, name, method, act string, hidden []int, p float64) {
	s := Settings{Table: Source{Name: name}, Training: trainers.Settings{Epochs: 100, Seed: 1, Split: "random", Fold: 1, Protocol: data.Sound}}
	table, err := s.Table.Read(t.Context(), os.Getenv("SML_DATA"), s.Training.Protocol)
	if err != nil {
		t.Fatal(err)
	}
	a := models.Architecture{Inputs: len(table.Columns), Targets: len(table.Targets), Hidden: slices.Clone(hidden), Dropout: p, Activation: act}
	if hidden[0] < 0 {
		a.Hidden[0] = -hidden[0]
		a.Drop = models.LastLayer
	}
	s.Spec, err = models.NewSpec(method, nil, a)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Prepare(t.Context(), s, NewTable(table))
	if err != nil {
		t.Fatal(err)
	}
	trained, err := e.Train(t.Context(), trainers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows := e.Rows.Test[:min(64, len(e.Rows.Test))]
	get := func(s evaluation.Sampling) (mean, std []float64) {
		s.Predict = methods.PredictSubNetworks
		pr, err := evaluation.Predict(t.Context(), trained.Model, e.Gather(trained.Model, rows), s)
		if err != nil {
			t.Fatal(err)
		}
		return pr.Column(0)
	}
	m1, s1 := get(evaluation.Sampling{Moments: evaluation.AnalyticMoments})
	m2, s2 := get(evaluation.Sampling{Samples: 100000})
	full, err := evaluation.FullNetworkOutputs(trained.Model, e.Gather(trained.Model, rows), "")
	if err != nil {
		t.Fatal(err)
	}
	var ratio, shift, offA, offS []float64
	for i := range s1 {
		ratio = append(ratio, s1[i]/s2[i])
		shift = append(shift, (m1[i]-m2[i])/s2[i])
		offA = append(offA, (m1[i]-float64(full[i]))/s2[i])
		offS = append(offS, (m2[i]-float64(full[i]))/s2[i])
	}
	q := func(x []float64) string {
		slices.Sort(x)
		n := len(x)
		return fmt.Sprintf("%7.3f %7.3f %7.3f", x[n/20], x[n/2], x[n-1-n/20])
	}
	fmt.Printf("%-9s %-4s %-5s %-11s p=%.1f  std ratio %s  mean diff/std %s  offset a %s s %s\n", name, method, act, fmt.Sprint(hidden), p, q(ratio), q(shift), q(offA), q(offS))
}
