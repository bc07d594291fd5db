package rowio

import (
	"strings"

	"sml/data"
	"sml/models"
)

// OutsideCheck finds the columns in which a row has a value outside the training rows: a number
// below their minimum or above their maximum, or a category that none of them has.
type OutsideCheck struct {
	names       []string
	ranges      []models.ColumnRange // of the training rows, by column
	categorical []bool               // whether each column has categories instead of numbers
}

// NewOutsideCheck returns a check of columns, of which each has a name, a field and a range.
func NewOutsideCheck(names []string, fields []data.Field, ranges []models.ColumnRange) *OutsideCheck {
	o := &OutsideCheck{names: names, ranges: ranges, categorical: make([]bool, len(names))}
	for i, f := range fields {
		o.categorical[i] = f.Kind == data.Category
	}
	return o
}

// columns returns the names of the columns in which a row has a value outside the training rows, with
// semicolons between them. A missing value is not outside: it is NaN, which is neither below nor
// above a number.
func (o *OutsideCheck) columns(row []float64) string {
	var outside []string
	for i, value := range row {
		if o.isOutside(i, value) {
			outside = append(outside, o.names[i])
		}
	}
	return strings.Join(outside, ";")
}

// isOutside reports whether a value lies outside the training rows of a column. It is false if the
// model does not know the column's range.
func (o *OutsideCheck) isOutside(column int, value float64) bool {
	known := o.ranges[column]
	if o.categorical[column] {
		return known.Categories != nil && value == data.UnseenCategory
	}
	return known.Low != nil && (value < *known.Low || value > *known.High)
}
