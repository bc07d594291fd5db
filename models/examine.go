package models

import (
	"fmt"
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
	if err := s.examinePredictions(m, members); err != nil {
		return err
	}
	return s.repeatable(predicted.List())
}

// examinedRows is the number of rows that predictors are tried on.
const examinedRows = 3

// examinePredictions builds the predictor, and for several members the combiner, and tries
// them on outputs that networks may have.
func (s Spec) examinePredictions(m Method, members int) error {
	stored, err := s.examineAfterTraining(m)
	if err != nil {
		return err
	}
	if err := s.checkSubNetworks(m, stored); err != nil {
		return err
	}
	o := PredictionOptions{Stored: stored, Rows: examinedRows, Draws: plausibleDraws, Scalers: slices.Repeat(data.Scalers{{Name: "target", Mean: 1, Std: 2}}, max(1, s.Architecture.Targets))}
	p, err := s.NewPredictor(o)
	if err != nil {
		return err
	}
	defer p.Close()
	said, err := s.examineMembers(m, p, members)
	if err != nil {
		return err
	}
	if err := s.examineRows(m, p, said[0]); err != nil {
		return err
	}
	err = s.examineRepeated(m, "predictor", m.Predict, said[0], func() ([]float64, error) {
		again, err := s.NewPredictor(o)
		if err != nil {
			return nil, err
		}
		defer again.Close()
		return again.Run(s.Plausible(0, examinedRows), examinedRows)
	})
	if err != nil {
		return err
	}
	if err := s.examineUnusual(m, p); err != nil || members == 1 {
		return err
	}
	return s.examineCombiner(m, p, o, said)
}

// examineMembers returns the predictions of each member for ordinary outputs of its network, and
// an error if the predictor does not give predictions.
func (s Spec) examineMembers(m Method, p *NetworkPredictor, members int) ([][]float64, error) {
	said := make([][]float64, members)
	for k := range said {
		values, err := p.Run(s.Plausible(k, examinedRows), examinedRows)
		if err != nil {
			return nil, err
		}
		said[k] = slices.Clone(values)
		if err := p.examine("predictor", m, m.Predict, values); err != nil {
			return nil, err
		}
	}
	return said, nil
}

// examineCombiner builds the combiner and tries it on the predictions of the members.
func (s Spec) examineCombiner(m Method, p *NetworkPredictor, o PredictionOptions, said [][]float64) error {
	c, values, err := s.combine(p.PredictionGraph, o, said)
	if err != nil {
		return err
	}
	if err := c.examine("combiner", m, m.Combine, values); err != nil {
		return err
	}
	return s.examineRepeated(m, "combiner", m.Combine, values, func() ([]float64, error) {
		_, again, err := s.combine(p.PredictionGraph, o, said)
		return again, err
	})
}

// checkSubNetworks returns an error if the method predicts by sub-networks, has a function after the
// training, and all sub-networks are the full network.
func (s Spec) checkSubNetworks(m Method, stored []Matrix) error {
	if !m.Stochastic || m.AfterTraining == nil || m.Drop != NoLayers || SubNetworksOf(stored).Len() > 0 {
		return nil
	}
	b := graph.New(graph.Float32, new(graph.Params))
	f, err := s.Forward(b, examinedRows)
	if err != nil {
		return err
	}
	f(graph.Drop(0))
	if b.Err() == nil && len(graph.Inspect(b).Draws()) == 0 {
		return fmt.Errorf("method %s predicts by sub-networks, and they are all the full network: let AfterTraining add some (TrainedNetwork.AddSubNetwork), or set Drop, to models.AllLayers for instance%s", m.Name, sourceLine(m.AfterTraining))
	}
	return b.Err()
}

// combine builds the combiner and returns it, closed, with the combined prediction.
func (s Spec) combine(one *PredictionGraph, o PredictionOptions, said [][]float64) (*Combination, []float64, error) {
	c, err := s.NewCombination(one, len(said), o)
	if err != nil {
		return nil, nil, err
	}
	defer c.Close()
	values, err := c.Run(said, examinedRows)
	return c, values, err
}

// examine returns an error if a prediction of ordinary outputs is no distribution, or has an
// infinite parameter or NaN.
func (g *PredictionGraph) examine(who string, m Method, f any, values []float64) error {
	predictions, err := g.Predictions(values)
	if err != nil {
		return fmt.Errorf("the %s of method %s gives %w%s", who, m.Name, err, sourceLine(f))
	}
	for _, p := range predictions {
		if !p.Finite() {
			return fmt.Errorf("the %s of method %s gives %v %v for ordinary outputs of a network, and every number of it is to be finite%s", who, m.Name, g.Family.Parameters, p.parameters, sourceLine(f))
		}
	}
	return nil
}

// examineRows returns an error if the prediction of the first row changes with the others.
func (s Spec) examineRows(m Method, p *NetworkPredictor, want []float64) error {
	o := s.Plausible(0, examinedRows)
	width := len(o.Full) / examinedRows
	for _, values := range append([][]float32{o.Full}, o.Draws...) {
		for i := range values[width:] {
			values[width+i] += 0.3
		}
	}
	for _, values := range [][]float64{o.Mean, o.Std} {
		for i := range values[min(width, len(values)):] {
			values[width+i] += 0.3
		}
	}
	got, err := p.Run(o, examinedRows)
	if err != nil {
		return err
	}
	row := len(got) / examinedRows
	if !slices.Equal(got[:row], want[:row]) {
		return fmt.Errorf("the predictor of method %s predicts %v of a row, and %v where other rows of the batch are others: let it use operations on elements alone%s", m.Name, want[:row], got[:row], sourceLine(m.Predict))
	}
	return nil
}

// examineRepeated returns an error if the predictor or combiner f, built again, gives other
// values.
func (s Spec) examineRepeated(m Method, who string, f any, want []float64, again func() ([]float64, error)) error {
	got, err := again()
	if err == nil && !slices.Equal(got, want) {
		err = fmt.Errorf("the %s of method %s gives %v and, built again, %v: let it keep nothing between calls%s", who, m.Name, want, got, sourceLine(f))
	}
	return err
}

// examineUnusual tries outputs of either sign, large, and 0: a negative standard deviation
// is an error.
func (s Spec) examineUnusual(m Method, p *NetworkPredictor) error {
	for _, by := range []float64{-1, 0, 30, -30} {
		o := s.Plausible(0, examinedRows)
		for i := range o.Full {
			o.Full[i] = float32(by * (1 + float64(0.1*float64(i))))
		}
		for i := range o.Mean {
			o.Mean[i] = float64(o.Full[i])
		}
		values, err := p.Run(o, examinedRows)
		if err != nil {
			return err
		}
		if _, err := p.Predictions(values); err != nil {
			return fmt.Errorf("the predictor of method %s gives %w, for the outputs %v%s", m.Name, err, o.Full[:len(o.Full)/examinedRows], sourceLine(m.Predict))
		}
	}
	return nil
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

// plausibleDraws is the number of sub-networks of Plausible.
const plausibleDraws = 2

// Plausible returns what member k of a trained model may say of rows, for trying a
// predictor.
func (s Spec) Plausible(k, rows int) NetworkOutputs {
	m, err := Lookup(s.Method)
	if err != nil {
		return NetworkOutputs{}
	}
	var o NetworkOutputs
	width := s.Architecture.OutputsPerTarget() * max(1, s.Architecture.Targets)
	for i := range rows * width {
		at := float64(0.1 * float64(1+k+i))
		o.Full = append(o.Full, float32(at))
		if m.Stochastic {
			o.Mean, o.Std = append(o.Mean, at+0.05), append(o.Std, 0.3)
		}
	}
	if m.Draws {
		for _, off := range []float64{-0.212, 0.212} { // two draws with that standard deviation
			var draw []float32
			for _, mean := range o.Mean {
				draw = append(draw, float32(mean+off))
			}
			o.Draws = append(o.Draws, draw)
		}
	}
	return o
}
