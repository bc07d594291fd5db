package tune

import (
	"cmp"
	"slices"

	"sml/internal/registry"
)

// Strategy chooses the trials of a tuning.
type Strategy struct {
	Name    string
	Summary string // description, a line
	Source  string // publication of the method

	// Next returns the runs of the next round, or none after the last round. They must depend
	// on the history alone.
	Next func(h *History) []Run

	// Work returns the sum of the epochs of all trainings on one fold, if no trial fails.
	Work func(h *History) int

	ChoosesEpochs bool // the strategy chooses the epochs, so the space must not
}

// Run is the training of a trial in a round.
type Run struct {
	Trial  int      // number of the trial; a new trial has the next number
	Values []string // values of a new trial, by dimension
	Epochs int
}

// History is everything that a strategy's choice may depend on.
type History struct {
	Space  Space
	Seed   uint64
	Trials int     // number of all trials of the tuning
	Epochs int     // epochs of a whole training, unless the space varies them
	Done   []Trial // trials of the earlier rounds, ascending by number
}

// sortByLoss returns the trials sorted by their last loss, the best first, and trials of equal
// loss by their numbers.
func sortByLoss(trials []Trial) []Trial {
	sorted := slices.Clone(trials)
	slices.SortStableFunc(sorted, func(a, b Trial) int { return cmp.Compare(a.loss(), b.loss()) })
	return sorted
}

var strategies = registry.New("search strategy", func(s Strategy) string { return s.Name }, "")

// The first strategy is the default. Strategies that other packages register follow.
func init() {
	for _, s := range []Strategy{randomSearch, successiveHalving, parzenEstimators} {
		RegisterStrategy(s)
	}
}

// RegisterStrategy adds a strategy. It panics if the name is taken or a function is missing.
func RegisterStrategy(s Strategy) {
	if s.Next == nil || s.Work == nil {
		panic("tune: strategy " + s.Name + ": Next or Work is missing")
	}
	strategies.Add(s)
}

// Strategies returns the registered strategies in their order.
func Strategies() []Strategy { return strategies.All() }

// LookupStrategy returns the strategy of a name. The error for an unknown name lists the known
// ones.
func LookupStrategy(name string) (Strategy, error) { return strategies.Lookup(name) }
