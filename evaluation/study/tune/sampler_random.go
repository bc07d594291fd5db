package tune

// random draws every trial by itself, all in one round.
var random = Sampler{
	Name: "random", Summary: "every trial drawn by itself", Source: "Bergstra and Bengio 2012",
	Next: func(h *History) []Run {
		if len(h.Done) > 0 {
			return nil
		}
		return h.drawn(h.Trials, h.Epochs)
	},
	Work: func(h *History) int { return h.Trials * h.Epochs },
}

// drawn are so many new trials, drawn by themselves.
func (h *History) drawn(trials, epochs int) []Run {
	var runs []Run
	for i := range trials {
		n := len(h.Done) + i + 1
		runs = append(runs, Run{n, h.Space.Draw(h.Seed, n), epochs})
	}
	return runs
}
