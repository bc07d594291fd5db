package models

import (
	"fmt"
	"math"
	"slices"

	"sml/graph"
)

// Examine tries what a training of the spec leads to, so that a mistake shows
// before it and not behind: it calls the predictor and, for several members, the
// combiner, builds the networks that a prediction runs, and the objective more
// than once.
func (s Spec) Examine(members int) error {
	m, err := Lookup(s.Method)
	if err != nil {
		return err
	}
	predicted := new(graph.Params)
	b := graph.New(graph.Float32, predicted)
	f, err := s.Forward(b, 2)
	if err != nil {
		return err
	}
	f(graph.Full)
	if m.Stochastic {
		f(graph.Drop(0))
	}
	if err := b.Err(); err != nil {
		return err
	}
	said := make([]Prediction, members)
	for k := range said {
		if said[k], err = m.Prediction(m.plausible(k)); err != nil {
			return err
		}
		if err := said[k].checkFinite("predictor", m.Name); err != nil {
			return err
		}
	}
	if err := m.unusual(); err != nil {
		return err
	}
	p, err := m.Combination(slices.Clone(said))
	if err != nil {
		return err
	}
	if err := p.checkFinite("combiner", m.Name); err != nil {
		return err
	}
	return s.repeatable(predicted.List())
}

// repeatable returns an error if the objective is another one when it is built
// again, or if it does not have the parameters that predictions need.
func (s Spec) repeatable(predicted []graph.Param) error {
	const times = 3 // a map of a few keys may have one order twice
	params := new(graph.Params)
	var first *graph.Node
	for i := range times {
		loss, err := s.Loss(graph.New(graph.Float32, params), 2)
		if err != nil {
			return err
		}
		if i == 0 {
			first = loss
		} else if !graph.Same(first, loss) {
			return fmt.Errorf("the objective of method %s is another one each time it is built, and its trainings could not be repeated: take random numbers from Dropout's masks, and nothing from a clock, a generator, the order of a map or an earlier call", s.Method)
		}
	}
	for _, p := range predicted {
		if !slices.ContainsFunc(params.List(), func(q graph.Param) bool { return q.Name == p.Name }) {
			return fmt.Errorf("the network of method %s has the parameter %q in predictions, and in no pass that the objective asks for: nothing would train it", s.Method, p.Name)
		}
	}
	return nil
}

// plausible makes moments as they may come from member k of a trained model.
func (m Method) plausible(k int) Moments {
	var d Moments
	for o := range max(1, m.Outputs) {
		at := float64(0.1 * float64(1+k+o))
		d.Full = append(d.Full, at)
		if m.Stochastic {
			d.Mean, d.Std = append(d.Mean, at+0.05), append(d.Std, 0.3)
		}
	}
	return d
}

// unusual calls the predictor with outputs of either sign, large, and 0: what Prediction
// finds wrong, such as a negative standard deviation, is an error.
func (m Method) unusual() error {
	d := m.plausible(0)
	for _, by := range []float64{-1, 0, 30, -30} {
		for _, values := range [][]float64{d.Full, d.Mean} {
			for o := range values {
				values[o] = by * (1 + float64(0.1*float64(o)))
			}
		}
		if _, err := m.Prediction(d); err != nil {
			return err
		}
	}
	return nil
}

// checkFinite returns an error if there is anything in a prediction, of ordinary
// moments, that is not a finite number.
func (p Prediction) checkFinite(who, method string) error {
	for _, v := range []float64{p.Mean, p.Std, p.StdDrop, p.MeanShift} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("the %s of method %s gives %+v for ordinary outputs of a network, and every number of it is to be finite", who, method, p)
		}
	}
	return nil
}
