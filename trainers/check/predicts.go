package check

import (
	"fmt"
	"math"

	"sml/data"
	"sml/graph"
	"sml/models"
	"sml/trainers"
)

// minBetterR2 is the R² above which an output of the network counts as the mean that the predictor
// should have used.
const minBetterR2 = 0.8

// checkPredictions predicts the rows on which the network was trained. It fails if a prediction is not
// finite, or if the predicted mean is worse than a constant. The targets have a unit of their own, so a
// predictor that confuses units fails too. If allowZeroStd is true, all standard deviations may be 0. It
// also returns R² of the predicted mean, or −∞ if there is none.
func checkPredictions(s models.Spec, m models.Method, trained *trainers.Result, rows data.Subset, allowZeroStd bool, seed uint64) (Finding, float64) {
	const check = "predicts"
	noMean := math.Inf(-1)
	outputs, err := networkOutputs(s, m, trained, rows, seed)
	if err != nil {
		return failedFinding(check, err), noMean
	}
	predictions, err := predictRows(s, m, outputs, rows)
	if err != nil {
		return failedFinding(check, err), noMean
	}
	if err := checkFinitePredictions(m, predictions, allowZeroStd); err != nil {
		return failedFinding(check, err), noMean
	}
	if m.PredictsClasses() {
		return Finding{Check: check, Status: Passed, Message: "every row has probabilities of the classes"}, noMean
	}
	y := standardiseTargets(s, rows)
	r2 := batchR2(s, y, func(i int) float64 { return predictions[i].Mean() })
	best, bestR2 := bestOutput(s, y, outputs.Full)
	return meanFinding(s, r2, best, bestR2), r2
}

// meanFinding returns the finding on r2, the R² of the predicted mean: failed below 0, and noted if
// another output of the network predicts the targets much better. best is the index of the network's
// output with the largest R², which is bestR2.
func meanFinding(s models.Spec, r2 float64, best int, bestR2 float64) Finding {
	f := Finding{Check: "predicts", Status: Passed, Message: fmt.Sprintf("the mean of the rows in the training has an R² of %.3g", r2)}
	worseThanConstant := !(r2 >= 0) // also if it is NaN
	if worseThanConstant {
		f.Status = Failed
		f.Message += ", below the 0 of a constant"
	}
	switch {
	case r2 < minFittedR2 && bestR2 > minBetterR2:
		f.noteIfPassed()
		f.Message += fmt.Sprintf(", but output %d of the network, counted from 0, has an R² of %.3g: the predictor uses another output, or another unit than the standardised one of the outputs", best, bestR2)
	case worseThanConstant && !readsTargets(s):
		f.Status = Noted
		f.Message += ": the objective reads only a trained model, to which these rows mean nothing"
	case worseThanConstant:
		f.Message += ": is the loss maximised, or does the predictor read outputs that no term trains?"
	}
	return f
}

// bestOutput returns the index of the network's output, counted per target, whose R² against the
// targets is largest, and this R². full holds the outputs of all rows.
func bestOutput(s models.Spec, y []float64, full []float32) (best int, bestR2 float64) {
	bestR2 = math.Inf(-1)
	targets := s.Architecture.Targets
	outputs := s.Architecture.OutputsPerTarget()
	for output := range outputs {
		r2 := batchR2(s, y, func(i int) float64 {
			row, target := i/targets, i%targets
			return float64(full[(row*outputs+output)*targets+target])
		})
		if r2 > bestR2 {
			best, bestR2 = output, r2
		}
	}
	return best, bestR2
}

// readsTargets reports whether the loss depends on the targets. A distillation may not.
func readsTargets(s models.Spec) bool {
	b := graph.New(graph.Float32, new(graph.Params))
	loss, err := s.Loss(b, smallBatchRows)
	return err != nil || graph.Inspect(b).DependsOn(loss, models.InputY)
}

// checkFinitePredictions returns an error if a prediction of rows that the network learned is not
// finite, or if every standard deviation is 0 and allowZeroStd is false.
func checkFinitePredictions(m models.Method, predictions []models.Prediction, allowZeroStd bool) error {
	zeros := 0
	for _, p := range predictions {
		if !p.IsFinite() {
			return fmt.Errorf("the predictor of method %s returns numbers that are not finite for a row that the network learned", m.Name)
		}
		if p.Std() == 0 {
			zeros++
		}
	}
	if zeros == len(predictions) && m.Combine == nil && !allowZeroStd {
		return fmt.Errorf("the predictor of method %s returns a standard deviation of 0 for every row, which scores would use: if it has none, let it predict a distribution.Point", m.Name)
	}
	return nil
}

// batchR2 returns R², one minus the squared errors divided by the squared deviations from each target's
// mean, over the rows of a batch and all targets. y holds the targets row by row, and predicted returns
// the prediction of y[i].
func batchR2(s models.Spec, y []float64, predicted func(i int) float64) float64 {
	targets := s.Architecture.Targets
	residual, total := 0.0, 0.0 // sums of squares
	for target := range targets {
		mean := 0.0
		for row := range overfitRows {
			mean += float64(y[row*targets+target] / overfitRows)
		}
		for i := target; i < len(y); i += targets { // float64(…) keeps compilers from fusing product and sum
			e := predicted(i) - y[i]
			d := y[i] - mean
			residual += float64(e * e)
			total += float64(d * d)
		}
	}
	return 1 - residual/total
}
