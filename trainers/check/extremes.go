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

// extreme is a kind of unusual rows.
type extreme struct {
	name string

	// mayOverflow is true for rows so far out that a loss may overflow: a number that is not
	// finite is then only noted.
	mayOverflow bool

	// edit changes standard normal inputs x and targets y. It is nil for exactTargets.
	edit func(x, y []float32)
}

// extremes lists the kinds of rows on which loss and gradients have to be finite. Inputs and targets
// that a kind does not edit are standard normal.
var extremes = []extreme{
	{name: "inputs ±100", edit: func(x, _ []float32) { setSizes(x, 100) }},
	{name: "inputs ±1000", mayOverflow: true, edit: func(x, _ []float32) { setSizes(x, 1000) }},
	{name: "residuals of 1000", edit: func(_, y []float32) { multiply(y, 1000) }},
	{name: "all zeros", edit: func(x, y []float32) {
		clear(x)
		clear(y)
	}},
	{name: "identical rows", edit: func(x, y []float32) {
		repeatFirstRow(x)
		repeatFirstRow(y)
	}},
	{name: exactTargets},
	{name: "targets of 1e-30", edit: func(_, y []float32) { multiply(y, 1e-30) }},
}

// exactTargets is the name of rows whose targets are equal to the network's output, to the last
// bit: all residuals are 0.
const exactTargets = "residuals of 0"

// multiply multiplies all values by a factor.
func multiply(values []float32, factor float32) {
	for i := range values {
		values[i] *= factor
	}
}

// setSizes replaces all values by ±size, with their signs.
func setSizes(values []float32, size float64) {
	for i, v := range values {
		values[i] = float32(math.Copysign(size, float64(v)))
	}
}

// repeatFirstRow copies the first row to all other rows.
func repeatFirstRow(values []float32) {
	columns := len(values) / smallBatchRows
	for i := range values {
		values[i] = values[i%columns]
	}
}

// checkFinite fails an objective whose loss or gradient, computed in float32, is not finite on extreme
// rows. It only notes such a number on rows that are so far out that it may overflow.
func checkFinite(s models.Spec, seed uint64) Finding {
	const check = "finite"
	s = withPaperNetwork(s)
	params, err := s.NewParams(seed)
	if err != nil {
		return failedFinding(check, err)
	}
	step, err := s.NewStep(graph.Compiled, params, smallBatchRows)
	if err != nil {
		return failedFinding(check, err)
	}
	defer step.Close()
	if err := step.Scale(nil, repeatScaler(s, s.TypicalTarget())); err != nil {
		return failedFinding(check, err)
	}
	f := Finding{Check: check, Status: Passed}
	for _, e := range extremes {
		mistake, err := e.findNotFinite(s, params, step, seed)
		if err != nil {
			return failedFinding(check, err)
		}
		if mistake == "" {
			continue
		}
		f.Details = append(f.Details, mistake)
		if e.mayOverflow {
			f.noteIfPassed()
		} else {
			f.Status = Failed
		}
	}
	f.Message = finiteMessage(f.Status)
	return f
}

// finiteMessage returns the message of checkFinite for a status.
func finiteMessage(status Status) string {
	switch status {
	case Failed:
		return "a number is not finite on rows that can occur in a training"
	case Noted:
		return "loss and gradients are finite, except on rows a thousand standard deviations from the mean"
	}
	text := "loss and gradients, on "
	for i, e := range extremes {
		if i > 0 {
			text += ", "
		}
		text += e.name
	}
	return text
}

// findNotFinite runs a step on extreme rows, with other weights, rows and masks for each of several
// seeds. It returns a line that names the first number that is not finite, or "" if all numbers are
// finite.
func (e extreme) findNotFinite(s models.Spec, params *graph.Params, step *models.Step, seed uint64) (string, error) {
	const draws = 5
	for draw := seed; draw < seed+draws; draw++ {
		params.Initialise(draw)
		if err := e.fillStep(s, params, step, draw); err != nil {
			return "", err
		}
		step.SetProgress(models.Progress{Step: 500, Steps: 1000, Rows: 1000}) // in the middle of a training
		step.SampleMasks(graph.MaskKey{Seed: draw})
		if err := step.Run(); err != nil {
			return "", err
		}
		place := firstNotFinite(params, step)
		if place == "" {
			continue
		}
		fault := step.FindFault()
		if fault != nil {
			place += "; first " + fault.String()
		}
		return fmt.Sprintf("%s, seed %d: %s", e.name, draw, place), nil
	}
	return "", nil
}

// fillStep writes extreme rows to the inputs of a step: it draws standard normal rows, edits them, and
// moves targets that are outside the method's support into it.
func (e extreme) fillStep(s models.Spec, params *graph.Params, step *models.Step, seed uint64) error {
	rnd := rand.New(rand.NewPCG(seed, extremeStream))
	for _, values := range [][]float32{step.X, step.Y} {
		for i := range values {
			values[i] = float32(portable.NormFloat64(rnd))
		}
	}
	if e.name == exactTargets {
		if err := copyOutputsToTargets(s, params, step); err != nil {
			return err
		}
	} else {
		e.edit(step.X, step.Y)
	}
	for i, v := range step.Y { // keep targets in the method's support
		step.Y[i] = float32(s.TypicalInput(models.InputY, i, float64(v)))
	}
	for _, extra := range step.Extras {
		for i := range extra.Values {
			extra.Values[i] = float32(i % 2)
		}
	}
	return nil
}

// copyOutputsToTargets sets each target of a step to the full network's first output for it.
func copyOutputsToTargets(s models.Spec, params *graph.Params, step *models.Step) error {
	b := graph.New(graph.Float32, params)
	forward, err := s.Forward(b, smallBatchRows)
	if err != nil {
		return err
	}
	full := forward(graph.Full)
	if err := b.Err(); err != nil {
		return err
	}
	runner, err := graph.NewRunner(graph.Compiled, b, full)
	if err != nil {
		return err
	}
	defer runner.Close()
	copy(runner.Input(models.InputX), step.X)
	if err := runner.Run(); err != nil {
		return err
	}
	targets := s.Architecture.Targets
	outputs := s.Architecture.Outputs
	for i := range step.Y {
		row, target := i/targets, i%targets
		step.Y[i] = runner.Output(0)[row*outputs+target] // a row has the first output of every target first
	}
	return nil
}

// firstNotFinite returns the place and the value of the first number of loss and gradients that is
// not finite, or "" if there is none.
func firstNotFinite(params *graph.Params, step *models.Step) string {
	loss := step.Loss()
	if !statistics.IsFinite(float64(loss)) {
		return "the loss is " + formatFloat32(loss)
	}
	for i, g := range step.Gradient() {
		if !statistics.IsFinite(float64(g)) {
			return "the gradient of " + parameterValue(params, i, g)
		}
	}
	return ""
}

// formatFloat32 returns the shortest text from which v can be read back.
func formatFloat32(v float32) string { return strconv.FormatFloat(float64(v), 'g', -1, 32) }

// parameterValue returns a text such as "hidden1.weight[3] is 0.5" for value v of the weight with the
// given index, counted over all parameters.
func parameterValue(params *graph.Params, index int, v float32) string {
	indexInParameter := index
	for _, p := range params.List() {
		if indexInParameter < p.Len() {
			return fmt.Sprintf("%s[%d] is %s", p.Name, indexInParameter, formatFloat32(v))
		}
		indexInParameter -= p.Len()
	}
	return formatFloat32(v) // no parameter has this index
}
