package check

import (
	"fmt"
	"slices"
	"strings"

	"sml/graph"
	"sml/models"
)

// Reach shows which weights each term of an objective trains, and through which forward passes: all
// passes use the same weights, so the gradient of a term may reach a weight through the full
// network, through a sub-network, or both.
type Reach struct {
	Passes []string    `json:"passes"` // passes that the objective calls, the full network first
	Terms  []TermReach `json:"terms"`

	readsBuffer bool // whether the predictor reads an untrained output that follows from a buffer
}

// TermReach shows which weights one term trains.
type TermReach struct {
	Term      string   `json:"term"`
	Weight    float64  `json:"weight"`
	Passes    []bool   `json:"passes"`        // whether the term trains weights through each of Reach.Passes
	Own       []string `json:"own,omitempty"` // parameters of the objective, not of the network, that the term trains
	Untrained []string `json:"untrained"`     // the network's parameters without any gradient from the term
}

// isEmpty reports whether no term trains anything, or there are no terms.
func (r Reach) isEmpty() bool { return !slices.ContainsFunc(r.Terms, TermReach.trains) }

// usesSubNetworks reports whether the objective calls a pass other than the full network.
func (r Reach) usesSubNetworks() bool {
	return slices.ContainsFunc(r.Passes, func(pass string) bool { return pass != passName(graph.Full) })
}

// trainsSubNetworks reports whether a term trains weights through a sub-network.
func (r Reach) trainsSubNetworks() bool {
	for _, t := range r.Terms {
		for i, reached := range t.Passes {
			if reached && r.Passes[i] != passName(graph.Full) {
				return true
			}
		}
	}
	return false
}

// trains reports whether the term trains anything.
func (t TermReach) trains() bool { return slices.Contains(t.Passes, true) || len(t.Own) > 0 }

// passName returns the name of a pass in reports.
func passName(p graph.Pass) string {
	if p == graph.Full {
		return "full network"
	}
	return fmt.Sprintf("sub-network %d", p-graph.Drop(0))
}

// checkReach returns the reach of every term: which weights its gradient reaches, and through which
// passes. The finding is a failure if no weight of the network is trained, or if the predictor reads
// outputs or sub-networks that no term trains.
func checkReach(s models.Spec, seed uint64) (Reach, Finding) {
	const check = "terms"
	networkWeights, err := networkWeightNames(s)
	if err != nil {
		return Reach{}, failedFinding(check, err)
	}
	r, passes, err := reachOfTerms(s, networkWeights, seed)
	if err != nil {
		return Reach{}, failedFinding(check, err)
	}
	if err := r.findPasses(s, passes, networkWeights, seed); err != nil {
		return r, failedFinding(check, err)
	}
	f := r.checkTerms(networkWeights)
	if f.Status == Failed {
		return r, f
	}
	if err := r.checkOutputs(&f, s, seed); err != nil {
		return r, failedFinding(check, err)
	}
	if err := r.checkSubNetworks(&f, s); err != nil {
		return r, failedFinding(check, err)
	}
	return r, f
}

// networkWeightNames returns the names of the weights that belong to the network, not to the objective.
// It builds the network without the objective: a pass adds its parameters to params.
func networkWeightNames(s models.Spec) ([]string, error) {
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	forward, err := s.Forward(b, smallBatchRows)
	if err != nil {
		return nil, err
	}
	forward(graph.Full)
	if err := b.Err(); err != nil {
		return nil, err
	}
	// A sub-network may have parameters of its own. If the network has no sub-networks, this call makes
	// the builder fail, but adds nothing to params, so its error does not matter.
	forward(graph.Drop(0))
	var names []string
	for _, p := range params.List() {
		if !p.Buffer {
			names = append(names, p.Name)
		}
	}
	return names, nil
}

// reachOfTerms returns the reach of every term, and the passes that the objective calls, the full
// network first. It leaves every TermReach.Passes false: findPasses fills them in. networkWeights has
// the names of the weights that belong to the network.
func reachOfTerms(s models.Spec, networkWeights []string, seed uint64) (Reach, []graph.Pass, error) {
	passes, err := calledPasses(s)
	if err != nil {
		return Reach{}, nil, err
	}
	terms, err := termGradients(s, seed, keepNetwork)
	if err != nil {
		return Reach{}, nil, err
	}
	var r Reach
	for _, pass := range passes {
		r.Passes = append(r.Passes, passName(pass))
	}
	for _, t := range terms {
		reach := TermReach{
			Term:      t.name,
			Weight:    t.weight,
			Passes:    make([]bool, len(passes)),
			Untrained: []string{},
		}
		for _, name := range networkWeights {
			if !t.isTrained[name] {
				reach.Untrained = append(reach.Untrained, name)
			}
		}
		for _, name := range t.parameters {
			if t.isTrained[name] && !slices.Contains(networkWeights, name) {
				reach.Own = append(reach.Own, name)
			}
		}
		r.Terms = append(r.Terms, reach)
	}
	return r, passes, nil
}

// calledPasses returns the passes that the objective calls, each once, the full network first.
func calledPasses(s models.Spec) ([]graph.Pass, error) {
	var passes []graph.Pass
	// The objective gets a network that records each pass and then builds it.
	recordPasses := func(_ *graph.Node, f models.Forward) models.Forward {
		return func(pass graph.Pass) *graph.Node {
			if !slices.Contains(passes, pass) {
				passes = append(passes, pass)
			}
			return f(pass)
		}
	}
	_, err := s.LossWithNetwork(graph.New(graph.Float64, new(graph.Params)), smallBatchRows, recordPasses)
	slices.Sort(passes) // graph.Full is 0, the lowest
	return passes, err
}

// keepNetwork returns the network unchanged, for termGradients.
func keepNetwork(_ *graph.Builder, f models.Forward) models.Forward { return f }

// findPasses fills in TermReach.Passes. All passes use the same weights, so it looks at one pass at a
// time: it replaces all other passes by inputs, which pass no gradient on. A gradient that the
// network's weights still get has come through this pass.
func (r *Reach) findPasses(s models.Spec, passes []graph.Pass, networkWeights []string, seed uint64) error {
	for i, pass := range passes {
		keepOnePass := func(b *graph.Builder, f models.Forward) models.Forward { return keepPass(b, f, pass) }
		terms, err := termGradients(s, seed, keepOnePass)
		if err != nil {
			return err
		}
		for j, t := range terms {
			r.Terms[j].Passes[i] = slices.ContainsFunc(networkWeights, func(name string) bool { return t.isTrained[name] })
		}
	}
	return nil
}

// keepPass returns the network f with all passes except kept replaced by inputs of the same shape, so
// that no gradient reaches a weight through them.
func keepPass(b *graph.Builder, f models.Forward, kept graph.Pass) models.Forward {
	replacements := make(map[graph.Pass]*graph.Node) // each pass has one, however often it is called
	return func(pass graph.Pass) *graph.Node {
		if pass == kept {
			return f(pass)
		}
		if replacements[pass] == nil {
			replacements[pass] = replacePass(b, f(pass), pass)
		}
		return replacements[pass]
	}
}

// replacePass returns an input of the graph in place of the output of a pass. The input depends on the
// output, with the factor 0, because the objective may differentiate by the inputs of the pass, or list
// its parameters. No gradient flows through a sign.
func replacePass(b *graph.Builder, output *graph.Node, pass graph.Pass) *graph.Node {
	name := "in place of the " + passName(pass)
	for graph.Inspect(b).Input(name) != nil { // the objective runs the network on several inputs
		name += ", too"
	}
	input := b.Input(name, output.Shape()[0], output.Shape()[1])
	return b.Add(input, b.Scale(0, b.Sign(output)))
}

// checkTerms notes weights of the network that no term trains, and terms that train nothing. It
// fails if no weight is trained.
func (r Reach) checkTerms(networkWeights []string) Finding {
	f := Finding{Check: "terms", Status: Passed, Message: "every weight of the network receives gradient; the table below shows from which terms"}
	var untrained []string
	for _, name := range networkWeights {
		isTrained := slices.ContainsFunc(r.Terms, func(t TermReach) bool { return !slices.Contains(t.Untrained, name) })
		if !isTrained {
			untrained = append(untrained, name)
		}
	}
	switch {
	case len(untrained) == len(networkWeights):
		f.Status = Failed
		f.Message = "no weight of the network receives any gradient: every term is behind a StopGradient, or does not depend on the network"
	case len(untrained) > 0:
		f.Status = Noted
		f.Message = "no term trains " + strings.Join(untrained, ", ")
	}
	for _, t := range r.Terms {
		if !t.trains() {
			f.Details = append(f.Details, fmt.Sprintf("term %q trains nothing", t.Term))
			f.noteIfPassed()
		}
	}
	return f
}

// checkOutputs adds a line to the finding for each output of the network that no term trains. The
// finding becomes a failure if the predictor reads the output, unless the output is computed from a
// buffer, which the user's program fills after the training: then it sets r.readsBuffer.
func (r *Reach) checkOutputs(f *Finding, s models.Spec, seed uint64) error {
	untrained, err := untrainedOutputs(s, seed)
	if err != nil {
		return err
	}
	for _, output := range untrained {
		isRead, err := predictorReads(s, output)
		if err != nil {
			return err
		}
		f.noteIfPassed()
		detail := fmt.Sprintf("output %d of the network, counted from 0, gets no gradient from any term", output)
		if !isRead {
			f.Details = append(f.Details, detail)
			continue
		}
		isBuffer, err := followsBuffer(s, output, untrained, seed)
		if err != nil {
			return err
		}
		if isBuffer {
			r.readsBuffer = true
			detail += ", and the predictor reads it; it follows from a buffer, which your program has to fill"
		} else {
			f.Status = Failed
			f.Message = "the predictor reads an output of the network that no term trains"
			detail += ", and the predictor reads it"
		}
		f.Details = append(f.Details, detail)
	}
	return nil
}

// checkSubNetworks fails a method whose predictor reads sub-networks if no term trains a
// sub-network, as with a StopGradient on the wrong side. Sub-networks that AfterTraining adds need no
// term.
func (r Reach) checkSubNetworks(f *Finding, s models.Spec) error {
	if r.trainsSubNetworks() {
		return nil
	}
	adds, err := s.AddsSubNetworks()
	if err != nil || adds {
		return err
	}
	reads, err := predictorReadsSubNetworks(s)
	if err != nil || !reads {
		return err
	}
	f.Status = Failed
	f.Message = "the predictor reads sub-networks, and no term trains one"
	f.Details = append(f.Details, "no gradient flows through a sub-network: is a StopGradient on the wrong side, or does the objective lack Forward(graph.Drop(0))?")
	return nil
}
