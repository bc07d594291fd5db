package summary

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"sml/data"
	"sml/internal/portable"
)

// inspection is a table as the rules see it, with what the rules before have found.
type inspection struct {
	rows     int
	sampled  int // rows of the sample, which have all targets
	copies   int // rows with the inputs and targets of an earlier row
	inputs   []*Column
	targets  []*Column
	outcomes []*outcome // one for each target; nil for a table that is too small for scores
	now      time.Time
	found    []Suspicion
}

// newInspection returns the inspection of the given rows of a table, with the scores of its inputs. It returns an error only
// if ctx ends.
func newInspection(ctx context.Context, table *data.Table, rows []int) (*inspection, error) {
	groups := table.Groups()
	t := &inspection{
		rows:    len(rows),
		inputs:  newColumns(table, groups[0], Input, rows),
		targets: newColumns(table, groups[1], Target, rows),
		found:   []Suspicion{}, // not nil, so that JSON has [] if there are none
	}
	columns := slices.Concat(t.inputs, t.targets)
	for _, c := range columns {
		c.code = c.missingCode()
	}
	sample := slices.DeleteFunc(sampleRows(t.rows, len(t.inputs)*len(t.targets)), t.lacksTarget)
	t.sampled = len(sample)
	for _, c := range columns {
		c.sample = pick(c.values, sample)
	}
	for _, target := range t.targets {
		y := newOutcome(target)
		t.outcomes = append(t.outcomes, y)
		for _, c := range t.inputs {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			y.score(c)
		}
	}
	return t, ctx.Err()
}

// lacksTarget reports whether a target of a row is missing, or has the number that seems to stand for a missing value:
// inputs with the same number in these rows would seem to predict the target.
func (t *inspection) lacksTarget(row int) bool {
	return slices.ContainsFunc(t.targets, func(y *Column) bool {
		return math.IsNaN(y.values[row]) || y.values[row] == y.code
	})
}

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

// scoreTogether returns how well all inputs but leaks predict each target together. It returns nil if there are too few
// rows.
func (t *inspection) scoreTogether() (together []Prediction) {
	if t.sampled < minScoredRows || len(t.inputs) == 0 {
		return nil
	}
	isLeak := func(c *Column) bool {
		return slices.ContainsFunc(t.found, func(s Suspicion) bool {
			return (s.Kind == LikeTarget || s.Kind == Combination) && slices.Contains(s.Flags, dropFlag(c))
		})
	}
	honest := slices.DeleteFunc(slices.Clone(t.inputs), isLeak)
	for k, y := range t.outcomes {
		together = append(together, Prediction{Target: y.Name, R2: max(0, scoreTogether(honest, y, k))})
	}
	return together
}

// newColumns returns the profiles of the columns of a group, which have the same role, in the given rows.
func newColumns(t *data.Table, group data.Group, role Role, rows []int) (columns []*Column) {
	for j, name := range group.Names {
		values := pick(column(group, j), rows)
		columns = append(columns, newColumn(name, role, fieldOf(t, role, j), values))
	}
	return columns
}

// column returns the values of column j of a group.
func column(group data.Group, j int) (values []float64) {
	for i := j; i < len(*group.Values); i += len(group.Names) {
		values = append(values, (*group.Values)[i])
	}
	return values
}

// fieldOf returns the field of column j among the columns with the given role. In a table without
// fields, all columns are numbers.
func fieldOf(t *data.Table, role Role, j int) data.Field {
	switch {
	case role == Input && t.Fields != nil:
		return t.Fields[j]
	case role == Target && t.TargetFields != nil:
		return t.TargetFields[j]
	}
	return data.Field{Kind: data.Number}
}
