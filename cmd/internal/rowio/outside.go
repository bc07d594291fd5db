package rowio

import (
	"strings"

	"sml/data"
	"sml/models"
)

// OutsideCheck finds the columns in which a row has a value outside the training rows: a number
// below their minimum or above their maximum, or a category that none of them has.
type OutsideCheck struct {
	Names  []string             // of the columns
	Fields []data.Field         // of the columns; nil if all are numbers
	Ranges []models.ColumnRange // of the training rows, by column
}

// columns returns the names of the columns in which a row has a value outside the training rows, with
// semicolons between them. A missing value is not outside: it is NaN, which is neither below nor
// above a number.
func (o *OutsideCheck) columns(row []float64) string {
	var outside []string
	for i, value := range row {
		if o.isOutside(i, value) {
			outside = append(outside, o.Names[i])
		}
	}
	return strings.Join(outside, ";")
}

// isOutside reports whether a value lies outside the training rows of a column. It is false if the
// model does not know the column's range.
func (o *OutsideCheck) isOutside(column int, value float64) bool {
	known := o.Ranges[column]
	if o.Fields != nil && o.Fields[column].Kind == data.Category {
		return known.Categories != nil && value == data.UnseenCategory
	}
	return known.Low != nil && (value < *known.Low || value > *known.High)
}
