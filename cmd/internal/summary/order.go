package summary

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// minOrderedRows is the minimum number of rows whose order may tell something; in fewer, an order is often chance.
const minOrderedRows = 20

// findTime finds the first input that looks like a time by which the rows are sorted.
func findTime(t *inspection) []Suspicion {
	for _, c := range t.inputs {
		sortsRows := t.rows >= minOrderedRows && c.Missing == 0 && c.Distinct > 1 && c.isMonotone()
		if !sortsRows || !c.looksLikeTime() {
			continue
		}
		says := "the rows stand in its order"
		autocorrelation := describeAutocorrelation(t.targets, nil) // nil: also the effect of the order by this time counts
		mayBeIdentifier := c.Kind == data.Number && !c.hasTimeName() && c.isWhole()
		if autocorrelation == "" && mayBeIdentifier {
			continue
		}
		if autocorrelation != "" {
			says += ", and " + autocorrelation
		}
		return []Suspicion{about(c, says, Flag{"split", "time"}, Flag{"time", c.Name})}
	}
	return nil
}

// looksLikeTime reports whether a column may be a time: a date, or numbers that have the name of a time
// or are nearly all different, as measured times are. Numbers that count the rows are no time.
func (c *Column) looksLikeTime() bool {
	const minDistinctFraction = 0.9 // of the rows
	switch c.Kind {
	case data.Date:
		return true
	case data.Number:
		mostlyDistinct := float64(c.Distinct) >= minDistinctFraction*float64(len(c.values))
		looksMeasured := mostlyDistinct && !c.counts()
		return c.hasTimeName() || looksMeasured
	}
	return false
}

// findGroups finds each input whose equal values mostly stand in consecutive rows, such as the number of a patient
// with several rows. A run is a maximal sequence of consecutive rows with the same value.
func findGroups(t *inspection) (found []Suspicion) {
	const (
		maxRunsPerValue  = 1.2 // 1 if all rows of a value are consecutive
		minShuffledRatio = 2   // runs in a random order of the rows, divided by the runs in theirs
	)
	if t.rows < minOrderedRows {
		return nil
	}
	for _, c := range t.inputs {
		if !c.mayNumberGroups() {
			continue
		}
		runs := c.countRuns()
		mostlyConsecutive := float64(runs) <= maxRunsPerValue*float64(c.Distinct)
		if mostlyConsecutive && minShuffledRatio*runs < c.shuffledRuns() {
			says := fmt.Sprintf("its %d values stand in %d runs of rows: rows with the same value may describe the same thing", c.Distinct, runs)
			found = append(found, about(c, says, Flag{"split", "group"}, Flag{"group", c.Name}))
		}
	}
	return found
}

// mayNumberGroups reports whether the values of a column may be the names or numbers of groups: at least
// a few categories or whole numbers, with several rows each. A time is no group: rows of the same moment
// or day are consecutive, too, and findTime looks for it.
func (c *Column) mayNumberGroups() bool {
	const (
		minGroups    = 10 // one for each fold of a split; a column with fewer values is a class, whose rows are no repetitions
		minGroupRows = 2  // mean number of rows with the same value
	)
	isTime := c.Kind == data.Date || c.hasTimeName() && c.isMonotone()
	severalRowsEach := minGroupRows*c.Distinct <= len(c.values)
	canSplit := c.Missing == 0 && c.Distinct >= minGroups && c.namesThings()
	return !isTime && canSplit && severalRowsEach && c.isWhole()
}

// findNeighbours finds a target that is like the target of the row before, unless a time or groups explain it.
func findNeighbours(t *inspection) []Suspicion {
	if t.rows < minOrderedRows || t.has(Time, Groups) {
		return nil
	}
	var sortedBy []*Column
	for _, c := range t.inputs {
		if c.isSorted() {
			sortedBy = append(sortedBy, c)
		}
	}
	autocorrelation := describeAutocorrelation(t.targets, sortedBy)
	if autocorrelation == "" {
		return nil
	}
	return []Suspicion{{Says: autocorrelation}}
}

// isSorted reports whether equal values of a column, which must be categories or whole numbers, mostly
// stand in consecutive rows.
func (c *Column) isSorted() bool {
	const maxRunsPerValue = 2 // 1 if all rows of a value are consecutive
	if c.Kind == data.Date || c.Distinct < 2 {
		return false
	}
	return c.countRuns() <= maxRunsPerValue*c.Distinct && c.isWhole()
}

// countRuns returns the number of runs of consecutive rows with the same value. Missing values count as
// one value.
func (c *Column) countRuns() int {
	runs := min(1, len(c.values))
	for i := 1; i < len(c.values); i++ {
		v, previous := c.values[i], c.values[i-1]
		bothMissing := math.IsNaN(v) && math.IsNaN(previous)
		if v != previous && !bothMissing {
			runs++
		}
	}
	return runs
}

// shuffledRuns returns the approximate number of runs if the n rows were shuffled: 1 + n (1 − Σ p²).
// Here p is the fraction of the rows with a value, so that Σ p² is the probability that two random rows
// have the same value.
func (c *Column) shuffledRuns() int {
	sameProbability := 0.0
	rows := float64(len(c.sorted))
	for _, n := range countValues(c.sorted) {
		fraction := float64(n) / rows
		sameProbability += float64(fraction * fraction)
	}
	return 1 + int(rows*(1-sameProbability))
}

// describeAutocorrelation says how the first target that is correlated with its value in the row before
// is correlated. It returns "" if each correlation is weak or may be chance.
//
// Rows that are sorted by a column also follow each other in the target, which is not suspicious:
// therefore the mean effect of each column in sortedBy is subtracted first.
func describeAutocorrelation(targets, sortedBy []*Column) string {
	const (
		minCorrelation = 0.3 // below it, the row before says little about a target
		minDeviations  = 4   // in standard deviations 1/√n of the correlation of n independent rows
		minGroupRows   = 4   // mean number of rows with the same value; means of fewer rows would remove noise, too
	)
	for _, t := range targets {
		y := slices.Clone(t.values)
		for _, c := range sortedBy {
			if minGroupRows*c.Distinct < len(y) {
				subtractGroupMeans(y, c.values)
			}
		}
		r, ok := lagCorrelation(y)
		isStrong := r > minCorrelation
		isBeyondChance := r > minDeviations/math.Sqrt(float64(len(y)))
		if ok && isStrong && isBeyondChance {
			return fmt.Sprintf("the target %s is like the target of the row before: r = %.2g", t.Name, r)
		}
	}
	return ""
}

// subtractGroupMeans subtracts from each element of dst the mean of dst over all rows with the same
// value. Rows with a missing value keep their element, and NaN in dst count for no mean.
func subtractGroupMeans(dst, values []float64) {
	type group struct {
		rows float64 // number of rows
		sum  float64 // of dst over these rows
	}
	groups := make(map[float64]group) // by value
	for i, v := range values {
		if math.IsNaN(v) || math.IsNaN(dst[i]) {
			continue
		}
		g := groups[v]
		g.rows++
		g.sum += dst[i]
		groups[v] = g
	}
	for i, v := range values {
		g := groups[v] // without rows for NaN, which is equal to no key
		if g.rows > 0 {
			dst[i] -= g.sum / g.rows
		}
	}
}
