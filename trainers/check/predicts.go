package check

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/graph"
	"sml/internal/kernels"
	"sml/internal/statistics"
	"sml/models"
	"sml/trainers"
)

// predictDraws is the number of sub-networks that a prediction looks at.
const predictDraws = 50

// predicts runs the predictor on the rows of the training, whose targets have a unit of
// their own. The predicted mean has to be near the targets. With zeroStd all standard
// deviations may be 0. It returns R² of the mean as well, which is −∞ if there is no mean.
func predicts(s models.Spec, m models.Method, trained *trainers.Result, rows data.Subset, zeroStd bool, seed uint64) (Finding, float64) {
	const check = "predicts"
	none := math.Inf(-1)
	said, err := outputsOf(s, m, trained, rows, seed)
	if err != nil {
		return failedFinding(check, err), none
	}
	found, err := predictRows(s, m, said, rows)
	if err == nil {
		err = checkPredictions(m, found, zeroStd)
	}
	if err != nil {
		return failedFinding(check, err), none
	}
	if m.ForClasses() {
		return Finding{Check: check, Status: Passed, Says: "every row has probabilities of the classes"}, none
	}
	targets := s.Architecture.Targets
	y := standardised(s, rows)
	share := explained(s, y, func(at int) float64 { return found[at].Mean() })
	best, output := none, 0
	outputs := s.Architecture.OutputsPerTarget()
	for o := range outputs {
		says := func(at int) float64 { return float64(said.Full[(at/targets*outputs+o)*targets+at%targets]) }
		if v := explained(s, y, says); v > best {
			best, output = v, o
		}
	}
	f := Finding{Check: check, Status: Passed, Says: fmt.Sprintf("the mean of the rows that were learnt has an R² of %.3g", share)}
	wrong := !(share >= 0)
	if wrong {
		f.Status = Failed
		f.Says += ", less than the 0 of a constant"
	}
	switch {
	case share < fitted && best > 0.8:
		if !wrong {
			f.Status = Noted
		}
		f.Says += fmt.Sprintf(", and output %d of the network, counted from 0, one of %.3g: the predictor says another mean, or not standardised, as outputs are", output, best)
	case wrong && !looksAtTargets(s):
		f.Status = Noted
		f.Says += ": the objective looks at a trained model alone, which knows nothing of these rows"
	case wrong:
		f.Says += ": is the loss maximised, or does the predictor read what is not trained?"
	}
	return f, share
}

// looksAtTargets reports whether the objective depends on the targets. A distillation may not.
func looksAtTargets(s models.Spec) bool {
	b := graph.New(graph.Float32, new(graph.Params))
	loss, err := s.Loss(b, rows)
	return err != nil || graph.Inspect(b).DependsOn(loss, models.InputY)
}

// predictRows returns the prediction of each row and target, by one network. If the method
// is an ensemble, its combiner gets the prediction as many times as the ensemble has members.
func predictRows(s models.Spec, m models.Method, said models.NetworkOutputs, rows data.Subset) ([]models.Prediction, error) {
	count := len(rows.Y) / s.Architecture.Targets
	o := models.PredictionOptions{Rows: count, Draws: max(1, len(said.Draws)), Scalers: rows.YScale, Stored: said.Stored}
	one, err := s.NewPredictor(o)
	if err != nil {
		return nil, err
	}
	defer one.Close()
	values, err := one.Run(said, count)
	if err != nil {
		return nil, err
	}
	if m.Combine == nil {
		return one.Predictions(values)
	}
	members := max(2, m.Members)
	c, err := s.NewCombination(one.PredictionGraph, members, o)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	combined, err := c.Run(slices.Repeat([][]float64{values}, members), count)
	if err != nil {
		return nil, err
	}
	return c.Predictions(combined)
}

// checkPredictions returns an error if a prediction of rows that the network learned is not
// finite, or if every standard deviation is 0 and zeroStd does not allow it.
func checkPredictions(m models.Method, found []models.Prediction, zeroStd bool) error {
	zeros := 0
	for _, p := range found {
		if !p.Finite() {
			return fmt.Errorf("the predictor of method %s gives numbers that are not finite for a row that the network learnt", m.Name)
		}
		if p.Std() == 0 {
			zeros++
		}
	}
	if zeros == len(found) && m.Combine == nil && !zeroStd {
		return fmt.Errorf("the predictor of method %s gives a standard deviation of 0 for every row, and is judged by it: if it has none, let it predict a distribution.Point", m.Name)
	}
	return nil
}

// explained is R², over the rows of a batch and all targets.
func explained(s models.Spec, y []float64, says func(at int) float64) float64 {
	targets := s.Architecture.Targets
	left, all := 0.0, 0.0
	for target := range targets {
		mean := 0.0
		for row := range overfitRows {
			mean += float64(y[row*targets+target] / overfitRows)
		}
		for at := target; at < len(y); at += targets {
			e, d := says(at)-y[at], y[at]-mean
			left, all = left+float64(e*e), all+float64(d*d)
		}
	}
	return 1 - left/all
}

// outputsOf returns the outputs of the first network of a training for rows.
func outputsOf(s models.Spec, m models.Method, trained *trainers.Result, rows data.Subset, seed uint64) (models.NetworkOutputs, error) {
	count := len(rows.Y) / s.Architecture.Targets
	layers := make(map[string][]float32) // of the full network
	said := models.NetworkOutputs{Layers: layers}
	if trained.Stored != nil {
		said.Stored = trained.Stored[0]
	}
	stored := models.SubNetworksOf(said.Stored)
	run := func(pass graph.Pass, draws int) (outputs [][]float32, err error) {
		params := trained.Members[0]
		if stored.Len() > 0 {
			params, draws = params.Clone(), min(draws, stored.Len())
		}
		b := graph.New(graph.Float32, params)
		f, err := s.Forward(b, count)
		if err != nil {
			return nil, err
		}
		out := f(pass)
		if err := b.Err(); err != nil {
			return nil, err
		}
		nodes := graph.Nodes{out}
		var named []graph.Layer
		if pass == graph.Full {
			named = graph.Inspect(b).Layers
		}
		for _, l := range named {
			nodes = append(nodes, l.Node)
		}
		r, err := graph.NewRunner(graph.Compiled, b, nodes...)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		kernels.Gather(r.Input(models.InputX), rows.X, s.Architecture.Inputs, rows.RowNumbers(s.Architecture.Inputs), nil, nil)
		for draw := range draws {
			r.SampleMasks(graph.MaskKey{Seed: seed, Step: uint32(draw)})
			if pass != graph.Full && stored.Len() > 0 {
				stored.Load(draw, params)
			}
			if err := r.Run(); err != nil {
				return nil, err
			}
			outputs = append(outputs, slices.Clone(r.Output(0)))
		}
		for i, l := range named {
			layers[l.Name] = slices.Clone(r.Output(1 + i))
		}
		return outputs, nil
	}
	full, err := run(graph.Full, 1)
	if err != nil {
		return models.NetworkOutputs{}, err
	}
	said.Full = full[0]
	if !m.Stochastic {
		return said, nil
	}
	drawn, err := run(graph.Drop(0), predictDraws)
	if err != nil {
		return said, err
	}
	values := make([]float64, len(drawn))
	for at := range full[0] {
		for draw := range drawn {
			values[draw] = float64(drawn[draw][at])
		}
		mean, std := statistics.MeanStd(values)
		said.Mean, said.Std = append(said.Mean, mean), append(said.Std, std)
	}
	if m.Draws {
		said.Draws = drawn
	}
	return said, nil
}
