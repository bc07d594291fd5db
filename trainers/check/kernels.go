package check

import (
	"fmt"
	"slices"

	"sml/graph"
	"sml/models"
)

// kernelsCheck is the name of the check for slow operations.
const kernelsCheck = "kernels"

// kernelsBatch is the number of rows of the graph whose kernels are checked.
const kernelsBatch = 100

// checkKernels notes the slow operations of the training graph.
func checkKernels(s models.Spec) Finding {
	s = withPaperNetwork(s)
	params, err := s.NewParams(0)
	if err != nil {
		return failedFinding(kernelsCheck, err)
	}
	step, err := s.NewStep(graph.Compiled, params, kernelsBatch)
	if err != nil {
		return failedFinding(kernelsCheck, err)
	}
	defer step.Close()
	return kernelsFinding(step.Program().Fallbacks())
}

// kernelsFinding notes operations for which the compiled engine has no kernel, a fast loop of its own,
// so that Gorgonia computes them. slow names each such operation of a graph, as often as it occurs.
func kernelsFinding(slow []string) Finding {
	if len(slow) == 0 {
		return Finding{Check: kernelsCheck, Status: Passed, Message: "every operation has a fast kernel"}
	}
	f := Finding{Check: kernelsCheck, Status: Noted}
	f.Message = fmt.Sprintf("%d operation(s) have no fast kernel and run in Gorgonia: the results are right, but slow", len(slow))
	counts := make(map[string]int)
	for _, operation := range slow {
		counts[operation]++
	}
	for _, operation := range slices.Compact(slices.Sorted(slices.Values(slow))) {
		f.Details = append(f.Details, fmt.Sprintf("%s (%d×)", operation, counts[operation]))
	}
	return f
}
