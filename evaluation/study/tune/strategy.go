package tune

import (
	"cmp"
	"slices"

	"sml/internal/registry"
)

// Strategy is a search strategy: it proposes the trials of a tuning, round by round.
type Strategy struct {
	Name    string
	Summary string // one line that describes the strategy
	Source  string // publication of the strategy

	// Next returns the runs of the next round, or none after the last round. It must be a
	// function of the history alone, so that a tuning can be continued.
	Next func(h *History) []Run

	// TotalEpochs returns the number of epochs of all trainings on one fold if no trial fails.
	// The progress of a tuning is measured by it.
	TotalEpochs func(h *History) int

	ChoosesEpochs bool // the strategy sets the epochs of each run, so the space must not vary them
}

// Run asks for the cross-validation of one trial in a round.
type Run struct {
	Trial  int      // number of the trial; a new trial has the next number
	Values []string // values of the trial, one per dimension of the space
	Epochs int      // epochs of each training
}

// History is everything that a strategy's proposals may depend on.
type History struct {
	Space      Space
	Seed       uint64
	TrialCount int     // number of trials that the whole tuning is to have
	Epochs     int     // epochs of a whole training, unless the space varies them
	Trials     []Trial // trials of the earlier rounds, ascending by number
}

// sortByLoss returns a copy of the trials sorted by their last loss, the best first. Trials of equal loss keep
// their order.
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

// RegisterStrategy adds a search strategy. It panics if the name is taken or a function is missing.
func RegisterStrategy(s Strategy) {
	if s.Next == nil || s.TotalEpochs == nil {
		panic("tune: search strategy " + s.Name + ": Next or TotalEpochs is missing")
	}
	strategies.Add(s)
}

// Strategies returns all search strategies, the default first.
func Strategies() []Strategy { return strategies.All() }

// LookupStrategy returns the search strategy with the given name. For an unknown name it returns an error that
// lists the known names.
func LookupStrategy(name string) (Strategy, error) { return strategies.Lookup(name) }
