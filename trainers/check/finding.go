package check

import (
	"fmt"
	"slices"
)

// Status is the outcome of one check.
type Status string

const (
	Passed Status = "passed"
	Noted  Status = "noted" // remarkable, but not a mistake
	Failed Status = "failed"
	Exempt Status = "exempt" // failed or noted, and the author of the method says why the check does not apply
)

// Finding is the result of one check.
type Finding struct {
	Check   string   `json:"check"`
	Status  Status   `json:"status"`
	Says    string   `json:"says"`              // one line
	Details []string `json:"details,omitempty"` // lines that name the parameters and values
	Exempt  string   `json:"exempt,omitempty"`  // reason of an exemption
}

// Findings are the results of several checks.
type Findings []Finding

// Passed reports whether no check failed.
func (f Findings) Passed() bool {
	return !slices.ContainsFunc(f, func(f Finding) bool { return f.Status == Failed })
}

// failedFinding returns the finding of a check that failed with err.
func failedFinding(check string, err error) Finding {
	return Finding{Check: check, Status: Failed, Says: err.Error()}
}

// undecidedFinding returns the finding of a check that cannot compare losses because one is not finite.
func undecidedFinding(check string, loss float64) Finding {
	return failedFinding(check, fmt.Errorf("cannot be told: the loss is %v on rows drawn from N(0, 1)", loss))
}

// clean reports whether every check passed without a note.
func (f Findings) clean() bool { return f.count(Passed) == len(f) }

// count returns the number of findings with that status.
func (f Findings) count(status Status) int {
	n := 0
	for _, finding := range f {
		if finding.Status == status {
			n++
		}
	}
	return n
}
