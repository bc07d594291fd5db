package methods

import (
	"errors"
	"strconv"
	"strings"

	"sml/graph"
	"sml/models"
)

var quantiles = models.Method{
	Name:      "quantiles",
	Title:     "Quantiles",
	Summary:   "quantile regression: an output for each level, trained by the pinball loss",
	Source:    "Koenker and Bassett 1978",
	Objective: Pinball, EarlyStopping: true,
	Hyperparameters: []models.Hyperparameter{{
		Name:    "levels",
		Default: "0.025,0.05,0.25,0.5,0.75,0.95,0.975", // the median and the central intervals of 50, 90 and 95 %
		Help:    "levels of the quantiles, ascending between 0 and 1, with commas between them",
		CheckWord: func(word string) error {
			_, err := parseLevels(word)
			return err
		},
	}},
	Outputs: func(h models.Hyperparameters) int { return len(quantileLevels(h)) },
	Predict: func(_ *graph.Builder, m models.Moments) models.PredictionNodes {
		return Quantiles(quantileLevels(m.Hyperparameters), m.Full)
	},
	Combine: Ensemble,
}

// quantileLevels returns the chosen levels; their word was checked.
func quantileLevels(h models.Hyperparameters) []float64 {
	levels, err := parseLevels(h.Text("levels"))
	if err != nil {
		panic(err)
	}
	return levels
}

// parseLevels returns the levels of a text such as "0.05,0.5,0.95". It returns an error unless
// they ascend between 0 and 1.
func parseLevels(text string) ([]float64, error) {
	var levels []float64
	below := 0.0
	for word := range strings.SplitSeq(text, ",") {
		level, err := strconv.ParseFloat(word, 64)
		if err != nil || !(level > below && level < 1) {
			return nil, errors.New("want levels above 0 and below 1, ascending, with commas between them, such as 0.05,0.5,0.95")
		}
		below = level
		levels = append(levels, level)
	}
	return levels, nil
}

// Pinball is the mean over rows and levels q of max(q·e, (q − 1)·e), e = y − prediction.
func Pinball(b *graph.Builder, t *models.Task) *graph.Node {
	levels := quantileLevels(t.Hyperparameters)
	losses := b.Split(t.Forward(graph.Full), len(levels))
	for i, q := range levels {
		e := b.Sub(t.Y, losses[i])
		losses[i] = b.Max(b.Scale(q, e), b.Scale(q-1, e))
	}
	return t.Mean(b.MeanOf(losses...))
}
