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
	return kernelsFinding(step.Program())
}

// kernelsFinding notes operations for which the compiled engine has no vector kernel, so that a loop
// in Go or Gorgonia computes them.
func kernelsFinding(p *graph.Program) Finding {
	loops := p.Loops()
	fallbacks := p.Fallbacks()
	slow := len(loops) + len(fallbacks)
	if slow == 0 {
		return Finding{Check: kernelsCheck, Status: Passed, Message: "every operation has a fast kernel"}
	}
	return Finding{
		Check:   kernelsCheck,
		Status:  Noted,
		Message: fmt.Sprintf("%d operation(s) have no fast kernel: the results are right, but slow", slow),
		Details: append(countNames(fallbacks, "in Gorgonia"), countNames(loops, "a loop in Go")...),
	}
}

// countNames returns a line for each different name, with the number of its occurrences and a remark.
func countNames(names []string, remark string) []string {
	var lines []string
	counts := make(map[string]int)
	for _, name := range names {
		counts[name]++
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		lines = append(lines, fmt.Sprintf("%s (%d×), %s", name, counts[name], remark))
	}
	return lines
}
