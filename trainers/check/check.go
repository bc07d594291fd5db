// Package check examines a training method: are its gradients right, which
// weights does each of its terms train, is it a mean over rows, does it give the
// same bytes twice, does it stay finite, can it learn, and is all of it fast. A
// network is examined for any method.
//
// It is what `sml check METHOD` runs, and what a test of a new method or network
// calls:
//
//	func TestMethod(t *testing.T) { check.Test(t, "beta-nll", nil) }
//	func TestNetwork(t *testing.T) { check.TestNetwork(t, "residual") }
package check

import (
	"slices"

	"sml/graph"
	"sml/models"
)

// Status is the outcome of one check.
type Status string

const (
	Passed Status = "passed"
	Noted  Status = "noted" // worth knowing, and no mistake
	Failed Status = "failed"
)

// Finding is what one check found.
type Finding struct {
	Check   string   `json:"check"`
	Status  Status   `json:"status"`
	Says    string   `json:"says"`              // one line
	Details []string `json:"details,omitempty"` // a line each: which parameter, which values
}

// Findings are what several checks found.
type Findings []Finding

// Passed tells whether no check failed.
func (f Findings) Passed() bool {
	return !slices.ContainsFunc(f, func(f Finding) bool { return f.Status == Failed })
}

// Report is what all checks of a method found.
type Report struct {
	Method          string                 `json:"method"`
	Hyperparameters models.Hyperparameters `json:"hyperparameters"`
	Seed            uint64                 `json:"seed"`
	Findings        Findings               `json:"findings"`
	Reach           Reach                  `json:"reach"`
}

// Passed tells whether no check failed.
func (r Report) Passed() bool { return r.Findings.Passed() }

// Method checks the registered method of that name with the chosen
// hyperparameters, on small networks and made data that follow from seed. It
// takes a second or two. The error is that of an objective which cannot be
// built, or of a predictor that cannot be called; all else is in the report.
func Method(name string, chosen models.Hyperparameters, seed uint64) (Report, error) {
	s, err := small(name, chosen, nil)
	if err != nil {
		return Report{}, err
	}
	if _, err := s.Loss(graph.New(graph.Float32, new(graph.Params)), rows); err != nil {
		return Report{}, err
	}
	m, err := models.Lookup(name)
	if err != nil {
		return Report{}, err
	}
	if err := s.Examine(m.Members); err != nil {
		return Report{}, err
	}
	r := Report{Method: s.Method, Hyperparameters: s.Hyperparameters, Seed: seed}
	reach, found := reaches(s, seed)
	r.Reach = reach
	if reach.empty() { // there is no gradient to look at
		r.Findings = Findings{found}
		return r, nil
	}
	r.Findings = Findings{
		gradients(name, chosen, seed), found, averages(s, seed),
		deterministic(s, seed), finite(s, seed), overfits(s, seed), kernels(s),
	}
	if m.Combine != nil {
		r.Findings = append(r.Findings, members(s, m))
	}
	return r, nil
}

// rows is the size of a small batch.
const rows = 6

// small is a network of the method that differences are quickly taken of.
func small(name string, chosen models.Hyperparameters, edit func(*models.Architecture)) (models.Spec, error) {
	a := models.Architecture{Inputs: 3, Targets: 1, Hidden: []int{5, 4}, Activation: "relu", Dropout: 0.3}
	if edit != nil {
		edit(&a)
	}
	return models.NewSpec(name, chosen, a)
}

// usual returns the spec with the network that the paper trains.
func usual(s models.Spec) models.Spec {
	s.Architecture.Hidden = []int{50, 50}
	s.Architecture.Dropout = 0.1
	return s
}

func failed(check string, err error) Finding {
	return Finding{Check: check, Status: Failed, Says: err.Error()}
}
