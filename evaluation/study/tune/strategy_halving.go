package tune

import (
	"math"
	"slices"
)

// successiveHalving draws trials independently and trains all of them for a ninth of the epochs. It trains the
// best third again for a third of the epochs, and the best third of these trials for all epochs. A training
// starts anew at each rung, so its result has the same bytes as a training that was never stopped.
var successiveHalving = Strategy{
	Name:          "halving",
	Summary:       "all trials for a ninth of the epochs, the best third for a third, and their best third for all epochs",
	Source:        "Jamieson and Talwalkar 2016, successive halving",
	Next:          nextRung,
	TotalEpochs:   epochsOfAllRungs,
	ChoosesEpochs: true,
}

// epochsOfAllRungs returns the epochs of all rungs together if no trial fails.
func epochsOfAllRungs(h *History) int {
	total := 0
	trials := h.TrialCount
	for _, epochs := range h.rungEpochs() {
		total += trials * epochs
		trials = bestThird(trials)
	}
	return total
}

// nextRung returns the runs of the next round: new trials at first, then the best third of the trials on the
// highest rung so far. It leaves out failed trials and trials that repeat the values of a better one.
func nextRung(h *History) []Run {
	rungEpochs := h.rungEpochs()
	if len(h.Trials) == 0 {
		return h.drawRuns(h.TrialCount, rungEpochs[0])
	}
	highest := 0 // largest number of rungs that a trial has
	for _, t := range h.Trials {
		highest = max(highest, len(t.Rungs))
	}
	if highest == len(rungEpochs) {
		return nil
	}
	isBelow := func(t Trial) bool { return len(t.Rungs) < highest }
	candidates := slices.DeleteFunc(slices.Clone(h.Trials), isBelow)
	var runs []Run
	for _, t := range sortByLoss(candidates) {
		hasFailed := math.IsInf(t.loss(), 1)
		if hasFailed || len(runs) == bestThird(len(candidates)) {
			break // all later trials are worse
		}
		isRepeated := slices.ContainsFunc(runs, func(r Run) bool { return slices.Equal(r.Values, t.Values) })
		if !isRepeated {
			runs = append(runs, Run{Trial: t.Number, Values: t.Values, Epochs: rungEpochs[highest]})
		}
	}
	return runs
}

// rungEpochs returns the numbers of epochs of the rungs, ascending: a ninth, a third and all epochs of a whole
// training, each rounded and at least 1. Equal numbers are one rung.
func (h *History) rungEpochs() []int {
	var rungs []int
	for _, divisor := range []int{9, 3, 1} {
		rounded := (h.Epochs + divisor/2) / divisor // half of the divisor more rounds to the nearest number
		rungs = append(rungs, max(1, rounded))
	}
	return slices.Compact(rungs)
}

// bestThird returns how many of n trials reach the next rung: a third, rounded up.
func bestThird(n int) int { return (n + 2) / 3 }
