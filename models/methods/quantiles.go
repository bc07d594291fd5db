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
	Summary:   "quantile regression: a quantile for each level, trained by the pinball loss",
	Source:    "Koenker and Bassett 1978",
	Objective: Pinball,
	Hyperparameters: []models.Hyperparameter{{
		Name:      "levels",
		Default:   "0.025,0.05,0.25,0.5,0.75,0.95,0.975", // the median and the central intervals of 50, 90 and 95 %
		Help:      "quantile levels between 0 and 1, ascending, separated by commas",
		CheckWord: checkLevels,
	}},
	Outputs: func(h models.Hyperparameters) int { return len(quantileLevels(h)) },
	Predict: func(_ *graph.Builder, m models.Moments) models.PredictionNodes {
		return Quantiles(quantileLevels(m.Hyperparameters), m.Full)
	},
}

// quantileLevels returns the chosen quantile levels. It panics if they are not valid; checkLevels has
// refused such levels when they were chosen.
func quantileLevels(h models.Hyperparameters) []float64 {
	levels, err := parseLevels(h.Text("levels"))
	if err != nil {
		panic(err)
	}
	return levels
}

// checkLevels returns an error unless text lists valid quantile levels.
func checkLevels(text string) error {
	_, err := parseLevels(text)
	return err
}

// parseLevels returns the quantile levels in a text such as "0.05,0.5,0.95". It returns an error
// unless they ascend between 0 and 1.
func parseLevels(text string) ([]float64, error) {
	var levels []float64
	previous := 0.0
	for field := range strings.SplitSeq(text, ",") {
		level, err := strconv.ParseFloat(field, 64)
		if err != nil || !(level > previous && level < 1) {
			return nil, errors.New("want quantile levels above 0 and below 1, ascending, separated by commas, such as 0.05,0.5,0.95")
		}
		previous = level
		levels = append(levels, level)
	}
	return levels, nil
}

// Pinball returns the mean pinball loss over rows, targets and quantile levels q, a scalar:
// max(q·e, (q − 1)·e) with the error e = y − predicted quantile. The full network has one output
// for each level. Source: Koenker and Bassett 1978.
func Pinball(b *graph.Builder, t *models.Task) *graph.Node {
	levels := quantileLevels(t.Hyperparameters)
	predictions := b.Split(t.Forward(graph.Full), len(levels))
	losses := make([]*graph.Node, len(levels))
	for i, level := range levels {
		e := b.Sub(t.Y, predictions[i])
		losses[i] = b.Max(b.Scale(level, e), b.Scale(level-1, e))
	}
	return t.Mean(b.MeanOf(losses...))
}
