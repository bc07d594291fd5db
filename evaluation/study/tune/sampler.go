package tune

import (
	"cmp"
	"math"
	"slices"

	"sml/internal/registry"
)

// Sampler chooses what is tried.
type Sampler struct {
	Name    string
	Summary string
	Source  string

	// Next returns what the next round runs; nothing: there is no further one. It follows
	// from the history alone.
	Next func(h *History) []Run

	// Work is how many epochs all rounds have together, of each fold, if no trial fails.
	Work func(h *History) int

	OwnEpochs bool // it chooses epochs: no setting of the space may
}

// Run is a trial that a round runs.
type Run struct {
	Trial  int      // its number, from 1: one more than there were, or that of a trial that goes on
	Values []string // of the dimensions, of a new trial
	Epochs int
}

// History is what a sampler knows.
type History struct {
	Space  Space
	Seed   uint64
	Trials int     // to be tried
	Epochs int     // of a whole training, where the space does not vary them
	Done   []Trial // by their numbers: all of the rounds before
}

// best sorts trials by their last loss, those with equal ones by their numbers.
func best(trials []Trial) []Trial {
	sorted := slices.Clone(trials)
	slices.SortStableFunc(sorted, func(a, b Trial) int { return cmp.Compare(a.loss(), b.loss()) })
	return sorted
}

// loss is what a trial has come to, the lower the better: +∞ where it failed.
func (t Trial) loss() float64 {
	if len(t.Rungs) == 0 || t.State == Failed {
		return math.Inf(1)
	}
	return t.Rungs[len(t.Rungs)-1].loss
}

var samplers = registry.New("sampler", func(s Sampler) string { return s.Name }, "")

// The first is the default; what others register follows.
func init() {
	for _, s := range []Sampler{random, halving, parzen} {
		RegisterSampler(s)
	}
}

// RegisterSampler adds a sampler. It panics if the name is taken, or the functions are
// missing: a mistake in the program.
func RegisterSampler(s Sampler) {
	if s.Next == nil || s.Work == nil {
		panic("tune: sampler " + s.Name + ": want what it runs next, and its work")
	}
	samplers.Add(s)
}

// Samplers lists the registered samplers.
func Samplers() []Sampler { return samplers.All() }

// LookupSampler returns the sampler of that name. The error lists those that there are.
func LookupSampler(name string) (Sampler, error) { return samplers.Lookup(name) }
