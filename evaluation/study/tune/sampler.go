package tune

import (
	"cmp"
	"slices"

	"sml/internal/registry"
)

// Sampler chooses the trials of a tuning.
type Sampler struct {
	Name    string
	Summary string // description, a line
	Source  string // publication of the method

	// Next returns the runs of the next round, or none after the last round. They must depend
	// on the history alone.
	Next func(h *History) []Run

	// Work returns the sum of the epochs of all trainings on one fold, if no trial fails.
	Work func(h *History) int

	OwnEpochs bool // the sampler chooses the epochs, so the space must not
}

// Run is the training of a trial in a round.
type Run struct {
	Trial  int      // number of the trial; a new trial has the next number
	Values []string // values of a new trial, by dimension
	Epochs int
}

// History is everything that a sampler's choice may depend on.
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

var samplers = registry.New("sampler", func(s Sampler) string { return s.Name }, "")

// The first sampler is the default. Samplers that other packages register follow.
func init() {
	for _, s := range []Sampler{randomSampler, halvingSampler, parzenSampler} {
		RegisterSampler(s)
	}
}

// RegisterSampler adds a sampler. It panics if the name is taken or a function is missing.
func RegisterSampler(s Sampler) {
	if s.Next == nil || s.Work == nil {
		panic("tune: sampler " + s.Name + ": Next or Work is missing")
	}
	samplers.Add(s)
}

// Samplers returns the registered samplers in their order.
func Samplers() []Sampler { return samplers.All() }

// LookupSampler returns the sampler of a name. The error for an unknown name lists the known
// ones.
func LookupSampler(name string) (Sampler, error) { return samplers.Lookup(name) }
