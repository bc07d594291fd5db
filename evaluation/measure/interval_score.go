package measure

import "fmt"

var intervalScore = Measure{
	Name:       "interval-score",
	Title:      "IntScore",
	Summary:    "interval score: the width plus a penalty for targets outside, mean over the coverages 1 % to 99 %",
	Formula:    "mean of u − l + 2/(1 − c)·(distance of y from [l, u]), over rows and central intervals [l, u] of coverage c = 0.01, …, 0.99",
	Convention: "infinite if a calibration has no finite interval for some c",
	Source:     "Gneiting & Raftery (2007), Strictly proper scoring rules, prediction, and estimation, eq. 43; uncertainty-toolbox, interval_score",
	Unit:       Target,
	Needs:      []Part{CDF},
	OnRequest:  true,
	Compute: func(c *Column) float64 {
		const maxPercent = 99
		sum := 0.0
		for percent := 1; percent <= maxPercent; percent++ {
			sum += c.intervalScore(float64(percent) / 100)
		}
		return sum / maxPercent
	},
}

// newIntervalScore returns the measure of the interval score of the central interval with the given coverage in percent.
func newIntervalScore(percent float64) Measure {
	coverage := percent / 100
	return Measure{
		Name:       fmt.Sprintf("interval-score%v", percent),
		Title:      fmt.Sprintf("IntSc %v", percent),
		Summary:    fmt.Sprintf("interval score of the central %v %% interval, also called Winkler score", percent),
		Formula:    fmt.Sprintf("mean of u − l + %v·(distance of y from [l, u])", roundMillionths(2/(1-coverage))),
		Convention: fmt.Sprintf("combines width%v and coverage%v; the true interval has the lowest expected score", percent, percent),
		Source:     "Winkler (1972), A decision-theoretic approach to interval estimation; Gneiting & Raftery (2007), eq. 43",
		Unit:       Target,
		Needs:      []Part{CDF},
		OnRequest:  true,
		Compute:    func(c *Column) float64 { return c.intervalScore(coverage) },
	}
}

// intervalScore returns the interval score of the central intervals of a coverage: the mean over
// the rows of the width plus a penalty for targets outside.
func (c *Column) intervalScore(coverage float64) float64 {
	return c.Average(c.rowIntervalScore(coverage))
}

// rowIntervalScore returns a function that returns the interval score of one row. With the factor
// 2/(1 − coverage) of the penalty the true interval has the lowest expected score.
func (c *Column) rowIntervalScore(coverage float64) func(row int) float64 {
	limits, _ := c.Interval(coverage)
	return func(row int) float64 {
		low, high := limits(row)
		distanceOutside := max(0, low-c.Y[row], c.Y[row]-high)
		penalty := float64(2 / (1 - coverage) * distanceOutside)
		return high - low + penalty
	}
}
