package measure

var intervalScore = Measure{
	Name: "interval-score", Title: "IntScore",
	Summary:    "interval score, mean over the coverages 1 % to 99 %",
	Formula:    "mean of u − l + 2/(1 − c)·(distance of y from [l, u]), over rows and central intervals [l, u] of coverage c = 0.01, …, 0.99",
	Convention: "infinite if a calibration has no finite interval of a coverage",
	Source:     "Gneiting & Raftery (2007), Strictly proper scoring rules, prediction, and estimation, eq. 43; uncertainty-toolbox, interval_score",
	Unit:       Target, Needs: []Part{CDF}, OnRequest: true,
	Compute: func(c *Column) float64 {
		sum, all := 0.0, coverages()
		for _, coverage := range all {
			sum += c.intervalScore(coverage)
		}
		return sum / float64(len(all))
	},
}

var intervalScore90 = Measure{
	Name: "interval-score90", Title: "IntSc 90",
	Summary:    "interval score of the central 90 % interval, also called Winkler's",
	Formula:    "mean of u − l + 20·(distance of y from [l, u])",
	Convention: "width90 and coverage90 in one number; the true interval scores lowest",
	Source:     "Winkler (1972), A decision-theoretic approach to interval estimation; Gneiting & Raftery (2007), eq. 43",
	Unit:       Target, Needs: []Part{CDF}, OnRequest: true,
	Compute: func(c *Column) float64 { return c.intervalScore(0.9) },
}

// coverages returns the coverages 0.01, …, 0.99 that the interval score is averaged over.
func coverages() []float64 {
	var list []float64
	for percent := 1; percent <= 99; percent++ {
		list = append(list, float64(percent)/100)
	}
	return list
}

// intervalScore returns the interval score of the central intervals of a coverage: the mean over
// the rows of the width plus a penalty for targets outside.
func (c *Column) intervalScore(coverage float64) float64 {
	limits, _ := c.Interval(coverage)
	return c.Average(func(row int) float64 {
		low, high := limits(row)
		distanceOutside := max(0, low-c.Y[row], c.Y[row]-high)
		return high - low + float64(2/(1-coverage)*distanceOutside)
	})
}
