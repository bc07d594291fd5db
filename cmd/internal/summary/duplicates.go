package summary

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"

	"sml/data"
)

// countCopies returns the number of rows with the inputs and targets of an earlier row.
func countCopies(t *data.Table) int {
	seen := make(map[uint64]struct{}, t.Rows()) // hashes of the different rows
	for row := range t.Rows() {
		seen[hashRow(t, row)] = struct{}{}
	}
	return t.Rows() - len(seen)
}

// CountCopies returns how many of the test rows have the inputs and targets of a training row.
func CountCopies(t *data.Table, training, test []int) int {
	trained := make(map[uint64]struct{}, len(training))
	for _, row := range training {
		trained[hashRow(t, row)] = struct{}{}
	}
	copies := 0
	for _, row := range test {
		_, isTrained := trained[hashRow(t, row)]
		if isTrained {
			copies++
		}
	}
	return copies
}

// hashRow returns a hash of the inputs and targets of a row. By chance, two different rows of a million have the same
// hash with a probability of about one in 40 million.
func hashRow(t *data.Table, row int) uint64 {
	inputs := len(t.Columns)
	targets := len(t.Targets)
	return hashValues(t.X[row*inputs:(row+1)*inputs], t.Y[row*targets:(row+1)*targets])
}

// hashValues returns a hash of lists of values. Equal values give equal hashes.
func hashValues(lists ...[]float64) uint64 {
	h := fnv.New64a()
	var bits [8]byte
	for _, values := range lists {
		for _, v := range values {
			value := v + 0 // turns −0 into 0: they are equal, but their bits differ
			binary.LittleEndian.PutUint64(bits[:], math.Float64bits(value))
			h.Write(bits[:])
		}
	}
	return h.Sum64()
}

// findCopies reports copies of rows, if there are more than a few.
func findCopies(t *inspection) []Suspicion {
	const notableFraction = 0.02 // of the rows; fewer copies hardly change a score
	if float64(t.copies) <= notableFraction*float64(t.rows) {
		return nil
	}
	verb := "rows have"
	if t.copies == 1 {
		verb = "row has"
	}
	percent := 100 * float64(t.copies) / float64(t.rows)
	return []Suspicion{{Says: fmt.Sprintf("%d %s the same inputs and targets as one before: %.0f%%", t.copies, verb, percent)}}
}

// findDuplicates finds inputs with the same information as an earlier input: equal values in all rows or, unless there
// are too many inputs to compare all pairs, nearly a linear function of them.
func findDuplicates(t *inspection) (found []Suspicion) {
	type content struct {
		kind data.Kind
		hash uint64 // of the values
	}
	first := make(map[content]*Column) // first column with a content
	for i, c := range t.inputs {
		if c.Distinct < 2 {
			continue // constant columns are described as such
		}
		key := content{c.Kind, c.hash()}
		earlier, isKnown := first[key]
		if isKnown {
			found = append(found, about(c, fmt.Sprintf("it says the same as %s in every row", earlier.Name), dropFlag(c)))
			continue
		}
		first[key] = c
		says := describeLinear(c, t.inputs[:i])
		if says != "" {
			found = append(found, about(c, says, dropFlag(c)))
		}
	}
	return found
}

// hash returns a hash of the column's values. Categories have the same hash if only the names of their categories
// differ.
func (c *Column) hash() uint64 {
	if c.Kind != data.Category {
		return hashValues(c.values)
	}
	codes, _ := encode(c.values) // by the first row of each category
	values := make([]float64, len(codes))
	for row, code := range codes {
		values[row] = float64(code)
		if math.IsNaN(c.values[row]) {
			values[row] = math.NaN()
		}
	}
	return hashValues(values)
}

// describeLinear says that a column is nearly a linear function of one of the earlier columns. It returns "" if it is
// not, or there are too many columns to compare.
func describeLinear(c *Column, earlier []*Column) string {
	const (
		maxCompared    = 300    // columns
		maxRows        = 1000   // of the sample
		minCorrelation = 0.9999 // very similar inputs may both be of use
	)
	if c.Kind == data.Category || len(earlier) >= maxCompared {
		return ""
	}
	rows := min(maxRows, len(c.sample))
	for _, other := range earlier {
		if other.Kind == data.Category {
			continue
		}
		r, ok := correlation(other.sample[:rows], c.sample[:rows])
		if ok && math.Abs(r) >= minCorrelation {
			return fmt.Sprintf("nearly a linear function of %s: r = %.5g", other.Name, r)
		}
	}
	return ""
}
