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

// applyExemptions changes the status of failed and noted findings to Exempt where there is an exemption
// from the check. It returns an error if an exemption names no check; owner, such as "method x", says
// in this error whose exemption it is.
func (f Findings) applyExemptions(owner string, exemptions []models.Exemption) error {
	for _, e := range exemptions {
		if !slices.Contains(methodChecks, e.Check) && !slices.Contains(networkChecks, e.Check) {
			names := slices.Compact(slices.Sorted(slices.Values(slices.Concat(methodChecks, networkChecks))))
			return fmt.Errorf("%s is exempt from check %q, which does not exist: want one of %s", owner, e.Check, strings.Join(names, ", "))
		}
		for i := range f {
			if f[i].Check == e.Check && (f[i].Status == Failed || f[i].Status == Noted) {
				f[i].Status = Exempt
				f[i].Exempt = e.Reason
			}
		}
	}
	return nil
}

// noteUnneeded returns f with a note for each exemption whose check passed without it, so that the
// exemption can be removed.
func (f Findings) noteUnneeded(exemptions []models.Exemption) Findings {
	for _, e := range exemptions {
		if f.has(e.Check, Passed) && !f.has(e.Check, Exempt) {
			f = append(f, Finding{Check: e.Check, Status: Noted, Message: "the exemption is not needed: " + e.Reason})
		}
	}
	return f
}

// has reports whether a finding of the named check has the given status.
func (f Findings) has(check string, status Status) bool {
	return slices.ContainsFunc(f, func(f Finding) bool { return f.Check == check && f.Status == status })
}
