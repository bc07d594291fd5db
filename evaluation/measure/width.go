package measure

import "fmt"

// newWidth returns the measure of the mean width of the central interval with the given coverage in
// percent.
func newWidth(percent float64) Measure {
	nominal := percent / 100
	below, above := intervalLevels(nominal)
	return Measure{
		Name:       fmt.Sprintf("width%v", percent),
		Title:      fmt.Sprintf("Width %v", percent),
		Summary:    fmt.Sprintf("mean width of the central %v %% interval", percent),
		Formula:    fmt.Sprintf("mean distance between the quantiles at %v and %v", roundMillionths(below), roundMillionths(above)),
		Convention: "of two models with the same coverage, the narrower one is better. Of classes with prediction sets it is the mean number of classes in a set. Infinite if a quantile is infinite",
		Source:     "Khosravi et al. (2011), Comprehensive review of neural network-based prediction intervals (MPIW)",
		Unit:       Target,
		Undirected: true,
		Needs:      []Part{Region},
		OnRequest:  percent != defaultPercent,
		Compute:    func(c *Column) float64 { return c.Average(c.rowWidth(nominal)) },
	}
}
