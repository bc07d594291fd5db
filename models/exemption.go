package models

import (
	"fmt"
)

// Exemption says that a check of package trainers/check does not apply to a method or a
// network. The finding of the check is then shown with the reason, and is no failure.
type Exemption struct {
	Check  string `json:"check"`  // name of the check, as "calibration"
	Reason string `json:"reason"` // why it does not apply, in one sentence
}

// checkExemptions panics if an exemption is incomplete, or if two are of one check, which
// is a mistake in the program. Names of checks are known to package trainers/check.
func checkExemptions(of string, list []Exemption) {
	seen := make(map[string]bool)
	for _, e := range list {
		switch {
		case e.Check == "" || e.Reason == "":
			panic(fmt.Sprintf("models: %s has the exemption %+v: want the name of a check and a reason", of, e))
		case seen[e.Check]:
			panic(fmt.Sprintf("models: %s is exempt from check %q twice", of, e.Check))
		}
		seen[e.Check] = true
	}
}
