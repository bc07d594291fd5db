package summary

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// inspectOrder looks for information in the order of the rows: time, groups of rows or, if there is
// neither, targets like the target of the row before.
func (s *Summary) inspectOrder(inputs, targets []*Column) {
	const minRows = 20 // in fewer rows, an order is often chance
	if s.Rows < minRows {
		return
	}
	foundTime := s.addTimeSuspicion(inputs, targets)
	foundGroups := s.addGroupSuspicions(inputs)
	if foundTime || foundGroups { // either explains why neighbouring rows are alike
		return
	}
	var sortedBy []*Column
	for _, c := range inputs {
		if c.isSorted() {
			sortedBy = append(sortedBy, c)
		}
	}
	autocorrelation := s.describeAutocorrelation(targets, sortedBy)
	if autocorrelation != "" {
		s.add(Neighbours, "", "%s", autocorrelation)
	}
}

// addTimeSuspicion adds a suspicion about the first input that looks like a time by which the rows are
// sorted, and reports whether there is one.
func (s *Summary) addTimeSuspicion(inputs, targets []*Column) bool {
	for _, c := range inputs {
		sortsRows := c.Missing == 0 && c.Distinct > 1 && c.isMonotone()
		if !sortsRows || !s.looksLikeTime(c) {
			continue
		}
		says := "the rows stand in its order"
		autocorrelation := s.describeAutocorrelation(targets, nil) // nil: also the effect of the order by this time counts
		mayBeIdentifier := c.Kind == data.Number && !isTimeName(c.Name) && c.isWhole()
		if autocorrelation == "" && mayBeIdentifier {
			continue
		}
		if autocorrelation != "" {
			says += ", and " + autocorrelation
		}
		s.add(Time, c.Name, "%s", says)
		return true
	}
	return false
}

// looksLikeTime reports whether a column may be a time: a date, or numbers that have the name of a time
// or are nearly all different, as measured times are. Numbers that count the rows are no time.
func (s *Summary) looksLikeTime(c *Column) bool {
	const minDistinctFraction = 0.9 // of the rows
	switch c.Kind {
	case data.Date:
		return true
	case data.Number:
		mostlyDistinct := float64(c.Distinct) >= minDistinctFraction*float64(s.Rows)
		looksMeasured := mostlyDistinct && !c.counts()
		return isTimeName(c.Name) || looksMeasured
	}
	return false
}

// addGroupSuspicions adds a suspicion about each input whose equal values mostly stand in consecutive
// rows, such as the number of a patient with several rows. It reports whether there is one. A run is a
// maximal sequence of consecutive rows with the same value.
func (s *Summary) addGroupSuspicions(inputs []*Column) bool {
	const (
		maxRunsPerValue  = 1.2 // 1 if all rows of a value are consecutive
		minShuffledRatio = 2   // of the runs in a random order to the runs in this order, which then is hardly chance
	)
	found := false
	for _, c := range inputs {
		if !s.mayNumberGroups(c) {
			continue
		}
		runs := c.countRuns()
		mostlyConsecutive := float64(runs) <= maxRunsPerValue*float64(c.Distinct)
		if mostlyConsecutive && minShuffledRatio*runs < c.shuffledRuns() {
			s.add(Groups, c.Name, "its %d values stand in %d runs of rows: rows with the same value may describe the same thing", c.Distinct, runs)
			found = true
		}
	}
	return found
}

// mayNumberGroups reports whether the values of a column may be the names or numbers of groups: at least
// a few categories or whole numbers, with several rows each. A time is no group: rows of the same moment
// or day are consecutive, too, and addTimeSuspicion looks for it.
func (s *Summary) mayNumberGroups(c *Column) bool {
	const (
		minGroups    = 8 // a column with fewer values is a class, whose rows are no repetitions
		minGroupRows = 2 // mean number of rows with the same value
	)
	isTime := c.Kind == data.Date || isTimeName(c.Name) && c.isMonotone()
	severalRowsEach := minGroupRows*c.Distinct <= s.Rows
	return !isTime && c.Distinct >= minGroups && severalRowsEach && c.isWhole()
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

// isMonotone reports whether the values never go down from row to row, or never up.
func (c *Column) isMonotone() bool {
	neverDown, neverUp := true, true
	for i := 1; i < len(c.values); i++ {
		neverDown = neverDown && c.values[i] >= c.values[i-1]
		neverUp = neverUp && c.values[i] <= c.values[i-1]
	}
	return neverDown || neverUp
}

// countRuns returns the number of runs of consecutive rows with the same value. Missing values count as
// one value.
func (c *Column) countRuns() int {
	runs := 0
	for i, v := range c.values {
		if i == 0 {
			runs++
			continue
		}
		previous := c.values[i-1]
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
func (s *Summary) describeAutocorrelation(targets, sortedBy []*Column) string {
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
		r, ok := correlation(y[1:], y[:len(y)-1]) // of each row with the row before
		isStrong := r > minCorrelation
		isBeyondChance := r > minDeviations/math.Sqrt(float64(len(y)))
		if ok && isStrong && isBeyondChance {
			return fmt.Sprintf("the target %s is like the target of the row before: r = %.2g", t.Name, r)
		}
	}
	return ""
}

// subtractGroupMeans subtracts from each element of dst the mean of dst over all rows with the same
// value. Rows with a missing value keep their element.
func subtractGroupMeans(dst, values []float64) {
	type group struct {
		rows float64 // number of rows
		sum  float64 // of dst over these rows
	}
	groups := make(map[float64]group) // by value
	for i, v := range values {
		if math.IsNaN(v) {
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

// NamesThings reports whether the values of the column seem to be names, such as texts, numbers from 1 on, or the
// numbers of a column with the name of an identifier.
func (c *Column) NamesThings() bool {
	const maxRangePerValue = 2 // 1 if the numbers have no gaps
	if c.Kind != data.Number || c.Numbers == nil {
		return c.Kind == data.Category
	}
	isConsecutive := c.Max-c.Min < maxRangePerValue*float64(c.Distinct)
	return isConsecutive || isIdentifierName(c.Name)
}
