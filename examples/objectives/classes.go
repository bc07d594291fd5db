package main

import (
	"math"

	"sml/data/portable"
	"sml/graph"
	"sml/models"
)

func init() {
	models.Register(models.Method{
		Name: "classes", Title: "Classes", Summary: "cross entropy of a target that is 0, 1 or 2", Source: "Bridle 1990",
		Outputs: 3, Classes: 3, Targets: 1, Objective: crossEntropy, Predict: softmax,
	})
}

// crossEntropy is the mean of −log softmax of the output of each row's class.
func crossEntropy(b *graph.Builder, t *models.Task) *graph.Node {
	logs := b.LogSoftmax(t.Forward(graph.Full))
	mean, std := t.TargetScale()
	class := b.Add(b.Mul(t.Y, std), mean) // 0, 1 or 2, but for rounding
	isClass := b.Less(b.Abs(b.Sub(b.Constant(1, 3, []float64{0, 1, 2}), b.Concat(class, class, class))), b.Const(0.5))
	return b.Neg(t.Mean(b.SumColumns(b.Mul(logs, isClass))))
}

func softmax(d models.Moments) models.Prediction {
	p, sum, largest := make([]float64, 3), 0.0, math.Inf(-1)
	for _, v := range d.Full {
		largest = max(largest, v)
	}
	for i, v := range d.Full {
		p[i] = portable.Exp(v - largest)
		sum += p[i]
	}
	return models.Prediction{Probabilities: []float64{p[0] / sum, p[1] / sum, p[2] / sum}}
}
