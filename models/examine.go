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
		if err := s.DeclareNetwork(predictionParams, rows); err != nil {
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
	networks := members * s.Architecture.CopyCount()
	g, err := s.NewPredictionGraph(networks, o)
	if err != nil {
		return err
	}
	defer g.Close()
	single, combined, err := g.predictPlausible(s, networks)
	if err != nil {
		return err
	}
	for _, values := range single {
		if err := g.network.checkFinite(values); err != nil {
			return err
		}
	}
	if err := g.result().checkFinite(combined); err != nil {
		return err
	}
	if err := g.examineRowIndependence(s, single[0]); err != nil {
		return err
	}
	if err := g.examineUnusualOutputs(s); err != nil {
		return err
	}
	return s.examineRepetition(g, o, single, combined)
}

// examineRepetition returns an error if the graph gives other predictions when it is built again. single and combined are
// the predictions of g for plausible outputs.
func (s Spec) examineRepetition(g *PredictionGraph, o PredictionOptions, single [][]float64, combined []float64) error {
	again, err := s.NewPredictionGraph(len(single), o)
	if err != nil {
		return err
	}
	defer again.Close()
	singleAgain, combinedAgain, err := again.predictPlausible(s, len(single))
	if err != nil {
		return err
	}
	if err := g.network.checkRepeated(single[0], singleAgain[0]); err != nil {
		return err
	}
	return g.result().checkRepeated(combined, combinedAgain)
}

// predictPlausible returns the predictions of each network, and of all together, for plausible outputs.
func (g *PredictionGraph) predictPlausible(s Spec, networks int) (single [][]float64, combined []float64, err error) {
	for k := range networks {
		values, err := g.Run(s.PlausibleOutputs(k, examinedRows), examinedRows)
		if err != nil {
			return nil, nil, err
		}
		single = append(single, values)
	}
	combined, err = g.combineValues(single, examinedRows)
	return single, combined, err
}

// checkSubNetworks returns an error if the method predicts by sub-networks that are all the same as the
// full network: they drop nothing, and AfterTraining adds none.
func (s Spec) checkSubNetworks(m Method, stored []Matrix) error {
	// A method without AfterTraining whose sub-networks drop nothing fails in the pass itself.
	mayLackSubNetworks := m.UsesSubNetworks() && m.AfterTraining != nil && m.DropLayers == NoLayers
	if !mayLackSubNetworks || findSubNetworks(stored).Len() > 0 {
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

// checkFinite returns an error if a prediction for plausible outputs is not a valid distribution, or has
// a parameter that is not finite.
func (r *predictionRunner) checkFinite(values []float64) error {
	predictions, err := r.predictions(values)
	if err != nil {
		return fmt.Errorf("%s gives %w%s", r.who, err, r.line)
	}
	for _, p := range predictions {
		if !p.IsFinite() {
			return fmt.Errorf("%s gives %v %v for ordinary outputs of a network: want finite numbers%s", r.who, r.Family.Parameters, p.parameters, r.line)
		}
	}
	return nil
}

// examineRowIndependence returns an error if the prediction of the first row changes when the outputs for
// the other rows change. want is the prediction for plausible outputs.
func (g *PredictionGraph) examineRowIndependence(s Spec, want []float64) error {
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
	got, err := g.Run(o, examinedRows)
	if err != nil {
		return err
	}
	valuesPerRow := len(got) / examinedRows
	if !slices.Equal(got[:valuesPerRow], want[:valuesPerRow]) {
		return fmt.Errorf("%s predicts %v for a row, and %v if the other rows of the batch change: use only operations on elements%s", g.network.who, want[:valuesPerRow], got[:valuesPerRow], g.network.line)
	}
	return nil
}

// checkRepeated returns an error unless the function gives the same values when it is built again.
func (r *predictionRunner) checkRepeated(first, repeated []float64) error {
	if slices.Equal(first, repeated) {
		return nil
	}
	return fmt.Errorf("%s gives %v and, built again, %v: it must not store anything between calls%s", r.who, first, repeated, r.line)
}

// examineUnusualOutputs returns an error if the predictions for negative, large or zero outputs are not
// valid distributions, for instance because a standard deviation is negative.
func (g *PredictionGraph) examineUnusualOutputs(s Spec) error {
	for _, factor := range []float64{-1, 0, 30, -30} { // no standardised output of a trained network is as large as 30
		o := s.PlausibleOutputs(0, examinedRows)
		for i := range o.Full {
			differs := 1 + float64(0.1*float64(i)) // so that no two outputs are equal
			o.Full[i] = float32(factor * differs)
		}
		for i := range o.Mean {
			o.Mean[i] = float64(o.Full[i])
		}
		values, err := g.Run(o, examinedRows)
		if err != nil {
			return err
		}
		if _, err := g.network.predictions(values); err != nil {
			return fmt.Errorf("%s gives %w, for the outputs %v%s", g.network.who, err, o.Full[:len(o.Full)/examinedRows], g.network.line)
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
