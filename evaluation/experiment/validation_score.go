package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"sml/evaluation"
	"sml/graph"
	"sml/models"
)

// validationSamples is the number of sub-networks that predict a validation row after each epoch. The masks are the
// same in all epochs, so that few are enough to compare epochs.
const validationSamples = 20

// validationScorer scores predictions of validation rows during a training.
type validationScorer struct {
	experiment *Experiment

	lock       sync.Mutex
	predictors map[int]*evaluation.Predictor // by member
}

// newValidationScorer returns the scorer of the measure that chooses the best epoch.
func (e *Experiment) newValidationScorer() *validationScorer {
	return &validationScorer{experiment: e, predictors: make(map[int]*evaluation.Predictor)}
}

// score returns the measure of the predictions of the rows with these numbers by one member, whose network has the
// given weights. It is trainers.Options.ScoreValidation.
func (v *validationScorer) score(member int, weights *graph.Params, rows []int32) (float64, error) {
	e := v.experiment
	predictor, err := v.predictor(member, weights)
	if err != nil {
		return 0, err
	}
	rows = slices.Sorted(slices.Values(rows)) // the order in which a later evaluation adds their scores
	subset := e.prepared.Subset(convertRows[int](rows), e.Inputs, e.Targets)
	p, err := predictor.Predict(context.Background(), subset)
	if err != nil {
		return 0, err
	}
	if v.needsDensity() && (p.Family.Levels != nil || p.Family.Classes == 0 && !p.Family.HasStd) {
		return 0, fmt.Errorf("method %s predicts no density: choose its best epoch by %s", e.Spec.Method, validationCRPS)
	}
	targets := e.Spec.Architecture.Targets
	sum := 0.0
	sumWeights := 0.0
	for i, row := range rows {
		weight := 1.0
		if e.prepared.W != nil {
			weight = e.prepared.W[row]
		}
		for target := range targets {
			scaler := e.Targets[target]
			y := (e.prepared.Y[int(row)*targets+target] - scaler.Mean) / scaler.Std
			if math.IsNaN(y) { // unknown
				continue
			}
			sum += float64(weight * v.scoreRow(p.Values[i*targets+target], p.HasStd(), y))
			sumWeights += weight
		}
	}
	return sum / sumWeights, nil
}

// needsDensity reports whether the measure is of the predicted density.
func (v *validationScorer) needsDensity() bool {
	return v.experiment.Training.ValidationMeasure == validationNLL
}

// scoreRow returns the measure of the prediction of one standardised target. The CRPS of a network that predicts a
// number without a distribution is the absolute error, as if it were certain.
func (v *validationScorer) scoreRow(p models.Prediction, hasStd bool, y float64) float64 {
	switch {
	case v.needsDensity():
		return -p.LogDensity(y)
	case !hasStd:
		return math.Abs(y - p.Mean())
	}
	return p.CRPS(y)
}

// predictor returns the predictor of a member. The first call opens it; its networks have the member's weights, whose
// values change with the training.
func (v *validationScorer) predictor(member int, weights *graph.Params) (*evaluation.Predictor, error) {
	v.lock.Lock()
	defer v.lock.Unlock()
	if p := v.predictors[member]; p != nil {
		return p, nil
	}
	e := v.experiment
	sampling := e.Sampling()
	sampling.Samples = min(sampling.Samples, validationSamples)
	sampling.Workers = 1 // members run at the same time
	m := &models.Model{Spec: e.Spec, Inputs: e.Inputs, Targets: e.Targets, Members: []*graph.Params{weights}}
	p, err := evaluation.NewPredictor(m, sampling)
	if err != nil {
		return nil, err
	}
	v.predictors[member] = p
	return p, nil
}

// release releases the predictor of a member that has finished: beside the training, it would take as much memory as those of
// the running members.
func (v *validationScorer) release(member int) {
	v.lock.Lock()
	defer v.lock.Unlock()
	if p := v.predictors[member]; p != nil {
		p.Close()
	}
	delete(v.predictors, member)
}

// close releases the predictors.
func (v *validationScorer) close() {
	for member := range v.predictors {
		v.release(member)
	}
}
