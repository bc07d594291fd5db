package tune

import (
	"math"
	"slices"
)

// successiveHalving draws trials independently and trains all trials for a ninth of the epochs. It
// trains the best third again for a third of the epochs, and the best third of this group for all
// epochs. A trial that goes on is trained from the start, so its result has the same bytes as a
// training without a stop.
var successiveHalving = Strategy{
	Name:          "halving",
	Summary:       "all for a ninth of the epochs, the best third of them for a third, the best third of those for all",
	Source:        "Jamieson and Talwalkar 2016, successive halving",
	ChoosesEpochs: true,
	Next:          nextRung,
	Work: func(h *History) int {
		work, trials := 0, h.Trials
		for _, epochs := range h.rungs() {
			work += trials * epochs
			trials = bestThird(trials)
		}
		return work
	},
}

// nextRung returns the runs of the trials that reach the next rung.
func nextRung(h *History) []Run {
	rungs := h.rungs()
	if len(h.Done) == 0 {
		return h.drawRuns(h.Trials, rungs[0])
	}
	reached := 0
	for _, t := range h.Done {
		reached = max(reached, len(t.Rungs))
	}
	if reached == len(rungs) {
		return nil
	}
	remaining := slices.DeleteFunc(slices.Clone(h.Done), func(t Trial) bool { return len(t.Rungs) < reached })
	var runs []Run
	for _, t := range sortByLoss(remaining) {
		if len(runs) == bestThird(len(remaining)) || math.IsInf(t.loss(), 1) {
			break
		}
		drawnBefore := slices.ContainsFunc(runs, func(r Run) bool { return slices.Equal(r.Values, t.Values) })
		if !drawnBefore {
			runs = append(runs, Run{Trial: t.Number, Values: t.Values, Epochs: rungs[reached]})
		}
	}
	return runs
}

// rungs returns the numbers of epochs after which trials are compared, ascending. The last number
// is the epochs of a whole training.
func (h *History) rungs() []int {
	var list []int
	for _, divisor := range []int{9, 3, 1} {
		rounded := (h.Epochs + divisor/2) / divisor
		list = append(list, max(1, rounded))
	}
	return slices.Compact(list)
}

// bestThird returns the number of trials that go on out of n: a third, rounded up.
func bestThird(n int) int { return (n + 2) / 3 }
