package check

import (
	"fmt"
	"slices"
	"strings"

	"sml/graph"
	"sml/models"
)

// reach says which weights each term of an objective trains, and through which forward passes:
// all passes use the same weights, so the gradient of a term may reach a weight through the full
// network, through a sub-network, or both.
type reach struct {
	Passes []string    `json:"passes"` // passes that the objective calls, the full network first
	Terms  []termReach `json:"terms"`

	filled bool // whether an output that no term trains follows from a buffer
}

// termReach says which weights one term trains.
type termReach struct {
	Term   string   `json:"term"`
	Weight float64  `json:"weight"`
	Passes []bool   `json:"passes"`        // whether the term trains weights through each of reach.Passes
	Own    []string `json:"own,omitempty"` // parameters of the objective, not of the network, that the term trains
	Misses []string `json:"misses"`        // the network's parameters without any gradient from the term
}

// reaches returns the reach of every term. To see whether a term reaches the weights through a
// pass, it replaces all other passes by inputs: any gradient that the weights still get has come
// through this pass.
func reaches(s models.Spec, seed uint64) (reach, Finding) {
	const check = "terms"
	network, err := networkParameters(s)
	if err != nil {
		return reach{}, failedFinding(check, err)
	}
	var passes []graph.Pass
	whole, err := termGradients(s, seed, func(b *graph.Builder, f models.Forward) models.Forward {
		return func(pass graph.Pass) *graph.Node {
			if !slices.Contains(passes, pass) {
				passes = append(passes, pass)
			}
			return f(pass)
		}
	})
	if err != nil {
		return reach{}, failedFinding(check, err)
	}
	var r reach
	slices.Sort(passes) // the full network first
	for _, pass := range passes {
		r.Passes = append(r.Passes, passName(pass))
	}
	for _, t := range whole {
		reached := termReach{Term: t.name, Weight: t.weight, Passes: make([]bool, len(passes)), Misses: []string{}}
		for _, p := range network {
			if !t.reached[p] {
				reached.Misses = append(reached.Misses, p)
			}
		}
		for _, p := range t.order {
			if t.reached[p] && !slices.Contains(network, p) {
				reached.Own = append(reached.Own, p)
			}
		}
		r.Terms = append(r.Terms, reached)
	}
	for i, pass := range passes {
		through, err := termGradients(s, seed, func(b *graph.Builder, f models.Forward) models.Forward { return onlyPass(b, f, pass) })
		if err != nil {
			return r, failedFinding(check, err)
		}
		for j, t := range through {
			r.Terms[j].Passes[i] = slices.ContainsFunc(network, func(p string) bool { return t.reached[p] })
		}
	}
	f := judgeReach(check, r, network)
	if f.Status == Failed {
		return r, f
	}
	if err := r.judgeOutputs(&f, s, seed); err != nil {
		return r, failedFinding(check, err)
	}
	if err := r.judgeSubNetworks(&f, s); err != nil {
		return r, failedFinding(check, err)
	}
	return r, f
}

// judgeOutputs adds untrained outputs to a finding. An untrained output is a failure if the
// predictor reads it, unless it follows from a buffer.
func (r *reach) judgeOutputs(f *Finding, s models.Spec, seed uint64) error {
	idle, err := idleOutputs(s, seed)
	if err != nil {
		return err
	}
	for _, output := range idle {
		reads, err := predictorReads(s, output)
		if err != nil {
			return err
		}
		if f.Status == Passed {
			f.Status = Noted
		}
		text := fmt.Sprintf("output %d of the network, counted from 0, gets no gradient from any term", output)
		if reads {
			filled, err := followsBuffer(s, output, idle, seed)
			if err != nil {
				return err
			}
			if filled {
				r.filled = true
				text += ", and the predictor reads it; it follows from a buffer, which something else has to fill"
			} else {
				f.Status, f.Says = Failed, "the predictor reads an output of the network that nothing trains"
				text += ", and the predictor reads it"
			}
		}
		f.Details = append(f.Details, text)
	}
	return nil
}

// judgeSubNetworks fails a method whose predictor reads sub-networks if no term trains a
// sub-network, as with a StopGradient on the wrong side. Sub-networks that AfterTraining adds need no
// term.
func (r *reach) judgeSubNetworks(f *Finding, s models.Spec) error {
	for _, t := range r.Terms {
		for i, reached := range t.Passes {
			if reached && r.Passes[i] != passName(graph.Full) {
				return nil
			}
		}
	}
	adds, err := s.AddsSubNetworks()
	if err != nil || adds {
		return err
	}
	reads, err := predictorReadsSubNetworks(s)
	if err != nil || !reads {
		return err
	}
	f.Status, f.Says = Failed, "the predictor reads sub-networks, and no term trains one"
	f.Details = append(f.Details, "no gradient flows through a sub-network: is a StopGradient on the wrong side, or is graph.Drop(0) not asked for?")
	return nil
}

// followsBuffer reports whether an output moves with a buffer that moves only untrained
// outputs, such as the covariance of the last layer's weights. The untrained outputs are idle.
func followsBuffer(s models.Spec, output int, idle []int, seed uint64) (bool, error) {
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	f, err := s.Forward(b, rows)
	if err != nil {
		return false, err
	}
	run, err := graph.NewRunner(graph.Compiled, b, f(graph.Full))
	if err != nil {
		return false, err
	}
	defer run.Close()
	params.Initialise(seed)
	typical(s, run, seed)
	if err := run.Run(); err != nil {
		return false, err
	}
	before := slices.Clone(run.Output64(0))
	for i, p := range params.List() {
		if !p.Buffer {
			continue
		}
		values := graph.ParamValues(params, params.Float64s(), i)
		from := slices.Clone(values)
		for j := range values {
			values[j] += 0.1
		}
		err := run.Run()
		copy(values, from)
		if err != nil {
			return false, err
		}
		moved := movedOutputs(before, run.Output64(0), s.Architecture)
		if slices.Contains(moved, output) && !slices.ContainsFunc(moved, func(o int) bool { return !slices.Contains(idle, o) }) {
			return true, nil
		}
	}
	return false, nil
}

// movedOutputs lists the outputs of a target that differ in any row.
func movedOutputs(before, after []float64, a models.Architecture) []int {
	var moved []int
	for i, v := range before {
		output := i % a.Outputs / a.Targets
		if after[i] != v && !slices.Contains(moved, output) {
			moved = append(moved, output)
		}
	}
	return moved
}

// idleOutputs lists the network's outputs, of those that belong to a target, through
// which no gradient comes, in any pass and for any target.
func idleOutputs(s models.Spec, seed uint64) ([]int, error) {
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	moved := 0
	loss, err := s.LossOver(b, rows, func(_ *graph.Node, f models.Forward) models.Forward {
		return func(pass graph.Pass) *graph.Node {
			moved++
			return b.Add(f(pass), b.Param(fmt.Sprintf("%s%d", anything, moved), 1, s.Architecture.Outputs, graph.Fill(0)))
		}
	})
	if err != nil {
		return nil, err
	}
	run, err := graph.NewRunner(graph.Compiled, b, b.Gradients(loss)...)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	targets := s.Architecture.Targets
	reached := make([]bool, s.Architecture.Outputs/targets)
	for draw := seed; draw < seed+3; draw++ {
		params.Initialise(draw)
		typical(s, run, draw)
		if err := run.Run(); err != nil {
			return nil, err
		}
		for i, p := range params.List() {
			if !strings.HasPrefix(p.Name, anything) {
				continue
			}
			for column, g := range run.Output64(i) {
				reached[column/targets] = reached[column/targets] || g != 0
			}
		}
	}
	var idle []int
	for output, yes := range reached {
		if !yes {
			idle = append(idle, output)
		}
	}
	return idle, nil
}

// predictorReads reports whether a prediction changes with an output of the network.
func predictorReads(s models.Spec, output int) (bool, error) {
	targets, outputs := s.Architecture.Targets, s.Architecture.OutputsPerTarget()
	isOutput := func(at int) bool { return at/targets%outputs == output }
	return predictionChanges(s, func(said models.NetworkOutputs) {
		for _, values := range append([][]float32{said.Full}, said.Draws...) {
			for at := range values {
				if isOutput(at) {
					values[at] += 0.07
				}
			}
		}
		for _, values := range [][]float64{said.Mean, said.Std} {
			for at := range values {
				if isOutput(at) {
					values[at] += 0.07
				}
			}
		}
	})
}

// predictorReadsSubNetworks reports whether a prediction changes with the outputs of
// sub-networks.
func predictorReadsSubNetworks(s models.Spec) (bool, error) {
	return predictionChanges(s, func(said models.NetworkOutputs) {
		for i, values := range [][]float64{said.Mean, said.Std} {
			for at := range values {
				values[at] += float64(0.07 * float64(1+i))
			}
		}
		for i, values := range said.Draws {
			for at := range values {
				values[at] += float32(0.07 * float32(1+i%3)) // not all draws alike
			}
		}
	})
}

// predictionChanges reports whether predictions differ once edit has changed the outputs of
// a network.
func predictionChanges(s models.Spec, edit func(models.NetworkOutputs)) (bool, error) {
	before, err := tryPredictor(s, s.Plausible(0, rows))
	if err != nil {
		return false, err
	}
	said := s.Plausible(0, rows)
	edit(said)
	after, err := tryPredictor(s, said)
	return !slices.Equal(before, after), err
}

// empty reports whether no term trains anything.
func (r reach) empty() bool { return !slices.ContainsFunc(r.Terms, termReach.trains) }

func (t termReach) trains() bool { return slices.Contains(t.Passes, true) || len(t.Own) > 0 }

func judgeReach(check string, r reach, network []string) Finding {
	f := Finding{Check: check, Status: Passed, Says: "every weight of the network receives gradient; which term reaches what is listed below"}
	var untrained []string
	for _, p := range network {
		if !slices.ContainsFunc(r.Terms, func(t termReach) bool { return !slices.Contains(t.Misses, p) }) {
			untrained = append(untrained, p)
		}
	}
	switch {
	case len(untrained) == len(network):
		f.Status, f.Says = Failed, "no weight of the network receives any gradient: everything is stopped, or does not depend on the network"
	case len(untrained) > 0:
		f.Status, f.Says = Noted, "no term trains "+strings.Join(untrained, ", ")
	}
	for _, t := range r.Terms {
		if !t.trains() {
			f.Details = append(f.Details, fmt.Sprintf("term %q trains nothing", t.Term))
			if f.Status == Passed {
				f.Status = Noted
			}
		}
	}
	return f
}

// onlyPass returns the network with all passes but one replaced by inputs.
func onlyPass(b *graph.Builder, f models.Forward, keep graph.Pass) models.Forward {
	inputs := make(map[graph.Pass]*graph.Node)
	return func(pass graph.Pass) *graph.Node {
		if pass == keep {
			return f(pass)
		}
		if inputs[pass] == nil {
			name := "in place of the " + passName(pass)
			for graph.Inspect(b).Input(name) != nil { // on other inputs
				name += ", too"
			}
			out := f(pass)
			// By a sign no gradient flows, and yet an objective may differentiate by what the
			// pass depends on, or list its parameters.
			inputs[pass] = b.Add(b.Input(name, out.Shape()[0], out.Shape()[1]), b.Scale(0, b.Sign(out)))
		}
		return inputs[pass]
	}
}

func passName(p graph.Pass) string {
	if p == graph.Full {
		return "full network"
	}
	return fmt.Sprintf("sub-network %d", p-graph.Drop(0))
}

// networkParameters names the weights that belong to the network, not to the
// objective.
func networkParameters(s models.Spec) ([]string, error) {
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	f, err := s.Forward(b, rows)
	if err != nil {
		return nil, err
	}
	f(graph.Full)
	if err := b.Err(); err != nil {
		return nil, err
	}
	f(graph.Drop(0)) // for its parameters: that a method has no sub-networks is no mistake here
	var names []string
	for _, p := range params.List() {
		if !p.Buffer {
			names = append(names, p.Name)
		}
	}
	return names, nil
}

// trained is a term and the parameters that it gives any gradient.
type trained struct {
	name    string
	weight  float64
	order   []string
	reached map[string]bool
}

// termGradients differentiates every term of the objective by itself, over a
// network that wrap may change.
func termGradients(s models.Spec, seed uint64, wrap func(*graph.Builder, models.Forward) models.Forward) ([]trained, error) {
	build := func(b *graph.Builder) ([]graph.Term, error) {
		loss, err := s.LossOver(b, rows, func(_ *graph.Node, f models.Forward) models.Forward { return wrap(b, f) })
		if err != nil {
			return nil, err
		}
		if terms := graph.Inspect(b).Terms(); len(terms) > 0 {
			return terms, nil
		}
		return []graph.Term{{Name: "objective", Weight: 1, Value: loss}}, nil
	}
	terms, err := build(graph.New(graph.Float64, new(graph.Params)))
	if err != nil {
		return nil, err
	}
	var list []trained
	for i := range terms {
		params := new(graph.Params)
		b := graph.New(graph.Float64, params)
		terms, err := build(b)
		if err != nil {
			return nil, err
		}
		term := terms[i]
		// A term that reaches nothing has no gradient to build: give it one.
		beside := b.Param(anything, 1, 1, graph.Uniform(1))
		grads := b.Gradients(b.Add(term.Value, b.Sum(beside)))
		t := trained{name: term.Name, weight: term.Weight, reached: make(map[string]bool)}
		run, err := graph.NewRunner(graph.Compiled, b, grads...)
		if err != nil {
			return nil, err
		}
		for _, p := range params.List() {
			if p.Name != anything {
				t.order = append(t.order, p.Name)
			}
		}
		for draw := seed; draw < seed+3; draw++ { // a unit may be dropped, or dead, in one draw
			params.Initialise(draw)
			typical(s, run, draw)
			if err := run.Run(); err != nil {
				return nil, err
			}
			for j, p := range params.List() {
				if p.Name != anything && graph.Inspect(b).Moves(term, p) && slices.ContainsFunc(run.Output64(j), func(g float64) bool { return g != 0 }) {
					t.reached[p.Name] = true
				}
			}
		}
		list = append(list, t)
		if err := run.Close(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// anything is a parameter that every term reaches.
const anything = "beside the term"
