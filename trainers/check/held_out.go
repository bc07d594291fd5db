package check

import (
	"context"
	"fmt"
	"math/rand/v2"

	"sml/data"
	"sml/internal/portable"
	"sml/models"
	"sml/models/distribution"
	"sml/trainers"
)

// Names of the checks on held-out rows.
const (
	heldOutCheck     = "held-out"
	calibrationCheck = "calibration"
)

// Size of the training before predictions of held-out rows. Every method of this project is as
// well calibrated after it as after a longer training.
const (
	inventedBatch   = 64
	inventedSteps   = 400
	inventedHeldOut = 1024 // number of held-out rows

	// maxInventedValues bounds the inputs of the training rows, to 32 MiB. With fewer inputs
	// no row is used twice, so that the network learns no row by heart.
	maxInventedValues = 1 << 22
)

// inventedRates lists the learning rates to try. Deep networks need the second.
var inventedRates = []float64{0.01, 0.002}

// Bounds on R² of the predicted mean against the true mean. The methods of this project have 0.95 or
// more.
const (
	minLearnedR2 = 0.6  // below it, the mean is noted: the network may be unable to learn the function
	minR2        = -0.1 // below it, the mean fails: a network that learns nothing has about 0
)

// checkHeldOut trains on invented rows with a known distribution, and compares the predictions of
// held-out rows with this distribution: the mean, and the standard deviation or the quantiles. It
// returns the findings at the learning rate with the fewest failures. If the objective reads extra
// columns, they are 0 first and then, unless all checks passed, 1.
func checkHeldOut(s models.Spec, m models.Method, seed uint64) Findings {
	frozen, err := s.FrozenModels()
	if err == nil && len(frozen) > 0 {
		return Findings{{Check: heldOutCheck, Status: Noted, Message: "left out: the objective reads a trained model, to which invented rows mean nothing"}}
	}
	columns, err := s.Columns()
	if err != nil {
		return Findings{failedFinding(heldOutCheck, err)}
	}
	withZeros := bestFindings(inventedRates, func(rate float64) Findings { return checkHeldOutAt(s, m, 0, rate, seed) })
	if len(columns) == 0 || withZeros.allPassed() {
		return withZeros
	}
	// The check does not know the meaning of an extra column: 0 may stand for rows without a target.
	withOnes := bestFindings(inventedRates, func(rate float64) Findings { return checkHeldOutAt(s, m, 1, rate, seed) })
	if withOnes.count(Failed) < withZeros.count(Failed) {
		return withOnes
	}
	return withZeros
}

// checkHeldOutAt trains once, with the given number in all extra columns and the given learning
// rate, and checks the predictions of held-out rows.
func checkHeldOutAt(s models.Spec, m models.Method, extra, rate float64, seed uint64) Findings {
	f, err := forecastHeldOut(s, m, extra, rate, seed)
	if err != nil {
		return Findings{failedFinding(heldOutCheck, err)}
	}
	return f.check()
}

// forecastHeldOut trains on invented rows and predicts held-out rows. All extra columns have the value
// extra, and rate is the learning rate.
func forecastHeldOut(s models.Spec, m models.Method, extra, rate float64, seed uint64) (forecasts, error) {
	rnd := rand.New(rand.NewPCG(seed, inventedStream))
	training, err := inventRows(s, m, inventedTrainingRows(s), extra, rnd)
	if err != nil {
		return forecasts{}, err
	}
	heldOut, err := inventRows(s, m, inventedHeldOut, extra, rnd)
	if err != nil {
		return forecasts{}, err
	}
	training.YScale = fitTargetScalers(s, m, training.Y)
	heldOut.YScale = training.YScale
	trained, err := trainOnInvented(s, training, rate, seed)
	if err != nil {
		return forecasts{}, err
	}
	outputs, err := networkOutputs(s, m, trained, heldOut.Subset, seed)
	if err != nil {
		return forecasts{}, err
	}
	predictions, err := predictRows(s, m, outputs, heldOut.Subset)
	if err != nil {
		return forecasts{}, err
	}
	family, _, err := s.PredictedFamily(1, nil)
	if err != nil {
		return forecasts{}, err
	}
	f := forecasts{method: m, levels: family.Levels}
	for i, p := range predictions {
		f.rows = append(f.rows, newForecast(p, f.levels, heldOut, i, m))
	}
	return f, nil
}

// inventedTrainingRows returns the number of invented training rows: enough that each is used in one
// step only, or as many as maxInventedValues allows.
func inventedTrainingRows(s models.Spec) int {
	mostRows := max(inventedBatch, maxInventedValues/s.Architecture.Inputs)
	return min(inventedBatch*inventedSteps, mostRows)
}

// trainOnInvented trains one network for inventedSteps steps, with a learning rate that falls from
// rate to a hundredth of it.
func trainOnInvented(s models.Spec, training inventedRows, rate float64, seed uint64) (*trainers.Result, error) {
	rows := len(training.u)
	settings := trainers.Settings{
		Epochs:       max(1, inventedBatch*inventedSteps/rows),
		Batch:        inventedBatch,
		LearningRate: rate,
		Schedule:     models.Schedule{Shape: "linear", From: 1, To: 0.01, End: 1},
		Members:      1,
		Seed:         seed,
	}
	return trainers.Train(context.Background(), s, training.Subset, settings, trainers.Options{Workers: 1})
}

// fitTargetScalers returns the scalers of invented targets. Classes are not standardised.
func fitTargetScalers(s models.Spec, m models.Method, y []float64) data.Scalers {
	names := make([]string, s.Architecture.Targets)
	if m.PredictsClasses() {
		return data.IdentityScalers(names)
	}
	return data.FitScalers(y, names, nil)
}

// forecasts are predictions of invented rows, beside the true distribution.
type forecasts struct {
	method models.Method
	levels []float64  // quantile levels, ascending; nil if the method predicts no quantiles
	rows   []forecast // by row and target
}

// forecast is the prediction of one target of one row, in the target's unit.
type forecast struct {
	y                 float64   // the target
	trueMean          float64   // mean of the distribution from which the target was drawn
	trueStd           float64   // standard deviation of this distribution
	trueProbabilities []float64 // class probabilities of this distribution; nil unless the target is a class

	mean          float64
	std           float64   // NaN if the prediction has none
	quantiles     []float64 // by level
	probabilities []float64 // class probabilities; nil unless the target is a class
}

// newForecast returns the prediction p of one target beside the distribution from which the target was
// drawn, in the target's unit. index is the index of the target, counted row by row. If the method
// predicts quantiles, the standard deviation follows from the outermost two.
func newForecast(p models.Prediction, levels []float64, invented inventedRows, index int, m models.Method) forecast {
	targets := len(invented.Y) / len(invented.u)
	row, target := index/targets, index%targets
	scaler := invented.YScale[target]
	predicted := p.Affine(scaler.Std, scaler.Mean)
	f := forecast{
		y:    invented.Y[index],
		mean: predicted.Mean(),
		std:  predicted.Std(),
	}
	f.trueMean, f.trueStd = invented.moments(m, row, target)
	for _, level := range levels {
		f.quantiles = append(f.quantiles, predicted.Quantile(level))
	}
	if len(levels) > 1 {
		f.std = stdOfQuantiles(levels, f.quantiles)
	}
	probabilities, isClass := predicted.(distribution.Classes)
	if isClass {
		f.probabilities = probabilities
		f.trueProbabilities = classProbabilities(invented.classes, invented.u[row])
	}
	return f
}

// stdOfQuantiles returns the standard deviation of the normal distribution that has the outermost two of
// the given quantiles.
func stdOfQuantiles(levels, quantiles []float64) float64 {
	last := len(levels) - 1
	distance := quantiles[last] - quantiles[0]
	distanceInStds := portable.NormalQuantile(levels[last]) - portable.NormalQuantile(levels[0])
	return distance / distanceInStds
}

// check returns the finding on the mean and, if it passed and the method predicts an uncertainty, the
// finding on the uncertainty. Around a wrong mean, no uncertainty would be right.
func (f forecasts) check() Findings {
	meanFinding := f.checkMean()
	hasUncertainty := f.hasStd() || len(f.levels) > 0
	if meanFinding.Status != Passed || !hasUncertainty {
		return Findings{meanFinding}
	}
	return Findings{meanFinding, f.checkUncertainty()}
}

// checkMean compares the predicted means, or class probabilities, with the true ones.
func (f forecasts) checkMean() Finding {
	var predicted, known []float64
	quantity := "mean"
	for _, row := range f.rows {
		if row.probabilities != nil {
			quantity = "class probabilities"
			predicted = append(predicted, row.probabilities...)
			known = append(known, row.trueProbabilities...)
		} else {
			predicted = append(predicted, row.mean)
			known = append(known, row.trueMean)
		}
	}
	r2 := rSquared(predicted, known)
	found := Finding{Check: heldOutCheck, Status: Passed, Message: fmt.Sprintf("the %s of held-out rows: R² is %.3g", quantity, r2)}
	switch {
	case !(r2 >= minR2):
		found.Status = Failed
		found.Message += ", below the 0 of a constant: is the loss maximised, or does the objective use values that the predictor does not have?"
	case r2 < minLearnedR2:
		found.Status = Noted
		found.Message += ": the network cannot learn the function in so few steps, or a term of the objective prevents it"
	}
	return found
}

// rSquared returns the coefficient of determination, R², of predicted against known values: 1 for equal
// values, 0 for a prediction that is always the mean of the known values, less for worse predictions.
func rSquared(predicted, known []float64) float64 {
	mean := 0.0
	for _, v := range known {
		mean += v / float64(len(known))
	}
	residual, total := 0.0, 0.0 // sums of squares
	for i, v := range known {
		e := predicted[i] - v
		d := v - mean
		residual += float64(e * e)
		total += float64(d * d)
	}
	return 1 - residual/total
}
