package models

import (
	"fmt"
)

// Exemption states that a check of package trainers/check does not apply to a method or a network. If
// the check fails, its finding is shown with the reason and does not count as a failure.
type Exemption struct {
	Check  string `json:"check"`  // name of the check, such as "calibration"
	Reason string `json:"reason"` // why it does not apply, in one sentence
}

// checkExemptions panics if an exemption is incomplete, or if two are of the same check. owner is the
// method or network, for the message. Package trainers/check compares the names with its checks.
func checkExemptions(owner string, exemptions []Exemption) {
	seen := make(map[string]bool)
	for _, e := range exemptions {
		switch {
		case e.Check == "" || e.Reason == "":
			panic(fmt.Sprintf("models: %s has the exemption %+v: want the name of a check and a reason", owner, e))
		case seen[e.Check]:
			panic(fmt.Sprintf("models: %s is exempt from check %q twice", owner, e.Check))
		}
		seen[e.Check] = true
	}
}
