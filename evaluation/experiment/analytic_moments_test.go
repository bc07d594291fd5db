package experiment

import (
	"math"
	"os"
	"slices"
	"testing"

	"sml/data"
	"sml/evaluation"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
	"sml/trainers"
)

// trainForMoments returns a network trained with sml on a random split of a registered data set, and its test rows.
func trainForMoments(t *testing.T, dataset string, layers int, drop models.Layers, activation string) (*models.Model, data.Subset) {
	t.Helper()
	s := Settings{
		Table:    Source{Name: dataset},
		Training: trainers.Settings{Epochs: 100, Seed: 1, Split: "random", Fold: 1, Protocol: data.Sound},
	}
	table := expect.Must(s.Table.Read(t.Context(), os.Getenv("SML_DATA"), s.Training.Protocol))
	s.Spec = expect.Must(models.NewSpec("sml", nil, models.Architecture{
		Inputs:     len(table.Columns),
		Targets:    len(table.Targets),
		Hidden:     slices.Repeat([]int{50}, layers),
		Activation: activation,
		Dropout:    0.1,
		Drop:       drop,
	}))
	e := prepareTest(t, s, NewTable(table))
	trained := expect.Must(e.Train(t.Context(), trainers.Options{}))
	return trained.Model, e.Gather(trained.Model, e.Rows.Test)
}

// fractiles are numbers that 5 %, 50 % and 95 % of others are below.
type fractiles struct{ low, median, high float64 }

func fractilesOf(values []float64) fractiles {
	slices.Sort(values)
	n := len(values)
	return fractiles{values[n/20], values[n/2], values[n-1-n/20]}
}

// compareMoments returns, over all rows, the ratios of analytic standard deviations to the standard deviations of 100,000
// draws, and the differences of the means, in standard deviations of the draws.
func compareMoments(t *testing.T, m *models.Model, rows data.Subset) (ratio, shift fractiles) {
	t.Helper()
	predict := func(s evaluation.Sampling) (mean, std []float64) {
		s.Predict = methods.PredictSubNetworks
		p := expect.Must(evaluation.Predict(t.Context(), m, rows, s))
		return p.Column(0)
	}
	mean, std := predict(evaluation.Sampling{Moments: evaluation.AnalyticMoments})
	drawnMean, drawnStd := predict(evaluation.Sampling{Samples: 100_000})
	var ratios, shifts []float64
	for i := range std {
		ratios = append(ratios, std[i]/drawnStd[i])
		shifts = append(shifts, (mean[i]-drawnMean[i])/drawnStd[i])
	}
	return fractilesOf(ratios), fractilesOf(shifts)
}

// Analytic moments of trained networks are those of 100,000 draws: but for the noise of the draws if units are dropped in the last layer,
// and otherwise within the tolerances that docs/howto/predict-without-sampling.md states, whose table this test logs.
func TestAnalyticMomentsOfTrainedNetworks(t *testing.T) {
	datasets := []string{"friedman"}
	if os.Getenv("SML_DATA") != "" {
		datasets = append(datasets, "concrete", "wine-red")
	}
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	for _, dataset := range datasets {
		for _, c := range []struct {
			layers     int
			drop       models.Layers
			activation string
		}{
			{1, models.AllLayers, "relu"}, {2, models.LastLayer, "relu"}, {2, models.AllLayers, "relu"}, {3, models.AllLayers, "relu"}, {2, models.AllLayers, "mish"},
		} {
			m, rows := trainForMoments(t, dataset, c.layers, c.drop, c.activation)
			ratio, shift := compareMoments(t, m, rows)
			t.Logf("%s, %d %s layers, units dropped in %s: ratio %.3f, difference of means %.3f", dataset, c.layers, c.activation, c.drop, ratio, shift)
			isExact := c.layers == 1 || c.drop == models.LastLayer
			bounds := fractiles{low: 0.9, median: 0.03, high: 1.1} // of the ratio; median: of its distance from 1
			shiftBound := 0.06
			if isExact { // 1/√(2·100,000) is 0.0022, and 1/√100,000 0.0032
				bounds = fractiles{low: 0.99, median: 0.002, high: 1.01}
				shiftBound = 0.01
			}
			if ratio.low < bounds.low || ratio.high > bounds.high || math.Abs(ratio.median-1) > bounds.median {
				t.Errorf("%s, %d layers: standard deviations are %v times those of the draws", dataset, c.layers, ratio)
			}
			if max(-shift.low, shift.high) > shiftBound {
				t.Errorf("%s, %d layers: means are %v standard deviations from those of the draws", dataset, c.layers, shift)
			}
		}
	}
}

// The name of the default moments and no name are the same settings.
func TestMomentsSetting(t *testing.T) {
	s := testSettings(t, "random", 0)
	unnamed := expect.Must(s.Resolve())
	s.Prediction.Moments = "sampled"
	named, err := s.Resolve()
	if err != nil || string(encodeJSON(named)) != string(encodeJSON(unnamed)) {
		t.Errorf("named moments are %s, %v; want %s", encodeJSON(named), err, encodeJSON(unnamed))
	}
	s.Prediction.Moments = "exact"
	expect.Error(t, expect.ErrorOf(s.Resolve()), `unknown moments "exact"`)
	s.Prediction.Moments = evaluation.AnalyticMoments
	if e := prepareTest(t, s, friedman(t)); e.Sampling().Moments != evaluation.AnalyticMoments {
		t.Errorf("the experiment samples with %+v", e.Sampling())
	}
}
