package models

import (
	"fmt"
	"slices"

	"sml/data"
	"sml/graph"
)

// Examine returns an error for mistakes in the method or the network that would otherwise show only
// after the training. It builds the networks of a prediction, calls the predictor and, for several
// members, the combiner on invented outputs, calls AfterTraining on invented rows, and builds the
// objective more than once.
func (s Spec) Examine(members int) error {
	m, err := Lookup(s.Method)
	if err != nil {
		return err
	}
	predictionParams := new(graph.Params)
	for _, rows := range []int{2, 3} { // a network with a wrong constant for the number of rows fails at one of them
		b := graph.New(graph.Float32, predictionParams)
		forward, err := s.Forward(b, rows)
		if err != nil {
			return err
		}
		forward(graph.Full)
		if m.UsesSubNetworks() {
			forward(graph.Drop(0))
		}
		if err := b.Err(); err != nil {
			return err
		}
	}
	if err := s.examinePredictions(m, members); err != nil {
		return err
	}
	return s.examineObjective(predictionParams.List())
}

// examinedRows is the number of invented rows on which predictors are tried.
const examinedRows = 3

// examinePredictions returns an error if the predictor or, for several members, the combiner fails on
// plausible or unusual outputs of networks, if the prediction of a row depends on other rows, or if two
// graphs of the same function differ in their predictions.
func (s Spec) examinePredictions(m Method, members int) error {
	stored, err := s.examineAfterTraining(m)
	if err != nil {
		return err
	}
	if err := s.checkSubNetworks(m, stored); err != nil {
		return err
	}
	scaler := data.Scaler{Name: "target", Mean: 1, Std: 2}
	o := PredictionOptions{
		Stored:  stored,
		Rows:    examinedRows,
		Draws:   plausibleDraws,
		Scalers: slices.Repeat(data.Scalers{scaler}, max(1, s.Architecture.Targets)),
	}
	p, err := s.NewPredictor(o)
	if err != nil {
		return err
	}
	defer p.Close()
	members *= s.Architecture.CopyCount() // all copies are combined
	predictions, err := s.examineMembers(m, p, members)
	if err != nil {
		return err
	}
	if err := s.examineRowIndependence(m, p, predictions[0]); err != nil {
		return err
	}
	predictAgain := func() ([]float64, error) { return s.predictPlausible(o) }
	if err := s.examineRepetition(m, "predictor", m.Predict, predictions[0], predictAgain); err != nil {
		return err
	}
	if err := s.examineUnusualOutputs(m, p); err != nil {
		return err
	}
	if members == 1 { // there is nothing to combine
		return nil
	}
	return s.examineCombiner(m, p, o, predictions)
}

// predictPlausible builds a new graph of the predictor, and returns its predictions for plausible outputs of
// the first member.
func (s Spec) predictPlausible(o PredictionOptions) ([]float64, error) {
	p, err := s.NewPredictor(o)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return p.Run(s.PlausibleOutputs(0, examinedRows), examinedRows)
}

// examineMembers returns the predictions of each member for plausible outputs of its network. It returns
// an error if they are not valid.
func (s Spec) examineMembers(m Method, p *NetworkPredictor, members int) ([][]float64, error) {
	predictions := make([][]float64, members)
	for k := range predictions {
		values, err := p.Run(s.PlausibleOutputs(k, examinedRows), examinedRows)
		if err != nil {
			return nil, err
		}
		predictions[k] = slices.Clone(values)
		if err := p.checkFinite("predictor", m, m.Predict, values); err != nil {
			return nil, err
		}
	}
	return predictions, nil
}

// examineCombiner returns an error if the combiner fails on the predictions of the members.
func (s Spec) examineCombiner(m Method, p *NetworkPredictor, o PredictionOptions, predictions [][]float64) error {
	c, values, err := s.combine(p.PredictionGraph, o, predictions)
	if err != nil {
		return err
	}
	if err := c.checkFinite("combiner", m, m.Combine, values); err != nil {
		return err
	}
	combineAgain := func() ([]float64, error) {
		_, repeated, err := s.combine(p.PredictionGraph, o, predictions)
		return repeated, err
	}
	return s.examineRepetition(m, "combiner", m.Combine, values, combineAgain)
}

// checkSubNetworks returns an error if the method predicts by sub-networks that are all the same as the
// full network: they drop nothing, and AfterTraining adds none.
func (s Spec) checkSubNetworks(m Method, stored []Matrix) error {
	// A method without AfterTraining whose sub-networks drop nothing fails in the pass itself.
	mayLackSubNetworks := m.UsesSubNetworks() && m.AfterTraining != nil && m.DropLayers == NoLayers
	if !mayLackSubNetworks || FindSubNetworks(stored).Len() > 0 {
		return nil
	}
	b := graph.New(graph.Float32, new(graph.Params))
	forward, err := s.Forward(b, examinedRows)
	if err != nil {
		return err
	}
	forward(graph.Drop(0))
	if b.Err() == nil && len(graph.Inspect(b).Draws()) == 0 {
		return fmt.Errorf("method %s predicts by sub-networks, and they are all the full network: let AfterTraining add some (TrainedNetwork.AddSubNetwork), or set DropLayers, to models.AllLayers for instance%s", m.Name, sourceLine(m.AfterTraining))
	}
	return b.Err()
}

// combine returns a new graph of the combiner, which is closed, and the combined predictions.
func (s Spec) combine(member *PredictionGraph, o PredictionOptions, predictions [][]float64) (*Combination, []float64, error) {
	c, err := s.NewCombination(member, len(predictions), o)
	if err != nil {
		return nil, nil, err
	}
	defer c.Close()
	values, err := c.Run(predictions, examinedRows)
	return c, values, err
}

// checkFinite returns an error if a prediction for plausible outputs is not a valid distribution, or has
// a parameter that is not finite. kind is "predictor" or "combiner", and function is the method's.
func (g *PredictionGraph) checkFinite(kind string, m Method, function any, values []float64) error {
	predictions, err := g.Predictions(values)
	if err != nil {
		return fmt.Errorf("the %s of method %s gives %w%s", kind, m.Name, err, sourceLine(function))
	}
	for _, p := range predictions {
		if !p.IsFinite() {
			return fmt.Errorf("the %s of method %s gives %v %v for ordinary outputs of a network: want finite numbers%s", kind, m.Name, g.Family.Parameters, p.parameters, sourceLine(function))
		}
	}
	return nil
}

// examineRowIndependence returns an error if the prediction of the first row changes when the outputs for
// the other rows change. want is the prediction for plausible outputs.
func (s Spec) examineRowIndependence(m Method, p *NetworkPredictor, want []float64) error {
	const change = 0.3
	o := s.PlausibleOutputs(0, examinedRows)
	outputsPerRow := len(o.Full) / examinedRows
	for _, values := range append([][]float32{o.Full}, o.Draws...) {
		for i := range values[outputsPerRow:] {
			values[outputsPerRow+i] += change
		}
	}
	for _, values := range [][]float64{o.Mean, o.Std} {
		for i := range values[min(outputsPerRow, len(values)):] {
			values[outputsPerRow+i] += change
		}
	}
	got, err := p.Run(o, examinedRows)
	if err != nil {
		return err
	}
	valuesPerRow := len(got) / examinedRows
	if !slices.Equal(got[:valuesPerRow], want[:valuesPerRow]) {
		return fmt.Errorf("the predictor of method %s predicts %v for a row, and %v if the other rows of the batch change: use only operations on elements%s", m.Name, want[:valuesPerRow], got[:valuesPerRow], sourceLine(m.Predict))
	}
	return nil
}

// examineRepetition returns an error if the predictor or combiner gives other values when repeat builds it
// again. kind is "predictor" or "combiner", and function is the method's.
func (s Spec) examineRepetition(m Method, kind string, function any, want []float64, repeat func() ([]float64, error)) error {
	got, err := repeat()
	if err != nil {
		return err
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("the %s of method %s gives %v and, built again, %v: it must not store anything between calls%s", kind, m.Name, want, got, sourceLine(function))
	}
	return nil
}

// examineUnusualOutputs returns an error if the predictions for negative, large or zero outputs are not
// valid distributions, for instance because a standard deviation is negative.
func (s Spec) examineUnusualOutputs(m Method, p *NetworkPredictor) error {
	for _, factor := range []float64{-1, 0, 30, -30} { // no standardised output of a trained network is as large as 30
		o := s.PlausibleOutputs(0, examinedRows)
		for i := range o.Full {
			differs := 1 + float64(0.1*float64(i)) // so that no two outputs are equal
			o.Full[i] = float32(factor * differs)
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

// examineObjective returns an error if the objective builds different graphs in different calls, or if it
// does not train a parameter that predictions use.
func (s Spec) examineObjective(predicted []graph.Param) error {
	const calls = 3 // the iteration of a small map may have the same order twice
	params := new(graph.Params)
	var first *graph.Node
	for i := range calls {
		loss, err := s.Loss(graph.New(graph.Float32, params), 2)
		if err != nil {
			return err
		}
		if i == 0 {
			first = loss
			continue
		}
		if !graph.SameComputation(first, loss) {
			return fmt.Errorf("the objective of method %s builds a different graph in each call, so that its trainings could not be repeated: take random numbers from dropout masks or noise, and nothing from a clock, a generator, the order of a map or an earlier call", s.Method)
		}
	}
	for _, p := range predicted {
		if !slices.ContainsFunc(params.List(), func(q graph.Param) bool { return q.Name == p.Name }) {
			return fmt.Errorf("the network of method %s has the parameter %q in predictions, and in no pass of the objective: nothing would train it", s.Method, p.Name)
		}
	}
	return nil
}

// plausibleDraws is the number of sub-networks of PlausibleOutputs.
const plausibleDraws = 2

// PlausibleOutputs returns plausible outputs of member k of a trained model for the given number of rows, to
// try a predictor: 0.1, 0.2, …, from 0.1·(1 + k) on.
func (s Spec) PlausibleOutputs(k, rows int) NetworkOutputs {
	m, err := Lookup(s.Method)
	if err != nil {
		return NetworkOutputs{}
	}
	const std = 0.3
	var o NetworkOutputs
	outputsPerRow := s.Architecture.OutputsPerTarget() * max(1, s.Architecture.Targets)
	for i := range rows * outputsPerRow {
		output := float64(0.1 * float64(1+k+i))
		o.Full = append(o.Full, float32(output))
		if m.UsesSubNetworks() {
			o.Mean = append(o.Mean, output+0.05)
			o.Std = append(o.Std, std)
		}
	}
	if m.SubNetworks != EachSubNetwork {
		return o
	}
	for _, deviation := range []float64{-0.212, 0.212} { // two draws with the standard deviation std
		var draw []float32
		for _, mean := range o.Mean {
			draw = append(draw, float32(mean+deviation))
		}
		o.Draws = append(o.Draws, draw)
	}
	return o
}
