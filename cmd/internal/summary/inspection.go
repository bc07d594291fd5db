package summary

import (
	"math/rand/v2"
	"slices"
	"time"

	"sml/internal/portable"
)

// inspection is a table as the rules see it, with what the rules before have found.
type inspection struct {
	rows     int
	copies   int // rows with the inputs and targets of an earlier row
	inputs   []*Column
	targets  []*Column
	outcomes []*outcome // one for each target; nil for a table that is too small for scores
	now      time.Time
	found    []Suspicion
}

// minScoredRows is the minimum number of rows of a table with scores: scores of fewer rows are chance.
const minScoredRows = 30

// sampleRows returns the rows of a table that scores and comparisons are computed on, at random, in random order. A
// table of many rows and pairs of columns has a smaller sample.
func sampleRows(rows, pairs int) []int {
	const (
		seed, stream = 1, 0x1ea4 // every inspection of a table uses the same rows
		minRows      = 1000      // that a wide table has, too
		maxRows      = 10_000
		maxSize      = 2_000_000 // rows × pairs, in a sample of more than minRows rows
	)
	size := min(rows, maxRows, max(minRows, maxSize/max(pairs, 1)))
	return portable.Perm(rand.New(rand.NewPCG(seed, stream)), rows)[:size]
}

// has reports whether a rule has found something of one of the kinds.
func (t *inspection) has(kinds ...Kind) bool {
	return slices.ContainsFunc(t.found, func(s Suspicion) bool { return slices.Contains(kinds, s.Kind) })
}

// suspects reports whether a rule has found something of one of the kinds that names the column.
func (t *inspection) suspects(c *Column, kinds ...Kind) bool {
	return slices.ContainsFunc(t.found, func(s Suspicion) bool {
		return slices.Contains(kinds, s.Kind) && slices.Contains(s.Columns, c.Name)
	})
}

// about returns a suspicion about a column, without kind and advice.
func about(c *Column, says string, flags ...Flag) Suspicion {
	return Suspicion{Columns: []string{c.Name}, Says: says, Flags: flags}
}

// dropFlag returns the flag that leaves out a column.
func dropFlag(c *Column) Flag { return Flag{"drop", c.Name} }
