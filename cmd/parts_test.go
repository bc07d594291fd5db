package cmd

import (
	"os"

	"sml/examples/parts"
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// mainWithParts is the program with methods whose predictions have quantiles,
// probabilities, or less than they say.
func mainWithParts() {
	models.Register(parts.Quantiles("part-quantiles"))
	models.Register(parts.Classes("three-classes"))
	few := parts.Classes("too-few")
	few.Predict = func(b *graph.Builder, m models.Moments) models.PredictionNodes { return methods.Classes(b, m.Full[:2]) }
	models.Register(few)
	models.Register(models.Method{Name: "panics", Objective: methods.FullMSE, Predict: func(_ *graph.Builder, m models.Moments) models.PredictionNodes {
		return methods.Point(m.Mean[0])
	}})
	os.Exit(Main())
}
