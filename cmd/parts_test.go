package cmd

import (
	"fmt"
	"os"
	"slices"

	"sml/data/portable"
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// mainWithParts is the program with methods whose predictions have quantiles,
// probabilities, or less than they say. Their objectives are simple: what they learn
// does not matter here.
func mainWithParts() {
	models.Register(models.Method{
		Name: "part-quantiles", Outputs: 3, Combine: methods.Ensemble,
		Hyperparameters: []models.Hyperparameter{{Name: "tail", Default: 0.05}},
		Levels:          func(h models.Hyperparameters) []float64 { return []float64{h.Float("tail"), 0.5, 1 - h.Float("tail")} },
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			out, targets := t.Forward(graph.Full), t.Y.Shape()[1]
			var terms []graph.Term
			for i, level := range []float64{t.Float("tail"), 0.5, 1 - t.Float("tail")} {
				e := b.Sub(t.Y, b.Columns(out, i*targets, (i+1)*targets))
				terms = append(terms, graph.Term{Name: fmt.Sprint("level ", i), Weight: 1, Value: b.Mean(b.Add(b.Scale(level-1, e), b.ReLU(e)))})
			}
			return b.WeightedSum(terms...)
		},
		Predict: func(d models.Moments) models.Prediction {
			return models.Prediction{Mean: d.Full[1], NoStd: true, Quantiles: d.Full}
		},
	})
	register := func(name string, classes int, predict func(p []float64) models.Prediction) {
		models.Register(models.Method{
			Name: name, Outputs: classes, Classes: classes,
			Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
				out := t.Forward(graph.Full)
				return b.Mean(b.Square(b.Sub(b.Sub(b.Columns(out, classes-1, classes), b.Columns(out, 0, 1)), t.Y)))
			},
			Predict: func(d models.Moments) models.Prediction {
				p, sum := make([]float64, len(d.Full)), 0.0
				for k, logit := range d.Full {
					p[k] = portable.Exp(logit - slices.Max(d.Full))
					sum += p[k]
				}
				for k := range p {
					p[k] /= sum
				}
				return predict(p)
			},
		})
	}
	register("classes", 3, func(p []float64) models.Prediction { return models.Prediction{Probabilities: p} })
	register("too-few", 3, func(p []float64) models.Prediction { return models.Prediction{Probabilities: p[1:]} })
	models.Register(models.Method{Name: "panics", Objective: methods.FullMSE, Predict: func(d models.Moments) models.Prediction {
		return models.Prediction{Mean: d.Draws[0][0]}
	}})
	os.Exit(Main())
}
