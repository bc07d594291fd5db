package check

import (
	"fmt"
	"math"
	"sync"

	"sml/data"
	"sml/graph"
	"sml/internal/kernels"
	"sml/models"
)

const (
	predictDraws = 50 // sub-networks that a prediction looks at
	predictCalls = 50 // times that each row is predicted by several goroutines
)

// predicts calls the predictor on the rows of the training, whose targets have a unit of
// their own. The predicted mean has to be near the targets, and the same if several
// goroutines predict at once. With zeroStd all standard deviations may be 0. It returns R² of
// the mean as well, which is −∞ if there is no mean.
func predicts(s models.Spec, m models.Method, trained *graph.Params, rows data.Subset, zeroStd bool, seed uint64) (Finding, float64) {
	const check = "predicts"
	none := math.Inf(-1)
	said, err := momentsOf(s, m, trained, rows, seed)
	if err != nil {
		return failedFinding(check, err), none
	}
	found, err := predictRows(m, said, zeroStd)
	if err != nil {
		return failedFinding(check, err), none
	}
	y := standardised(s, rows)
	share := explained(s, y, func(at int) float64 { return found[at].Mean })
	best, output := none, 0
	for o := range said[0].Full {
		if v := explained(s, y, func(at int) float64 { return said[at].Full[o] }); v > best {
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
	case m.Classes == 0 && share < fitted && best > 0.8:
		if !wrong {
			f.Status = Noted
		}
		f.Says += fmt.Sprintf(", and output %d of the network, counted from 0, one of %.3g: the predictor says another mean, or not standardised, as outputs are", output, best)
	case wrong:
		f.Says += ": is the loss maximised, or does the predictor read what is not trained?"
	}
	return f, share
}

// predictRows returns the prediction of each row. It returns an error if one is not finite,
// if every standard deviation is 0 and zeroStd does not allow it, or if a predictor says anything else where several
// goroutines call it.
func predictRows(m models.Method, said []models.Moments, zeroStd bool) ([]models.Prediction, error) {
	var found []models.Prediction
	claims := 0 // rows whose standard deviation is 0
	for _, d := range said {
		p, err := m.Prediction(d)
		if err != nil {
			return nil, err
		}
		if !p.Finite() {
			return nil, fmt.Errorf("the predictor of method %s gives %+v for a row that the network learnt, and every number of it is to be finite", m.Name, p)
		}
		if !p.NoStd && p.Std == 0 {
			claims++
		}
		found = append(found, p)
	}
	if err := concurrently(m, said, found); err != nil {
		return nil, err
	}
	if claims == len(found) && m.Combine == nil && !zeroStd {
		return nil, fmt.Errorf("the predictor of method %s gives a standard deviation of 0 for every row, and is judged by it: if it has none, let it say NoStd: true", m.Name)
	}
	return found, nil
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

// concurrently returns an error if a predictor says anything else where several
// goroutines call it.
func concurrently(m models.Method, said []models.Moments, found []models.Prediction) error {
	wrong := make([]error, 4)
	var group sync.WaitGroup
	for k := range wrong {
		group.Go(func() {
			for call := range predictCalls * len(said) {
				at := (call*(2*k+1) + k) % len(said)
				p, err := m.Prediction(said[at])
				if err == nil && !p.Equal(found[at]) {
					err = fmt.Errorf("the predictor of method %s gives %+v of a row, and %+v where several goroutines call it: let it keep nothing between calls, and share nothing", m.Name, found[at], p)
				}
				if err != nil {
					wrong[k] = err
					return
				}
			}
		})
	}
	group.Wait()
	for _, err := range wrong {
		if err != nil {
			return err
		}
	}
	return nil
}

// momentsOf returns what a network says of rows, target by target.
func momentsOf(s models.Spec, m models.Method, params *graph.Params, rows data.Subset, seed uint64) ([]models.Moments, error) {
	levels, err := s.Levels()
	if err != nil {
		return nil, err
	}
	targets, outputs := s.Architecture.Targets, s.Architecture.Outputs/s.Architecture.Targets
	n := len(rows.Y)
	count := n / targets
	run := func(pass graph.Pass, draws int) (drawn [][][]float64, err error) { // of each row and target, each draw's outputs
		b := graph.New(graph.Float32, params)
		f, err := s.Forward(b, count)
		if err != nil {
			return nil, err
		}
		out := f(pass)
		if err := b.Err(); err != nil {
			return nil, err
		}
		r, err := graph.NewRunner(graph.Compiled, b, out)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		kernels.Gather(r.Input(models.InputX), rows.X, s.Architecture.Inputs, rows.All(s.Architecture.Inputs), nil, nil)
		drawn = make([][][]float64, n)
		for draw := range draws {
			r.SampleMasks(graph.MaskKey{Seed: seed, Step: uint32(draw)})
			if err := r.Run(); err != nil {
				return nil, err
			}
			for at := range drawn {
				var of []float64
				for o := range outputs {
					of = append(of, float64(r.Output(0)[at/targets*outputs*targets+o*targets+at%targets]))
				}
				drawn[at] = append(drawn[at], of)
			}
		}
		return drawn, nil
	}
	full, err := run(graph.Full, 1)
	if err != nil {
		return nil, err
	}
	var drawn [][][]float64
	if m.Stochastic {
		if drawn, err = run(graph.Drop(0), predictDraws); err != nil {
			return nil, err
		}
	}
	said := make([]models.Moments, n)
	for at := range said {
		d := models.Moments{Full: full[at][0], Target: at % targets, Scale: rows.YScale[at%targets], Levels: levels, All: said[at/targets*targets:][:targets]}
		if m.Stochastic {
			d.Mean, d.Std = make([]float64, outputs), make([]float64, outputs)
			for o := range outputs {
				for _, draw := range drawn[at] {
					d.Mean[o] += float64(draw[o] / predictDraws)
				}
				for _, draw := range drawn[at] {
					e := draw[o] - d.Mean[o]
					d.Std[o] += float64(e * e)
				}
				d.Std[o] = math.Sqrt(d.Std[o] / (predictDraws - 1))
			}
		}
		if m.Draws {
			d.Draws = drawn[at]
		}
		said[at] = d
	}
	return said, nil
}
