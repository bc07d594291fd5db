package check

import (
	"fmt"
	"slices"
	"strings"

	"sml/models"
)

// Names of the checks that Method and Network make.
var (
	methodChecks = []string{
		"gradients", "terms", "inputs", "parameters", "mean", "weights", "sub-networks", "rows", "determinism", "finite",
		"overfits", "predicts", heldOutCheck, calibrationCheck, kernelsCheck, "settings", "penalties", "members",
	}
	networkChecks = []string{"shapes", "layers", "parameters", "architecture", "rows", "gradients", kernelsCheck}
)

// exempt marks findings from which a method or a network, called owner, is exempt. It
// returns an error if there is no check of an exemption's name.
func (f Findings) exempt(owner string, list []models.Exemption) error {
	for _, e := range list {
		if !slices.Contains(methodChecks, e.Check) && !slices.Contains(networkChecks, e.Check) {
			all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(methodChecks, networkChecks))))
			return fmt.Errorf("%s is exempt from check %q, which does not exist: there is %s", owner, e.Check, strings.Join(all, ", "))
		}
		for i := range f {
			if f[i].Check == e.Check && (f[i].Status == Failed || f[i].Status == Noted) {
				f[i].Status, f[i].Exempt = Exempt, e.Reason
			}
		}
	}
	return nil
}

// noteUnneeded adds a note for each exemption from a check that passed.
func (f Findings) noteUnneeded(list []models.Exemption) Findings {
	for _, e := range list {
		found := func(status Status) bool {
			return slices.ContainsFunc(f, func(f Finding) bool { return f.Check == e.Check && f.Status == status })
		}
		if found(Passed) && !found(Exempt) {
			f = append(f, Finding{Check: e.Check, Status: Noted, Says: "the exemption is not needed: " + e.Reason})
		}
	}
	return f
}
