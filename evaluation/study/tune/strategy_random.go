package tune

// randomSearch draws all trials independently, in one round.
var randomSearch = Strategy{
	Name:    "random",
	Summary: "independent trials",
	Source:  "Bergstra and Bengio 2012",
	Next: func(h *History) []Run {
		if len(h.Trials) > 0 {
			return nil
		}
		return h.drawRuns(h.TrialCount, h.Epochs)
	},
	TotalEpochs: epochsOfWholeTrainings,
}

// epochsOfWholeTrainings returns the epochs of all trials together if each is a whole training.
func epochsOfWholeTrainings(h *History) int { return h.TrialCount * h.Epochs }

// drawRuns returns runs of new trials with independently drawn values.
func (h *History) drawRuns(count, epochs int) []Run {
	var runs []Run
	for i := range count {
		number := len(h.Trials) + i + 1
		runs = append(runs, Run{Trial: number, Values: h.Space.Draw(h.Seed, number), Epochs: epochs})
	}
	return runs
}
