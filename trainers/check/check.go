// Package check examines a training method or a network before anybody relies on its results: are
// the gradients right, which weights does each term of the loss train, does the same seed give the
// same bytes, does the loss stay finite, can the network learn, and do predictions say how uncertain
// they are. Start with Test and TestNetwork in a test of your own, or with Method and Network, whose
// findings the command "sml check" prints. The package invents its own rows: it tells nothing about
// how well a method predicts your data.
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
	Reach           Reach                  `json:"reach"`
}

// Passed reports whether no check failed.
func (r Report) Passed() bool { return r.Findings.Passed() }

// Method makes all checks of the registered method with the given name, on small networks and invented
// rows, and returns their findings. The first check is which terms train which weights. It
// takes a few seconds. Extra columns that the objective reads are 0 or 1. Method returns an error if
// there is no such method, if its objective cannot be built, if its predictor cannot be called or
// if an exemption names no check. Everything else that is wrong is a finding of the report.
func Method(name string, settings Settings) (Report, error) {
	c, err := newMethodCheck(name, settings)
	if err != nil {
		return Report{}, err
	}
	seed := c.settings.Seed
	r := Report{Method: c.spec.Method, Hyperparameters: c.spec.Hyperparameters, Seed: seed}
	var reachFinding Finding
	r.Reach, reachFinding = checkReach(c.spec, seed)
	if r.Reach.isEmpty() { // without a gradient, the other checks have nothing to examine
		r.Findings = Findings{reachFinding}
		return r, r.applyExemptions(c.spec, c.method)
	}
	r.Findings = Findings{checkGradients(name, c.settings, c.targetCounts), reachFinding}
	r.Findings = append(r.Findings, c.checkObjective(r.Reach)...)
	learningFindings, err := c.checkLearning(r.Reach)
	if err != nil {
		return Report{}, err
	}
	r.Findings = append(r.Findings, learningFindings...)
	r.Findings = append(r.Findings, c.checkRegistration()...)
	return r, r.applyExemptions(c.spec, c.method)
}

// methodCheck holds a method and its small network for the checks.
type methodCheck struct {
	method       models.Method
	settings     Settings // with Inputs and Targets set
	targetCounts []int    // numbers of targets with which gradients are checked
	spec         models.Spec
	loss         *graph.Node    // loss of the first build of the objective
	builder      *graph.Builder // graph of loss
}

// newMethodCheck returns the check of a method with its objective built once, and chooses the numbers of
// inputs and targets where the settings leave them open. It returns an error if the method does not
// exist, or if its objective or predictor cannot be used at all.
func newMethodCheck(name string, settings Settings) (methodCheck, error) {
	m, err := models.Lookup(name)
	if err != nil {
		return methodCheck{}, err
	}
	settings.Inputs = cmp.Or(settings.Inputs, 3)
	targetCounts := []int{1, 2} // a mistake in the order of outputs shows only with 2
	// Settings and methods have 0 where any number of targets will do.
	requiredCount := cmp.Or(settings.Targets, m.Targets)
	if requiredCount > 0 {
		targetCounts = []int{requiredCount}
	}
	settings.Targets = targetCounts[0]
	s, err := smallSpec(name, settings, nil)
	if err != nil {
		return methodCheck{}, err
	}
	b := graph.New(graph.Float32, new(graph.Params))
	loss, err := s.Loss(b, smallBatchRows)
	if err != nil {
		return methodCheck{}, err
	}
	if err := s.Examine(m.Members); err != nil {
		return methodCheck{}, err
	}
	if len(targetCounts) > 1 && needsOneTarget(name, settings) {
		targetCounts = targetCounts[:1]
	}
	return methodCheck{
		method:       m,
		settings:     settings,
		targetCounts: targetCounts,
		spec:         s,
		loss:         loss,
		builder:      b,
	}, nil
}

// needsOneTarget reports whether the objective of the method cannot be built with two targets because it
// reads a frozen model with a single target. A frozen model was trained before and does not change.
func needsOneTarget(name string, settings Settings) bool {
	twoTargets, err := smallSpec(name, settings, func(a *models.Architecture) { a.Targets = 2 })
	if err != nil {
		return false
	}
	_, err = twoTargets.Loss(graph.New(graph.Float32, new(graph.Params)), smallBatchRows)
	return errors.Is(err, models.ErrFrozen)
}

// checkObjective makes the checks of the loss and the network that need no long training.
func (c methodCheck) checkObjective(reach Reach) Findings {
	s := c.spec
	seed := c.settings.Seed
	findings := Findings{checkInputs(s, seed), checkSharing(s), checkMean(s, seed), checkRowWeights(s, seed)}
	if reach.usesSubNetworks() {
		findings = append(findings, checkMasks(s, seed))
	}
	passes := []graph.Pass{graph.Full}
	if c.method.UsesSubNetworks {
		passes = append(passes, graph.Drop(0))
	}
	return append(findings, checkRows(s.Forward, passes, seed), checkDeterminism(s, seed), checkFinite(s, seed))
}

// checkLearning trains the method on one batch, and then on many rows, and checks the predictions.
func (c methodCheck) checkLearning(reach Reach) (Findings, error) {
	s := withPaperNetwork(c.spec)
	findings, err := checkOverfitting(s, c.method, reach.readsBuffer, c.settings.Seed)
	if err != nil {
		return nil, err
	}
	return append(findings, checkHeldOut(s, c.method, c.settings.Seed)...), nil
}

// checkRegistration makes the checks of kernels, hyperparameters, penalties and ensemble members.
// Checks that passed are left out if they have nothing to tell.
func (c methodCheck) checkRegistration() Findings {
	findings := Findings{checkKernels(c.spec)}
	for _, f := range []Finding{checkHyperparameters(c.spec, c.method), checkRebuilding(c.spec, c.loss), checkPenalties(c.builder, c.loss)} {
		if f.Status != Passed {
			findings = append(findings, f)
		}
	}
	if c.method.Combine != nil {
		findings = append(findings, checkMembers(c.spec, c.method))
	}
	return findings
}

// checkPenalties notes penalties of the network that the objective leaves out of the loss.
func checkPenalties(b *graph.Builder, loss *graph.Node) Finding {
	const check = "penalties"
	names := graph.Inspect(b).UnusedPenalties(loss)
	if len(names) == 0 {
		return Finding{Check: check, Status: Passed}
	}
	return Finding{Check: check, Status: Noted, Message: fmt.Sprintf(
		"the network has the penalties %s, and the loss leaves them out: add Task.Penalty", strings.Join(names, ", "))}
}

// applyExemptions marks the findings from which the method, or its network, is exempt. It adds a note
// for each exemption of the method that was not needed.
func (r *Report) applyExemptions(s models.Spec, m models.Method) error {
	n, err := s.Network()
	if err != nil {
		return err
	}
	if err := r.Findings.applyExemptions("network "+n.Name, n.Exemptions); err != nil {
		return err
	}
	if err := r.Findings.applyExemptions("method "+m.Name, m.Exemptions); err != nil {
		return err
	}
	r.Findings = r.Findings.noteUnneeded(m.Exemptions) // the network may need its exemptions for other methods
	return nil
}
