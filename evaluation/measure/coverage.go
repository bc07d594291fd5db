package measure

import (
	"fmt"
	"math"

	"sml/internal/portable"
)

// defaultPercent is the coverage, in percent, of the interval measures that are computed without
// being requested.
const defaultPercent = 90

// newCoverage returns the measure of the fraction of the targets inside the central interval with
// the given nominal coverage in percent.
func newCoverage(percent float64) Measure {
	nominal := percent / 100
	below, above := intervalLevels(nominal)
	return Measure{
		Name:       fmt.Sprintf("coverage%v", percent),
		Title:      fmt.Sprintf("Cover %v", percent),
		Summary:    fmt.Sprintf("fraction of the targets inside the central %v %% interval", percent),
		Formula:    fmt.Sprintf("fraction of y between the quantiles at %v and %v", roundMillionths(below), roundMillionths(above)),
		Convention: fmt.Sprintf("both ends are included. Of classes with prediction sets it is the fraction of rows whose set contains their class. The interval of a normal distribution is μ ± %.4gσ", portable.NormalQuantile(above)),
		Source:     "Khosravi et al. (2011), Comprehensive review of neural network-based prediction intervals (PICP); uncertainty-toolbox, get_proportion_in_interval",
		Unit:       None,
		Nominal:    nominal,
		Needs:      []Part{Region},
		OnRequest:  percent != defaultPercent,
		Compute:    func(c *Column) float64 { return c.Average(c.rowCoveredBy(nominal)) },
	}
}

// roundMillionths rounds x to 6 decimals, so that texts do not show rounding errors.
func roundMillionths(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// IntervalNames returns the names of the coverage and of the mean width of central intervals with this nominal coverage,
// between 0 and 1: coverage90 and width90 for 0.9.
func IntervalNames(nominal float64) (coverage, width string) {
	percent := roundMillionths(100 * nominal)
	return fmt.Sprintf("coverage%v", percent), fmt.Sprintf("width%v", percent)
}
