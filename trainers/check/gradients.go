package check

import (
	"errors"
	"fmt"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/models"
)

// tolerance is the largest relative difference between a gradient and its
// finite difference.
const tolerance = 1e-6

// steps of the differences. A difference across a kink (of a ReLU, of an
// absolute value) is not a derivative, and a shorter one misses the kink; a
// wrong gradient is wrong at every step.
var steps = []float64{1e-4, 1e-5, 1e-6}

// gradients compares with finite differences in float64.
func gradients(name string, chosen map[string]float64, seed uint64) Finding {
	const check = "gradients"
	f := Finding{Check: check, Status: Passed}
	worst, cases := 0.0, 0
	for _, engine := range graph.Engines() {
		for _, activation := range []string{"relu", "tanh"} {
			for _, targets := range []int{1, 2} {
				for s := seed; s < seed+2; s++ {
					spec, err := small(name, chosen, func(a *models.Architecture) { a.Activation, a.Targets = activation, targets })
					if err != nil {
						return failed(check, err)
					}
					found, err := differences(spec, gradcheck.Settings{Seed: s, Engine: engine})
					if err != nil {
						return failed(check, fmt.Errorf("%s, %d target(s), %s engine: %w", activation, targets, engine, err))
					}
					cases++
					for _, g := range found {
						if g.Error <= tolerance {
							worst = max(worst, g.Error)
							continue
						}
						f.Status = Failed
						f.Details = append(f.Details, fmt.Sprintf("%s, %d target(s), %s engine, seed %d: gradient of %s[%d] is %.6g, differences give %.6g",
							activation, targets, engine, s, g.Name, g.Index, g.Backward, g.Numeric))
					}
				}
			}
		}
	}
	f.Says = fmt.Sprintf("agree with finite differences to %.0e (relu and tanh, 1 and 2 targets, both engines, %d cases)", worst, cases)
	if f.Status == Failed {
		f.Says = fmt.Sprintf("disagree with finite differences in %d places; stopped values were held", len(f.Details))
	}
	return f
}

// differences compares at ever shorter steps and keeps what each parameter
// agrees best at.
func differences(s models.Spec, settings gradcheck.Settings) ([]gradcheck.Gradient, error) {
	var best []gradcheck.Gradient
	for _, settings.Step = range steps {
		var built error
		found, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
			loss, err := s.Loss(b, rows)
			built = errors.Join(built, err)
			return loss
		}, settings)
		if err := errors.Join(built, err); err != nil {
			return nil, err
		}
		if best == nil {
			best = found
		}
		done := true
		for i, g := range found {
			if !(best[i].Error <= g.Error) {
				best[i] = g
			}
			done = done && best[i].Error <= tolerance
		}
		if done {
			break
		}
	}
	return best, nil
}
