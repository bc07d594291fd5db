package check

import (
	"fmt"
	"slices"
)

// Status is the outcome of one check.
type Status string

const (
	Passed Status = "passed"
	Noted  Status = "noted"  // remarkable, but not necessarily a mistake
	Failed Status = "failed" // a mistake
	Exempt Status = "exempt" // failed or noted, and the author of the method gave a reason why the check does not apply
)

// Finding is the result of one check.
type Finding struct {
	Check   string   `json:"check"` // name of the check
	Status  Status   `json:"status"`
	Message string   `json:"message"`           // one line
	Details []string `json:"details,omitempty"` // one line for each parameter, term or value
	Exempt  string   `json:"exempt,omitempty"`  // reason of the exemption; "" if there is none
}

// Findings are the results of several checks.
type Findings []Finding

// Passed reports whether no check failed.
func (f Findings) Passed() bool {
	return !slices.ContainsFunc(f, func(f Finding) bool { return f.Status == Failed })
}

// failedFinding returns the finding of a check that failed with err.
func failedFinding(check string, err error) Finding {
	return Finding{Check: check, Status: Failed, Message: err.Error()}
}

// notFiniteFinding returns the finding of a check that cannot compare losses because one is not
// finite.
func notFiniteFinding(check string, loss float64) Finding {
	return failedFinding(check, fmt.Errorf("cannot compare losses: the loss is %v on rows drawn from N(0, 1)", loss))
}

// allPassed reports whether every check passed without a note.
func (f Findings) allPassed() bool { return f.count(Passed) == len(f) }

// count returns the number of findings with the given status.
func (f Findings) count(status Status) int {
	n := 0
	for _, finding := range f {
		if finding.Status == status {
			n++
		}
	}
	return n
}

// noteIfPassed changes the status to Noted if the check passed so far. A failure stays a failure.
func (f *Finding) noteIfPassed() {
	if f.Status == Passed {
		f.Status = Noted
	}
}
