package models

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"sml/data"
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
	for _, rows := range []int{2, 3} { // whoever takes another number for that of rows meets it by chance once
		b := graph.New(graph.Float32, predicted)
		f, err := s.Forward(b, rows)
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
	}
	for target := range max(1, s.Architecture.Targets) {
		if err := s.examinePrediction(m, members, target); err != nil {
			return err
		}
	}
	return s.repeatable(predicted.List())
}

// examinePrediction calls the predictor for a target, and for several members the
// combiner.
func (s Spec) examinePrediction(m Method, members, target int) error {
	said := make([]Prediction, members)
	var d Moments
	for k := range said {
		row, err := s.Plausible(k)
		if err != nil {
			return err
		}
		d = row[target]
		if said[k], err = m.Prediction(d); err != nil {
			return err
		}
		if err := said[k].ordinary("predictor", m); err != nil {
			return err
		}
		if d, err = s.pure(m, k, target, d, said[k]); err != nil {
			return err
		}
	}
	if err := m.unusual(d); err != nil {
		return err
	}
	copied := func() []Prediction { // a combiner may sort them
		list := slices.Clone(said)
		for i, p := range list {
			list[i].Quantiles, list[i].Probabilities = slices.Clone(p.Quantiles), slices.Clone(p.Probabilities)
		}
		return list
	}
	p, err := m.Combination(copied(), d)
	if err != nil {
		return err
	}
	if err := p.ordinary("combiner", m); err != nil {
		return err
	}
	again, err := m.Combination(copied(), d)
	if err == nil && !again.Equal(p) {
		err = remembers("combiner", m.Name, p, again, declaredAt(m.Combine))
	}
	return err
}

// pure returns the same moments anew, and an error if the predictor changed d, those of a
// target of member k that it made p of, or if it makes something else of the new ones
// when the old are gone.
func (s Spec) pure(m Method, k, target int, d Moments, p Prediction) (Moments, error) {
	fresh, err := s.Plausible(k)
	if err != nil {
		return d, err
	}
	if !reflect.DeepEqual(d.All, fresh) {
		return d, fmt.Errorf("the predictor of method %s changes the moments that it is given: let it work on a copy%s", m.Name, declaredAt(m.Predict))
	}
	for _, values := range append([][]float64{d.Full, d.Mean, d.Std}, d.Draws...) {
		for i := range values {
			values[i] = math.NaN()
		}
	}
	again, err := m.Prediction(fresh[target])
	if err == nil && !again.Equal(p) {
		err = remembers("predictor", m.Name, p, again, declaredAt(m.Predict))
	}
	return fresh[target], err
}

func remembers(who, method string, p, again Prediction, at string) error {
	return fmt.Errorf("the %s of method %s gives %+v and, called again with the same, %+v: it is called for many rows, by several goroutines, so let it keep nothing between calls, and draw no random numbers%s", who, method, p, again, at)
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

// Plausible makes moments of each target as they may come from member k of a trained
// model, for trying a predictor.
func (s Spec) Plausible(k int) ([]Moments, error) {
	m, err := Lookup(s.Method)
	if err != nil {
		return nil, err
	}
	levels, err := s.Levels()
	if err != nil {
		return nil, err
	}
	all := make([]Moments, max(1, s.Architecture.Targets))
	for target := range all {
		d := Moments{Target: target, Scale: data.Scaler{Name: "target", Mean: 1, Std: 2}, Levels: levels, All: all}
		for o := range max(1, m.Outputs) {
			at := float64(0.1 * float64(1+k+o+target))
			d.Full = append(d.Full, at)
			if m.Stochastic {
				d.Mean, d.Std = append(d.Mean, at+0.05), append(d.Std, 0.3)
			}
		}
		if m.Draws {
			for _, off := range []float64{-0.212, 0.212} { // of two draws with that standard deviation
				var draw []float64
				for _, mean := range d.Mean {
					draw = append(draw, mean+off)
				}
				d.Draws = append(d.Draws, draw)
			}
		}
		all[target] = d
	}
	return all, nil
}

// unusual calls the predictor with outputs of either sign, large, and 0: what Prediction
// finds wrong, such as a negative standard deviation, is an error.
func (m Method) unusual(d Moments) error {
	d.Full, d.Mean = slices.Clone(d.Full), slices.Clone(d.Mean)
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

// ordinary returns an error if there is anything in a prediction, of ordinary
// moments, that is not a finite number, or if it does not say what it has.
func (p Prediction) ordinary(who string, m Method) error {
	if !p.Finite() {
		return fmt.Errorf("the %s of method %s gives %+v for ordinary outputs of a network, and every number of it is to be finite", who, m.Name, p)
	}
	if len(p.Quantiles) > 0 && p.Std == 0 && !p.NoStd {
		return fmt.Errorf("the %s of method %s gives quantiles and a standard deviation of 0: if it has none, let it say NoStd: true", who, m.Name)
	}
	return nil
}
