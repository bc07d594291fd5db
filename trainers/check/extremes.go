package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"sml/graph"
	"sml/internal/portable"
	"sml/internal/statistics"
	"sml/models"
)

// extreme makes inputs and targets out of standard normal ones.
type extreme struct {
	name   string
	beyond bool // so far out that a loss may overflow, which is noted only
	edit   func(x, y []float32)
}

func scale(values []float32, by float32) {
	for i := range values {
		values[i] *= by
	}
}

func outlying(values []float32, by float64) {
	for i, v := range values {
		values[i] = float32(math.Copysign(by, float64(v)))
	}
}

var extremes = []extreme{
	{"inputs ±100", false, func(x, _ []float32) { outlying(x, 100) }},
	{"inputs ±1000", true, func(x, _ []float32) { outlying(x, 1000) }},
	{"residuals of 1000", false, func(_, y []float32) { scale(y, 1000) }},
	{"all zeros", false, func(x, y []float32) { clear(x); clear(y) }},
	{"rows all alike", false, func(x, y []float32) {
		for i := range x {
			x[i] = x[i%(len(x)/rows)]
		}
		for i := range y {
			y[i] = y[i%(len(y)/rows)]
		}
	}},
	{name: met},
	{"targets of 1e-30", false, func(_, y []float32) { scale(y, 1e-30) }},
}

// met are targets that are what the network says, to the last bit: residuals of 0.
const met = "targets that are met"

// meet makes the targets of a step what the first output of each, of the full network,
// says.
func meet(s models.Spec, params *graph.Params, step *models.Step) error {
	b := graph.New(graph.Float32, params)
	f, err := s.Forward(b, rows)
	if err != nil {
		return err
	}
	full := f(graph.Full)
	if err := b.Err(); err != nil {
		return err
	}
	run, err := graph.NewRunner(graph.Compiled, b, full)
	if err != nil {
		return err
	}
	defer run.Close()
	copy(run.Input(models.InputX), step.X)
	if err := run.Run(); err != nil {
		return err
	}
	targets, outputs := s.Architecture.Targets, s.Architecture.Outputs
	for i := range step.Y {
		step.Y[i] = run.Output(0)[i/targets*outputs+i%targets]
	}
	return nil
}

// finite looks for numbers that are not, in loss and gradients, in float32.
func finite(s models.Spec, seed uint64) Finding {
	const check = "finite"
	s = withPaperNetwork(s)
	f := Finding{Check: check, Status: Passed, Says: "loss and gradients, on "}
	for i, e := range extremes {
		if i > 0 {
			f.Says += ", "
		}
		f.Says += e.name
	}
	params, err := s.NewParams(seed)
	if err != nil {
		return failedFinding(check, err)
	}
	step, err := s.NewStep(graph.Compiled, params, rows)
	if err != nil {
		return failedFinding(check, err)
	}
	defer step.Close()
	if err := step.Scale(nil, columns(s, s.TypicalTarget())); err != nil {
		return failedFinding(check, err)
	}
	for _, e := range extremes {
		for draw := seed; draw < seed+5; draw++ {
			params.Initialise(draw)
			rnd := rand.New(rand.NewPCG(draw, extremeStream))
			for _, values := range [][]float32{step.X, step.Y} {
				for i := range values {
					values[i] = float32(portable.NormFloat64(rnd))
				}
			}
			if e.name == met {
				if err := meet(s, params, step); err != nil {
					return failedFinding(check, err)
				}
			} else {
				e.edit(step.X, step.Y)
			}
			for i, v := range step.Y { // targets stay in their support
				step.Y[i] = float32(s.Typical(models.InputY, i, float64(v)))
			}
			for _, extra := range step.Extras {
				for i := range extra.Values {
					extra.Values[i] = float32(i % 2)
				}
			}
			step.At(models.Progress{Step: 500, Steps: 1000, Rows: 1000})
			step.SampleMasks(graph.MaskKey{Seed: draw})
			if err := step.Run(); err != nil {
				return failedFinding(check, err)
			}
			if where := notFinite(params, step); where != "" {
				if !e.beyond {
					f.Status = Failed
				} else if f.Status == Passed {
					f.Status = Noted
				}
				if fault := step.Fault(); fault != nil {
					where += "; first " + fault.String()
				}
				f.Details = append(f.Details, fmt.Sprintf("%s, seed %d: %s", e.name, draw, where))
				break
			}
		}
	}
	switch f.Status {
	case Failed:
		f.Says = "a number is not finite on rows that a training may meet"
	case Noted:
		f.Says = "loss and gradients, but for rows a thousand standard deviations out"
	}
	return f
}

// notFinite names the first number of loss and gradients that is not finite.
func notFinite(params *graph.Params, step *models.Step) string {
	if loss := step.Loss(); !statistics.Finite(float64(loss)) {
		return "the loss is " + number(loss)
	}
	for i, g := range step.Gradient() {
		if !statistics.Finite(float64(g)) {
			return "the gradient of " + place(params, i, g)
		}
	}
	return ""
}

func number(v float32) string { return strconv.FormatFloat(float64(v), 'g', -1, 32) }

// place names value i of all parameters.
func place(params *graph.Params, i int, v float32) string {
	for _, p := range params.List() {
		if i < p.Len() {
			return fmt.Sprintf("%s[%d] is %s", p.Name, i, number(v))
		}
		i -= p.Len()
	}
	return number(v)
}
