package summary

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/internal/statistics"
)

// describeCode says which number of the column seems to stand for a missing value. It returns "" if none does.
func describeCode(_ *inspection, c *Column) string {
	if math.IsNaN(c.code) {
		return ""
	}
	return fmt.Sprintf("%s in %d rows stands apart from all other values", c.Show(c.code), countEqual(c.sorted, c.code))
}

// naFlag returns the flag that reads the number of a column that stands for a missing value as missing.
func naFlag(c *Column) Flag { return Flag{"na", c.Name + "=" + c.Show(c.code)} }

// joinCodes replaces the suspicions about the same code in several columns by one suspicion, if the code stands apart in
// all columns that have it: one flag then reads it as missing everywhere.
func (t *inspection) joinCodes() {
	columnsByCode := make(map[float64]int) // number of columns with a suspicion
	for _, s := range t.found {
		if s.Kind == Code {
			columnsByCode[t.column(s.Columns[0]).code]++
		}
	}
	joined := make([]Suspicion, 0, len(t.found))
	isJoined := make(map[float64]bool)
	for _, s := range t.found {
		if s.Kind != Code {
			joined = append(joined, s)
			continue
		}
		first := t.column(s.Columns[0])
		code := first.code
		columns, isEverywhere := t.columnsWithCode(code)
		switch {
		case columnsByCode[code] < 2 || !isEverywhere:
			joined = append(joined, s)
		case !isJoined[code]:
			isJoined[code] = true
			text := first.Show(code)
			s.Columns = columns
			s.Says = fmt.Sprintf("%s stands apart from all other values of these %d columns", text, len(columns))
			s.Flags = []Flag{{"na", text}}
			joined = append(joined, s)
		}
	}
	t.found = joined
}

// columnsWithCode returns the columns of numbers that have a value, and whether it stands apart in each of them.
func (t *inspection) columnsWithCode(value float64) (names []string, isEverywhere bool) {
	isEverywhere = true
	for _, c := range slices.Concat(t.inputs, t.targets) {
		_, hasValue := slices.BinarySearch(c.sorted, value)
		if c.Kind == data.Number && hasValue {
			names = append(names, c.Name)
			isEverywhere = isEverywhere && c.hasApart(value)
		}
	}
	return names, isEverywhere
}

// hasApart reports whether a value is the minimum or maximum of the column, in several rows and beyond a gap, as a number
// that stands for a missing value in other columns may be.
func (c *Column) hasApart(value float64) bool {
	const minGapFraction = 0.1 // of the width of the other values
	others := slices.DeleteFunc(slices.Clone(c.sorted), func(v float64) bool { return v == value })
	if len(others) == 0 || len(c.sorted)-len(others) < minCodeRows {
		return false
	}
	e := newExtreme(value, len(c.sorted)-len(others), others)
	return e.gap > 0 && e.gap >= minGapFraction*e.width
}

// column returns the input or target with a name.
func (t *inspection) column(name string) *Column {
	columns := slices.Concat(t.inputs, t.targets)
	return columns[slices.IndexFunc(columns, func(c *Column) bool { return c.Name == name })]
}

// missingCode returns the column's minimum or maximum if it seems to stand for a missing value, and NaN if neither does or a
// target has few rows.
func (c *Column) missingCode() float64 {
	const minDistinct = 3                                  // a column of two values is a switch, not a measurement with a code
	if c.Kind != data.Number || c.Distinct < minDistinct { // also excludes a column without numbers, whose Min is not set
		return math.NaN()
	}
	if c.Role == Target && !c.hasManyNumbers() {
		return math.NaN()
	}
	endOfMin := countEqual(c.sorted, c.Min)
	smallest := newExtreme(c.Min, endOfMin, c.sorted[endOfMin:])
	if smallest.isCode() || c.Role == Input && smallest.isIsolatedZero() {
		return c.Min
	}
	startOfMax := len(c.sorted) - countEqual(c.sorted, c.Max)
	largest := newExtreme(c.Max, len(c.sorted)-startOfMax, c.sorted[:startOfMax])
	if largest.isCode() {
		return c.Max
	}
	return math.NaN()
}

// extreme is the minimum or maximum of a column, compared with its other values.
type extreme struct {
	value    float64
	rows     int       // number of rows with the value
	others   []float64 // all other values, ascending
	distinct int       // number of different other values
	gap      float64   // distance to the nearest other value
	width    float64   // distance between the smallest and the largest other value
}

// newExtreme returns the extreme with a value, in a number of rows, and all other values, ascending.
func newExtreme(value float64, rows int, others []float64) extreme {
	smallest := others[0]
	largest := others[len(others)-1]
	return extreme{
		value:    value,
		rows:     rows,
		others:   others,
		distinct: len(slices.Compact(slices.Clone(others))),
		gap:      max(smallest-value, value-largest),
		width:    largest - smallest,
	}
}

// minCodeRows is the smallest number of rows with a code. A value that occurs only once or twice may be a
// measurement.
const minCodeRows = 3

// isCode reports whether the value seems to stand for a missing value.
func (e extreme) isCode() bool {
	return e.rows >= minCodeRows && (e.isUsualCode() || e.isLoneMinusOne() || e.isFarAndFrequent())
}

// isUsualCode reports whether people write the value for a missing value, such as −999, and it stands apart: its
// magnitude is more than twice as large as all others, or it is frequent beyond a gap, such as 99 among ages up
// to 90.
func (e extreme) isUsualCode() bool {
	usual := []float64{-99999, -9999, -999, -99, -9, 99, 999, 9999, 99999, 999999}
	if !slices.Contains(usual, e.value) {
		return false
	}
	const (
		minRatio       = 2   // of the magnitudes
		minGapFraction = 0.1 // of the width
		minFrequency   = 2   // times the mean number of rows of another value
		minDistinct    = 10  // other values; fewer leave gaps by chance
	)
	largestOther := max(math.Abs(e.others[0]), math.Abs(e.others[len(e.others)-1]))
	isFrequent := e.rows*e.distinct >= minFrequency*len(e.others)
	isBeyondGap := e.distinct >= minDistinct && e.gap >= minGapFraction*e.width && isFrequent
	return math.Abs(e.value) > minRatio*largestOther || isBeyondGap
}

// isLoneMinusOne reports whether the value is −1, and all others are positive, or at least zeros are rarer.
func (e extreme) isLoneMinusOne() bool {
	const (
		minDistinct  = 10 // other values; a column with fewer may be a scale from −1 on
		minFrequency = 3  // times the number of zeros
	)
	if e.value != -1 || e.others[0] < 0 || e.distinct < minDistinct {
		return false
	}
	return e.rows > minFrequency*countEqual(e.others, 0)
}

// isFarAndFrequent reports whether the value is farther from all others than these are from each other, and yet
// in many rows, which no measurement would be.
func (e extreme) isFarAndFrequent() bool {
	const (
		minWidths   = 2     // gap in widths of the other values
		minFraction = 0.005 // of the rows
		minDistinct = 10    // other values
	)
	isFrequent := float64(e.rows) >= minFraction*float64(e.rows+len(e.others))
	return e.distinct >= minDistinct && e.gap > minWidths*e.width && isFrequent
}

// isIsolatedZero reports whether the value is a 0 that a measurement of positive numbers hardly has, such as a
// blood pressure of 0: the smallest other value is farther from it than the standard deviation of all others, and
// than several steps between them. A 0 in most rows means that there is nothing to measure, and so may a target of
// 0 in any number of rows (see FindSpike).
func (e extreme) isIsolatedZero() bool {
	const (
		minStds     = 1  // gap in standard deviations of the other values
		minSteps    = 5  // gap in median steps between neighbouring other values; counts have a gap of one step
		minDistinct = 10 // other values; a column with fewer may be a scale
	)
	if e.value != 0 || e.others[0] < 0 || e.rows < minCodeRows || e.rows > len(e.others) || e.distinct < minDistinct {
		return false
	}
	_, std := statistics.MeanStd(e.others)
	return e.gap >= minStds*std && e.gap >= minSteps*medianStep(e.others)
}

// medianStep returns the median distance between neighbouring different values of ascending values. There are at
// least two different values.
func medianStep(sorted []float64) float64 {
	different := slices.Compact(slices.Clone(sorted))
	steps := make([]float64, len(different)-1)
	for i := range steps {
		steps[i] = different[i+1] - different[i]
	}
	return statistics.Median(steps)
}
