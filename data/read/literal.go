package read

import (
	"errors"
	"fmt"
	"slices"

	"sml/data"
)

// keepNumberTexts sets rawColumn.keepsNumberTexts for the columns with a text among their first rows:
// they may turn out to be categories, whose names are texts such as 1.10. Other columns save the memory.
func (s *Stream) keepNumberTexts() {
	columns := slices.Concat(s.rawInputs, s.splitBy)
	indices := slices.Concat(s.columns.inputs[:len(s.rawInputs)], s.columns.splitBy) // of columns in the file
	for n := range lookAheadRows {
		row := s.peekRow(n)
		if row == nil {
			return
		}
		for k, c := range columns {
			i := indices[k]
			if i < len(row) && classifyCell(row[i]) == textCell {
				c.keepsNumberTexts = true
			}
		}
	}
}

// lateCategoryError is the error for columns that turned out to be categories after the texts
// of some of their numbers were dropped.
type lateCategoryError struct {
	columns   []int // indices in the file
	canReread bool  // whether the file can be read again
	err       error // one error for each of the columns
}

func (e *lateCategoryError) Error() string { return e.err.Error() }

// checkDroppedTexts returns a *lateCategoryError if a column of t is categorical and texts of its numbers
// were dropped: they would be names of categories.
func (s *Stream) checkDroppedTexts(t *data.Table) error {
	late := lateCategoryError{canReread: s.size > 0}
	for k, c := range s.rawInputs {
		s.checkColumnTexts(c, t.Fields[k], s.columns.inputs[k], &late)
	}
	for k, c := range s.splitBy {
		s.checkColumnTexts(c, t.SplitField, s.columns.splitBy[k], &late)
	}
	if late.columns == nil {
		return nil
	}
	return &late
}

// checkColumnTexts adds the column c, column i of the file, to late if its field f is categorical and
// texts of its numbers were dropped.
func (s *Stream) checkColumnTexts(c *rawColumn, f data.Field, i int, late *lateCategoryError) {
	dropped := c.numberCount - c.keptNumbers
	if f.Kind != data.Category || dropped == 0 {
		return
	}
	late.columns = append(late.columns, i)
	late.err = errors.Join(late.err, fmt.Errorf("%s: column %s: %s is the first text below %d numbers whose own texts were not kept, such as 1.10 for 1.1; declare the column categorical or numeric",
		s.reader.position().location(c.firstLines[0]), c.label, quoteShort(c.texts[0]), dropped))
}
