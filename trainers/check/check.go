// Package check examines a training method: are its gradients right, which
// weights and outputs does each of its terms train, is it a mean over rows, and by their
// weights, does it give the same bytes twice, does it stay finite, can it learn, does the
// predictor say what was learnt, and is all of it fast. A network is examined for any
// method.
//
// It is what `sml check METHOD` runs, and what a test of a new method or network
// calls:
//
//	func TestMethod(t *testing.T) { check.Test(t, "beta-nll", nil) }
//	func TestNetwork(t *testing.T) { check.TestNetwork(t, "residual") }
package check

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"sml/graph"
	"sml/models"
)

// Report is the result of all checks of a method.
type Report struct {
	Method          string                 `json:"method"`
	Hyperparameters models.Hyperparameters `json:"hyperparameters"`
	Seed            uint64                 `json:"seed"`
	Findings        Findings               `json:"findings"`
	Reach           reach                  `json:"reach"`
}

// Passed reports whether no check failed.
func (r Report) Passed() bool { return r.Findings.Passed() }

// Method checks the registered method of that name, on small networks and made data;
// columns that it asks for are 0 or 1. It takes a second or a few. The error is that
// of an objective which cannot be built, or of a predictor that cannot be called; all
// else is in the report.
func Method(name string, settings Settings) (Report, error) {
	m, err := models.Lookup(name)
	if err != nil {
		return Report{}, err
	}
	settings.Inputs = cmp.Or(settings.Inputs, 3)
	targets := []int{1, 2}
	if t := cmp.Or(settings.Targets, m.Targets); t > 0 {
		targets = []int{t}
	}
	settings.Targets = targets[0]
	seed := settings.Seed
	s, err := smallSpec(name, settings, nil)
	if err != nil {
		return Report{}, err
	}
	b := graph.New(graph.Float32, new(graph.Params))
	loss, err := s.Loss(b, rows)
	if err != nil {
		return Report{}, err
	}
	if err := s.Examine(m.Members); err != nil {
		return Report{}, err
	}
	if len(targets) > 1 && onlyOne(name, settings) {
		targets = targets[:1]
	}
	r := Report{Method: s.Method, Hyperparameters: s.Hyperparameters, Seed: seed}
	reach, found := reaches(s, seed)
	r.Reach = reach
	if reach.empty() { // there is no gradient to look at
		r.Findings = Findings{found}
		return r, r.exempt(s, m)
	}
	r.Findings = Findings{gradients(name, settings, targets), found, inputs(s, seed), sharing(s), averages(s, seed), weights(s, seed)}
	predicting := []graph.Pass{graph.Full}
	if m.Stochastic {
		predicting = append(predicting, graph.Drop(0))
	}
	if len(reach.Passes) > 1 || len(reach.Passes) == 1 && reach.Passes[0] != passName(graph.Full) {
		r.Findings = append(r.Findings, masks(s, seed))
	}
	r.Findings = append(r.Findings, blocks(s.Forward, predicting, seed), deterministic(s, seed), finite(s, seed))
	learned, err := overfits(withPaperNetwork(s), m, reach.filled, seed)
	if err != nil {
		return Report{}, err
	}
	r.Findings = append(r.Findings, learned...)
	r.Findings = append(r.Findings, heldOut(withPaperNetwork(s), m, seed)...)
	r.Findings = append(r.Findings, checkKernels(s))
	for _, f := range []Finding{unread(s, m), rebuilt(s, loss)} {
		if f.Status != Passed {
			r.Findings = append(r.Findings, f)
		}
	}
	if names := graph.Inspect(b).UnusedPenalties(loss); len(names) > 0 {
		r.Findings = append(r.Findings, Finding{Check: "penalties", Status: Noted,
			Says: fmt.Sprintf("the network says %s of itself, and the objective does not read it: Task.Penalty", strings.Join(names, ", "))})
	}
	if m.Combine != nil {
		r.Findings = append(r.Findings, members(s, m))
	}
	return r, r.exempt(s, m)
}

// exempt marks findings from which the method, or its network, is exempt.
func (r *Report) exempt(s models.Spec, m models.Method) error {
	n, err := s.Network()
	if err != nil {
		return err
	}
	if err := r.Findings.exempt("network "+n.Name, n.Exempt); err != nil {
		return err
	}
	if err := r.Findings.exempt("method "+m.Name, m.Exempt); err != nil {
		return err
	}
	r.Findings = r.Findings.noteUnneeded(m.Exempt) // the network may need its own for other methods
	return nil
}

// onlyOne tells whether the method looks at a frozen model of one target.
func onlyOne(name string, settings Settings) bool {
	two, err := smallSpec(name, settings, func(a *models.Architecture) { a.Targets = 2 })
	if err != nil {
		return false
	}
	_, err = two.Loss(graph.New(graph.Float32, new(graph.Params)), rows)
	return errors.Is(err, models.ErrFrozen)
}
