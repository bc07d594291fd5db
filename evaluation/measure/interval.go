package measure

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Distribution is how the target of each row is distributed, in the unit of its
// column.
type Distribution interface {
	// Quantile is what the target is below with the probability level, which is
	// between 0 and 1: infinite where nothing finite is known to be.
	Quantile(row int, level float64) float64
	// Level is the probability that the target is below y, from 0 to 1.
	Level(row int, y float64) float64
}

// Interval returns the central interval of a coverage between 0 and 1, row by row:
// between the quantiles at (1 − coverage)/2 and (1 + coverage)/2. Where a method gives
// quantiles there is none between others (ok is false).
func (c *Column) Interval(coverage float64) (limits func(row int) (low, high float64), ok bool) {
	if c.Levels == nil {
		return c.byStd(coverage), c.Std != nil
	}
	below, above := ends(coverage)
	low, high := levelAt(c.Levels, below), levelAt(c.Levels, above)
	return func(row int) (float64, float64) { return c.Quantiles[row][low], c.Quantiles[row][high] }, low >= 0 && high >= 0
}

// byStd is the central interval of the distribution of a column with standard
// deviations.
func (c *Column) byStd(coverage float64) func(row int) (low, high float64) {
	below, above := ends(coverage)
	if c.Distribution != nil {
		return func(row int) (float64, float64) {
			return c.Distribution.Quantile(row, below), c.Distribution.Quantile(row, above)
		}
	}
	low, high := Normal.Quantile(below), Normal.Quantile(above) // once for all rows
	return func(row int) (float64, float64) {
		return c.Mean[row] + float64(low*c.Std[row]), c.Mean[row] + float64(high*c.Std[row])
	}
}

// ends are the levels of the ends of a central interval.
func ends(coverage float64) (below, above float64) {
	above = float64((1 + coverage) / 2)
	return 1 - above, above
}

// covered is the share of the rows, by their weights, whose targets are within limits.
func (c *Column) covered(limits func(row int) (low, high float64)) float64 {
	return c.Average(func(row int) float64 {
		if low, high := limits(row); low <= c.Y[row] && c.Y[row] <= high {
			return 1
		}
		return 0
	})
}

// levelAt is the place of a level among others, −1 if it is not among them.
func levelAt(levels []float64, level float64) int {
	for i, l := range levels {
		if math.Abs(l-level) < 1e-9 {
			return i
		}
	}
	return -1
}

// intervalPart names the central interval of a coverage, as a part of a prediction.
func intervalPart(coverage float64) Part {
	return Part(fmt.Sprintf("%v%% interval", math.Round(coverage*1e6)/1e4))
}

func (p Part) coverage() (float64, bool) {
	number, ok := strings.CutSuffix(string(p), "% interval")
	percent, err := strconv.ParseFloat(number, 64)
	return percent / 100, ok && err == nil
}
