package cmd

import (
	"strings"

	"sml/data"
	"sml/models"
)

// outsideCheck names the columns of a row that hold what no training row had.
type outsideCheck struct {
	names  []string
	ranges []models.ColumnRange
	texts  []bool // columns of them
}

func newOutsideCheck(names []string, fields []data.Field, ranges []models.ColumnRange) *outsideCheck {
	o := &outsideCheck{names: names, ranges: ranges, texts: make([]bool, len(names))}
	for i, f := range fields {
		o.texts[i] = f.Kind == data.Category
	}
	return o
}

// of is that of the values of a row, names with semicolons between them. A value that is
// missing is not outside.
func (o *outsideCheck) of(row []float64) string {
	var found []string
	for i, v := range row {
		r := o.ranges[i]
		switch {
		case o.texts[i] && r.Levels != nil && v == data.Unseen, !o.texts[i] && r.Low != nil && (v < *r.Low || v > *r.High):
			found = append(found, o.names[i])
		}
	}
	return strings.Join(found, ";")
}
