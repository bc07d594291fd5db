package tune

// randomSearch draws all trials independently, in one round.
var randomSearch = Strategy{
	Name:    "random",
	Summary: "every trial drawn by itself",
	Source:  "Bergstra and Bengio 2012",
	Next: func(h *History) []Run {
		if len(h.Done) > 0 {
			return nil
		}
		return h.drawRuns(h.Trials, h.Epochs)
	},
	Work: wholeTrainings,
}

// wholeTrainings returns the epochs of all trials together if each is a whole training.
func wholeTrainings(h *History) int { return h.Trials * h.Epochs }

// drawRuns returns runs of new trials, drawn independently.
func (h *History) drawRuns(trials, epochs int) []Run {
	var runs []Run
	for i := range trials {
		n := len(h.Done) + i + 1
		runs = append(runs, Run{Trial: n, Values: h.Space.Draw(h.Seed, n), Epochs: epochs})
	}
	return runs
}
