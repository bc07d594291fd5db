package rowio

import (
	"strings"

	"sml/data"
	"sml/models"
)

// OutsideCheck finds the values of a row that lie outside the values of the training rows.
type OutsideCheck struct {
	names    []string
	ranges   []models.ColumnRange
	category []bool // whether each column has categories
}

// NewOutsideCheck returns a check of the columns with these names, fields and ranges.
func NewOutsideCheck(names []string, fields []data.Field, ranges []models.ColumnRange) *OutsideCheck {
	o := &OutsideCheck{names: names, ranges: ranges, category: make([]bool, len(names))}
	for i, f := range fields {
		o.category[i] = f.Kind == data.Category
	}
	return o
}

// columns returns the names of the columns whose values lie outside, with semicolons between
// them. A missing value does not lie outside.
func (o *OutsideCheck) columns(row []float64) string {
	var outside []string
	for i, v := range row {
		r := o.ranges[i]
		unseen := o.category[i] && r.Categories != nil && v == data.UnseenCategory
		beyond := !o.category[i] && r.Low != nil && (v < *r.Low || v > *r.High)
		if unseen || beyond {
			outside = append(outside, o.names[i])
		}
	}
	return strings.Join(outside, ";")
}
