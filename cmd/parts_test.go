package cmd

import (
	"os"

	"sml/examples/parts"
	"sml/models"
	"sml/models/methods"
)

// mainWithParts is the program with methods whose predictions have quantiles,
// probabilities, or less than they say.
func mainWithParts() {
	models.Register(parts.Quantiles("part-quantiles"))
	models.Register(parts.Classes("classes"))
	few := parts.Classes("too-few")
	few.Predict = func(models.Moments) models.Prediction { return models.Prediction{Probabilities: []float64{0.5, 0.5}} }
	models.Register(few)
	models.Register(models.Method{Name: "panics", Objective: methods.FullMSE, Predict: func(d models.Moments) models.Prediction {
		return models.Prediction{Mean: d.Draws[0][0]}
	}})
	os.Exit(Main())
}
