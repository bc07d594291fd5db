package measure

import "fmt"

// IntervalNames returns the names of the coverage and of the mean width of central intervals with this nominal coverage,
// between 0 and 1: coverage90 and width90 for 0.9.
func IntervalNames(nominal float64) (coverage, width string) {
	percent := roundMillionths(100 * nominal)
	return fmt.Sprintf("coverage%v", percent), fmt.Sprintf("width%v", percent)
}
