package tune

import (
	"math"
	"slices"
)

// halving draws trials as random does, trains all of them for a ninth of the epochs, the
// best third of them for a third, and the best third of those for all. A trial that goes
// on is trained anew, with more epochs: what it comes to has the bytes of a plain training.
var halving = Sampler{
	Name: "halving", Summary: "all for a ninth of the epochs, the best third of them for a third, the best third of those for all", Source: "Jamieson and Talwalkar 2016, successive halving",
	OwnEpochs: true,
	Next: func(h *History) []Run {
		rungs, at := h.rungs(), 0
		if len(h.Done) == 0 {
			return h.drawn(h.Trials, rungs[0])
		}
		for _, t := range h.Done {
			at = max(at, len(t.Rungs))
		}
		if at == len(rungs) {
			return nil
		}
		there := slices.DeleteFunc(slices.Clone(h.Done), func(t Trial) bool { return len(t.Rungs) < at })
		var runs []Run
		var kept [][]string
		for _, t := range best(there) {
			if len(runs) == third(len(there)) || math.IsInf(t.loss(), 1) {
				break
			}
			if same := func(values []string) bool { return slices.Equal(values, t.Values) }; !slices.ContainsFunc(kept, same) {
				kept = append(kept, t.Values)
				runs = append(runs, Run{t.Number, t.Values, rungs[at]})
			}
		}
		return runs
	},
	Work: func(h *History) int {
		work, trials := 0, h.Trials
		for _, epochs := range h.rungs() {
			work += trials * epochs
			trials = third(trials)
		}
		return work
	},
}

// rungs are the numbers of epochs after which a trial goes on or not, the whole last.
func (h *History) rungs() []int {
	var list []int
	for _, part := range []int{9, 3, 1} {
		list = append(list, max(1, (h.Epochs+part/2)/part))
	}
	return slices.Compact(list)
}

func third(n int) int { return (n + 2) / 3 }
