package check

import (
	"fmt"
	"slices"
)

// Status is the outcome of one check.
type Status string

const (
	Passed Status = "passed"
	Noted  Status = "noted" // worth knowing, and no mistake
	Failed Status = "failed"
	Exempt Status = "exempt" // failed or noted, and its author says why it does not apply
)

// Finding is what one check found.
type Finding struct {
	Check   string   `json:"check"`
	Status  Status   `json:"status"`
	Says    string   `json:"says"`              // one line
	Details []string `json:"details,omitempty"` // a line each: which parameter, which values
	Exempt  string   `json:"exempt,omitempty"`  // reason of an exemption
}

// Findings are what several checks found.
type Findings []Finding

// Passed tells whether no check failed.
func (f Findings) Passed() bool {
	return !slices.ContainsFunc(f, func(f Finding) bool { return f.Status == Failed })
}

func failed(check string, err error) Finding {
	return Finding{Check: check, Status: Failed, Says: err.Error()}
}

// untold is the finding of a check that compares losses where one is not finite.
func untold(check string, loss float64) Finding {
	return failed(check, fmt.Errorf("cannot be told: the loss is %v on rows drawn from N(0, 1)", loss))
}

// clean reports whether every check passed without a note.
func (f Findings) clean() bool { return f.count(Passed) == len(f) }

func (f Findings) count(status Status) int {
	n := 0
	for _, finding := range f {
		if finding.Status == status {
			n++
		}
	}
	return n
}
