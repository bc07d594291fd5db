package distribution

import (
	"math"
	"sort"

	"sml/internal/portable"
)

// countTable has the cumulative probabilities of counts in groups of neighbouring counts. Groups are single counts unless
// the standard deviation is above 512 and the count above 2048; then all counts of a group have the probability of the
// middle one, and cumulative probabilities have an error of about 1e-7.
type countTable struct {
	first      []float64 // first count of each group, and of the counts above all groups
	cumulative []float64 // probability of counts below first
}

// maxCountGroups bounds the memory of a table, 16 bytes for each group. Groups are so wide that a Poisson distribution
// needs 6,000.
const maxCountGroups = 1 << 18

// isComplete reports whether a sum of probabilities is 1, up to the error of groups.
func isComplete(sum float64) bool { return sum >= 1-1e-6 }

// newCountTable returns the table of a distribution, without groups if a moment is not finite or above the whole numbers
// that float64 has.
func newCountTable(c counts) countTable {
	const largestWhole = 1 << 53
	mean, std := c.mean(), c.std()
	hasWholeNumbers := math.Abs(mean) < largestWhole && std < largestWhole // false for NaN
	if !hasWholeNumbers {
		return countTable{}
	}
	const lowerStds = 12 // standard deviations below the mean beyond which a Poisson distribution has 1e-33
	start := max(0, math.Floor(mean-float64(lowerStds*std)))
	table := sumCounts(c, start)
	if start > 0 && !isComplete(table.total()) { // the distribution has counts far below the mean
		table = sumCounts(c, 0)
	}
	return table
}

// sumCounts returns the table of the counts from start to the end of the distribution, or to maxCountGroups groups if the
// probabilities do not add up to 1.
func sumCounts(c counts, start float64) countTable {
	const chunk = maxRows    // groups in one run of the formulas
	const negligible = 1e-18 // probability of a chunk behind which counts are left out
	std := c.std()
	table := countTable{first: []float64{start}, cumulative: []float64{0}}
	sum := 0.0
	for next := start; len(table.first) < maxCountGroups; {
		var middles, widths []float64
		for range chunk {
			width := groupWidth(next, std)
			middles = append(middles, next+float64((width-1)/2))
			widths = append(widths, width)
			next += width
			table.first = append(table.first, next)
		}
		before := sum
		for i, logProbability := range c.logProbabilities(middles) {
			sum += float64(widths[i] * portable.Exp(logProbability))
			table.cumulative = append(table.cumulative, min(sum, 1))
		}
		isEnd := sum-before < negligible && isComplete(sum)
		if isEnd || math.IsNaN(sum) {
			break
		}
	}
	return table
}

// groupWidth returns the number of counts in the group that begins with a count. It is odd, so that a group has a middle
// count, and small beside the count and the standard deviation, so that probabilities hardly change within a group.
func groupWidth(count, std float64) float64 {
	half := math.Floor(min(count/1024, std/256) / 2)
	return 1 + float64(2*half)
}

// groups returns the number of groups.
func (t countTable) groups() int { return max(0, len(t.first)-1) }

// total returns the sum of all probabilities.
func (t countTable) total() float64 {
	if t.groups() == 0 {
		return math.NaN()
	}
	return t.cumulative[t.groups()]
}

// moments returns the mean and the standard deviation of counts in groups of one.
func (t countTable) moments() (mean, std float64) {
	sumOver := func(value func(count float64) float64) float64 {
		sum := 0.0
		for i := range t.groups() {
			sum += float64(value(t.first[i]) * (t.cumulative[i+1] - t.cumulative[i]))
		}
		return sum / t.total()
	}
	mean = sumOver(func(count float64) float64 { return count })
	return mean, math.Sqrt(sumOver(func(count float64) float64 { return float64((count - mean) * (count - mean)) }))
}

// cdf returns the probability of counts up to a whole number.
func (t countTable) cdf(count float64) float64 {
	switch {
	case t.groups() == 0 || math.IsNaN(count):
		return math.NaN()
	case count < t.first[0]:
		return 0
	}
	i := sort.Search(t.groups(), func(i int) bool { return t.first[i+1] > count })
	if i == t.groups() {
		return t.total()
	}
	fraction := (count - t.first[i] + 1) / (t.first[i+1] - t.first[i])
	return t.cumulative[i] + float64(fraction*(t.cumulative[i+1]-t.cumulative[i]))
}

// quantile returns the smallest count with a cumulative probability of at least level, or the last count of the table.
func (t countTable) quantile(level float64) float64 {
	n := t.groups()
	if n == 0 || math.IsNaN(level) {
		return math.NaN()
	}
	i := sort.Search(n, func(i int) bool { return t.cumulative[i+1] >= level })
	if i == n {
		return t.first[n] - 1
	}
	fraction := (level - t.cumulative[i]) / (t.cumulative[i+1] - t.cumulative[i])
	width := t.first[i+1] - t.first[i]
	return t.first[i] + max(0, math.Ceil(float64(fraction*width))-1)
}

// crps returns ∫ (F(x) − 1[x ≥ y])² dx, a sum over the groups. Within a group, F counts as its mean.
func (t countTable) crps(y float64) float64 {
	n := t.groups()
	if n == 0 {
		return math.NaN()
	}
	score := max(0, t.first[0]-y) + max(0, y-t.first[n])
	for i := range n {
		low, high := t.first[i], t.first[i+1]
		width := high - low
		meanFraction := (width + 1) / (2 * width) // mean of 1/width, 2/width, …, 1
		probability := t.cumulative[i] + float64(meanFraction*(t.cumulative[i+1]-t.cumulative[i]))
		below := min(max(y-low, 0), width) // length of the part of the group below y
		score += float64(below*float64(probability*probability)) + float64((width-below)*float64((1-probability)*(1-probability)))
	}
	return score
}
