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

// Names of the checks on rows that were not learned from.
const (
	heldOutCheck     = "held-out"
	calibrationCheck = "calibration"
)

// Size of the training whose predictions of other rows are judged. Every method of this
// project is calibrated after it as well as after a longer one.
const (
	madeBatch = 64
	madeSteps = 400
	madeFresh = 1024 // rows to predict

	// maxMadeValues bounds the inputs of the training rows, 32 MiB. With fewer inputs
	// no row is seen twice, so that nothing is learned by heart.
	maxMadeValues = 1 << 22
)

// madeRates lists the learning rates to try. Deep networks need the second.
var madeRates = []float64{0.01, 0.002}

// Bounds on R² of the known mean. The methods of this project have 0.95 or more.
const (
	learntR2 = 0.6  // below it, the mean is noted: the network may be unable to learn the function
	worseR2  = -0.1 // below it, the mean fails: a network that learns nothing has about 0
)

// heldOut trains on made rows with a known distribution, and judges the predictions of
// other such rows: the mean, and the standard deviation or the quantiles.
func heldOut(s models.Spec, m models.Method, seed uint64) Findings {
	if frozen, err := s.FrozenModels(); err == nil && len(frozen) > 0 {
		return Findings{{Check: heldOutCheck, Status: Noted, Says: "not made: the objective looks at a trained model, which knows nothing of made rows"}}
	}
	columns, err := s.Columns()
	if err != nil {
		return Findings{failedFinding(heldOutCheck, err)}
	}
	best := bestAttempt(madeRates, func(rate float64) Findings { return judgeTraining(s, m, 0, rate, seed) })
	if len(columns) > 0 && !best.clean() {
		// The meaning of a column is unknown: 0 may stand for rows without a target.
		ones := bestAttempt(madeRates, func(rate float64) Findings { return judgeTraining(s, m, 1, rate, seed) })
		if ones.count(Failed) < best.count(Failed) {
			return ones
		}
	}
	return best
}

// judgeTraining trains once, and judges the predictions of fresh rows.
func judgeTraining(s models.Spec, m models.Method, extra, rate float64, seed uint64) Findings {
	rows := min(madeBatch*madeSteps, max(madeBatch, maxMadeValues/s.Architecture.Inputs))
	rnd := rand.New(rand.NewPCG(seed, madeStream))
	learned, err := makeRows(s, m, rows, extra, rnd)
	if err != nil {
		return Findings{failedFinding(heldOutCheck, err)}
	}
	fresh, err := makeRows(s, m, madeFresh, extra, rnd)
	if err != nil {
		return Findings{failedFinding(heldOutCheck, err)}
	}
	learned.YScale = targetScalers(s, m, learned.Y)
	fresh.YScale = learned.YScale
	result, err := trainers.Train(context.Background(), s, learned.Subset, trainers.Settings{
		Epochs:       max(1, madeBatch*madeSteps/rows),
		Batch:        madeBatch,
		LearningRate: rate,
		Schedule:     models.Schedule{Shape: "linear", From: 1, To: 0.01, End: 1},
		Members:      1,
		Seed:         seed,
	}, trainers.Options{Workers: 1})
	if err != nil {
		return Findings{failedFinding(heldOutCheck, err)}
	}
	said, err := outputsOf(s, m, result, fresh.Subset, seed)
	if err != nil {
		return Findings{failedFinding(heldOutCheck, err)}
	}
	predictions, err := predictRows(s, m, said, fresh.Subset)
	if err != nil {
		return Findings{failedFinding(heldOutCheck, err)}
	}
	family, _, err := s.Predicted(1, nil)
	if err != nil {
		return Findings{failedFinding(heldOutCheck, err)}
	}
	f := forecasts{method: m, levels: family.Levels}
	for at, p := range predictions {
		f.rows = append(f.rows, newForecast(p, f.levels, fresh, at, m))
	}
	return f.judge()
}

// targetScalers returns the scalers of made targets: classes stay as they are.
func targetScalers(s models.Spec, m models.Method, y []float64) data.Scalers {
	names := make([]string, s.Architecture.Targets)
	if m.ForClasses() {
		return data.UnitScalers(names)
	}
	return data.FitScalers(y, names, nil)
}

// forecasts are predictions of made rows.
type forecasts struct {
	method models.Method
	levels []float64 // of the quantiles
	rows   []forecast
}

// forecast is the prediction of one target of one row, in the target's unit.
type forecast struct {
	y, trueMean, trueStd float64
	trueProbabilities    []float64 // nil if the method has no classes

	mean, std     float64 // std is NaN if there is none
	quantiles     []float64
	probabilities []float64
}

// newForecast returns the prediction p of target number at of the made rows, counted row by
// row.
func newForecast(p models.Prediction, levels []float64, made madeRows, at int, m models.Method) forecast {
	targets := len(made.Y) / len(made.u)
	scaler := made.YScale[at%targets]
	d := p.Affine(scaler.Std, scaler.Mean)
	f := forecast{y: made.Y[at], mean: d.Mean(), std: d.Std()}
	f.trueMean, f.trueStd = made.moments(m, at/targets, at%targets)
	for _, level := range levels {
		f.quantiles = append(f.quantiles, d.Quantile(level))
	}
	if last := len(levels) - 1; last > 0 { // of the normal distribution with the same outermost quantiles
		width := portable.NormalQuantile(levels[last]) - portable.NormalQuantile(levels[0])
		f.std = (f.quantiles[last] - f.quantiles[0]) / width
	}
	if classes, ok := d.(distribution.Classes); ok {
		f.probabilities = classes
		f.trueProbabilities = classProbabilities(made.classes, made.u[at/targets])
	}
	return f
}

// judge judges the mean, and if it is right, the uncertainty.
func (f forecasts) judge() Findings {
	mean := f.judgeMean()
	if mean.Status != Passed {
		return Findings{mean}
	}
	if f.hasStd() || len(f.levels) > 0 {
		return Findings{mean, f.judgeUncertainty()}
	}
	return Findings{mean}
}

func (f forecasts) judgeMean() Finding {
	var predicted, known []float64
	what := "mean"
	for _, row := range f.rows {
		if row.probabilities != nil {
			what = "class probabilities"
			predicted, known = append(predicted, row.probabilities...), append(known, row.trueProbabilities...)
		} else {
			predicted, known = append(predicted, row.mean), append(known, row.trueMean)
		}
	}
	r2 := determination(predicted, known)
	found := Finding{Check: heldOutCheck, Status: Passed, Says: fmt.Sprintf("the %s of rows that were not learnt from: R² is %.3g", what, r2)}
	switch {
	case !(r2 >= worseR2):
		found.Status = Failed
		found.Says += ", less than the 0 of a constant: is the loss maximised, or does the objective see what the predictor does not?"
	case r2 < learntR2:
		found.Status = Noted
		found.Says += ": the network cannot learn the made function in so few steps, or the objective holds it back"
	}
	return found
}

// determination returns R² of predicted values against known values.
func determination(predicted, known []float64) float64 {
	mean := 0.0
	for _, v := range known {
		mean += v / float64(len(known))
	}
	left, all := 0.0, 0.0
	for i, v := range known {
		e, d := predicted[i]-v, v-mean
		left, all = left+float64(e*e), all+float64(d*d)
	}
	return 1 - left/all
}
