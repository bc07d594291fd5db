package check

import (
	"fmt"
	"slices"

	"sml/graph"
	"sml/models"
)

// checkKernels notes the slow operations of the training graph: the compiled engine has no
// kernels for them and leaves them to Gorgonia.
func checkKernels(s models.Spec) Finding {
	s = withPaperNetwork(s)
	params, err := s.NewParams(0)
	if err != nil {
		return failedFinding(kernelsCheck, err)
	}
	step, err := s.NewStep(graph.Compiled, params, 100)
	if err != nil {
		return failedFinding(kernelsCheck, err)
	}
	defer step.Close()
	return fallbacks(step.Program().Fallbacks())
}

const kernelsCheck = "kernels"

func fallbacks(slow []string) Finding {
	if len(slow) == 0 {
		return Finding{Check: kernelsCheck, Status: Passed, Says: "every operation has a fast kernel"}
	}
	f := Finding{Check: kernelsCheck, Status: Noted, Says: fmt.Sprintf("%d operation(s) without a fast kernel run through Gorgonia: right, but slow", len(slow))}
	slices.Sort(slow)
	for _, op := range slices.Compact(slices.Clone(slow)) {
		n := 0
		for _, other := range slow {
			if other == op {
				n++
			}
		}
		f.Details = append(f.Details, fmt.Sprintf("%s (%d×)", op, n))
	}
	return f
}
