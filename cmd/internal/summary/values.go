package summary

import (
	"fmt"

	"sml/data"
)

// describeConstant says that nearly all rows have the same value of a column. It returns "" if not so, and for a column
// that is constant.
func describeConstant(_ *inspection, c *Column) string {
	const (
		minFraction = 0.99 // of the rows with a value
		minRows     = 20   // in fewer rows, one value in all rows but one is often chance
	)
	mostFrequent, most := mostFrequentValue(c.sorted)
	present := len(c.sorted)
	if c.Distinct < 2 || present < minRows || float64(most) < minFraction*float64(present) {
		return ""
	}
	return fmt.Sprintf("it is %s in %.4g%% of the rows that have it", c.Show(mostFrequent), 100*float64(most)/float64(present))
}

// describeCounter says that a column counts the rows. It returns "" if it does not.
func describeCounter(_ *inspection, c *Column) string {
	if !c.counts() {
		return ""
	}
	return fmt.Sprintf("it counts the rows: every one has another whole number, %s to %s", c.Show(c.Min), c.Show(c.Max))
}

// describeIdentifier says that a column names the rows: it has the name of an identifier, and whole numbers that are
// nearly all different. It returns "" if it does not.
func describeIdentifier(_ *inspection, c *Column) string {
	const minDistinctFraction = 0.9 // of the rows
	isMostlyDistinct := float64(c.Distinct) >= minDistinctFraction*float64(len(c.values))
	if c.Kind != data.Number || !isMostlyDistinct || !c.hasIdentifierName() || !c.isWhole() {
		return ""
	}
	return fmt.Sprintf("by its name it identifies the rows: %d different numbers in %d rows", c.Distinct, len(c.sorted))
}

// describeFar says that the minimum or maximum of a column, whichever lies farther from the nearer quartile, is more
// than ten times as far from it as the quartiles are from each other. It returns "" if neither is.
func describeFar(_ *inspection, c *Column) string {
	const maxWidths = 10 // distances between the quartiles
	if c.Kind != data.Number || c.Numbers == nil || c.High == c.Low {
		return ""
	}
	far := c.Max
	distance := c.Max - c.High
	if c.Low-c.Min > distance {
		far = c.Min
		distance = c.Low - c.Min
	}
	if distance <= maxWidths*(c.High-c.Low) {
		return ""
	}
	return fmt.Sprintf("a long tail: half of its values lie between %.4g and %.4g, and one is %.4g", c.Low, c.High, far)
}
