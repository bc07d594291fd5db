package summary

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// inspectOrder looks for information in the order of the rows: time, groups of rows, or targets
// like the target of the row before.
func (p *Summary) inspectOrder(inputs, targets []*Column) {
	const fewestRows, mostly = 20, 0.9
	if p.Rows < fewestRows {
		return
	}
	told := false
	for _, c := range inputs {
		dated := c.Kind == data.Date || c.Kind == data.Number && (isTimeName(c.Name) || float64(c.Distinct) >= mostly*float64(p.Rows) && !c.counts())
		if dated && c.Missing == 0 && c.Distinct > 1 && c.isMonotone() {
			says := "the rows stand in its order"
			if like := p.describeAutocorrelation(targets, nil); like != "" {
				says += ", and " + like
			}
			p.add(Time, c.Name, "%s", says)
			told = true
			break
		}
	}
	var sortedBy []*Column
	for _, c := range inputs {
		runs := c.countRuns()
		if c.Kind != data.Date && c.Distinct > 1 && runs <= 2*c.Distinct && c.isWhole() {
			sortedBy = append(sortedBy, c)
		}
		const fewest = 8 // of less, a column is a class
		if c.Kind == data.Date || c.Distinct < fewest || 2*c.Distinct > p.Rows || isTimeName(c.Name) && c.isMonotone() || !c.isWhole() {
			continue
		}
		if float64(runs) <= 1.2*float64(c.Distinct) && 2*runs < c.shuffledRuns() {
			p.add(Groups, c.Name, "its %d values stand in %d runs of rows: those of one value may be of one thing", c.Distinct, runs)
			told = true
		}
	}
	if says := p.describeAutocorrelation(targets, sortedBy); !told && says != "" {
		p.add(Neighbours, "", "%s", says)
	}
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

// countRuns returns the number of runs of consecutive rows with the same value.
func (c *Column) countRuns() int {
	n := 0
	for i, v := range c.values {
		if i == 0 || v != c.values[i-1] && !(math.IsNaN(v) && math.IsNaN(c.values[i-1])) {
			n++
		}
	}
	return n
}

// shuffledRuns returns the approximate number of runs if the rows were shuffled:
// 1 + n (1 − Σ p²), with the fractions p of the values.
func (c *Column) shuffledRuns() int {
	same := 0.0
	n := float64(len(c.sorted))
	for i := 0; i < len(c.sorted); {
		j := i
		for j < len(c.sorted) && c.sorted[j] == c.sorted[i] {
			j++
		}
		share := float64(j-i) / n
		same += float64(share * share)
		i = j
	}
	return 1 + int(n*(1-same))
}

// describeAutocorrelation says how a target is correlated with the target of the row before, and
// returns "" if this could be chance. The effect of the columns in sortedBy on the target is removed
// first.
func (p *Summary) describeAutocorrelation(targets, sortedBy []*Column) string {
	const much, chance = 0.3, 4
	for _, t := range targets {
		y := slices.Clone(t.values)
		for _, c := range sortedBy {
			if 4*c.Distinct < len(y) {
				subtractGroupMeans(y, c.values)
			}
		}
		if r, ok := correlation(y[1:], y[:len(y)-1]); ok && r > much && r > chance/math.Sqrt(float64(len(y))) {
			return fmt.Sprintf("the target %s is like that of the row before: r = %.2g", t.Name, r)
		}
	}
	return ""
}

// subtractGroupMeans subtracts from each element of dst the mean of dst over all rows with the same
// value. Rows with a missing value keep their element.
func subtractGroupMeans(dst, values []float64) {
	type group struct{ rows, sum float64 }
	groups := make(map[float64]group)
	for i, v := range values {
		if !math.IsNaN(v) {
			g := groups[v]
			groups[v] = group{g.rows + 1, g.sum + dst[i]}
		}
	}
	for i, v := range values {
		if g := groups[v]; g.rows > 0 {
			dst[i] -= g.sum / g.rows
		}
	}
}
