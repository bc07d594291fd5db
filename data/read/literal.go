package read

import (
	"errors"
	"fmt"
	"slices"

	"sml/data"
)

// markLiteral makes columns literal that have a text among their first rows: they may turn
// out to be categories.
func (s *Stream) keepNumberTexts() {
	columns := slices.Concat(s.columns.inputs[:len(s.rawInputs)], s.columns.splitBy)
	for n := range lookAheadRows {
		row := s.peekRow(n)
		if row == nil {
			return
		}
		for k, c := range slices.Concat(s.rawInputs, s.splitBy) {
			if i := columns[k]; !c.keepsNumberTexts && i < len(row) && classifyCell(row[i]) == textCell {
				c.keepsNumberTexts = true
			}
		}
	}
}

// lateCategories is the error of columns that turned out to be categories after the texts
// of some of their numbers were dropped.
type lateCategoryError struct {
	columns   []int // places in the file, from 0
	canReread bool  // the file can be read again
	err       error
}

func (e *lateCategoryError) Error() string { return e.err.Error() }

// checkLevels returns a *lateCategories if the text of a level is not known.
func (s *Stream) checkLevelTexts(t *data.Table) error {
	late := lateCategoryError{canReread: s.size > 0}
	check := func(c *rawColumn, f data.Field, column int) {
		if f.Kind != data.Category || c.keptNumbers == c.numberCount {
			return
		}
		late.columns = append(late.columns, column)
		first := s.reader.position().location(c.firstLines[0])
		late.err = errors.Join(late.err, fmt.Errorf("%s: column %s: %s is the first text below %d numbers, whose own texts are not known any more, such as 1.10 for 1.1; say that the column is categorical or numeric",
			first, c.label, quoteShort(c.texts[0]), c.numberCount-c.keptNumbers))
	}
	for k, c := range s.rawInputs {
		check(c, t.Fields[k], s.columns.inputs[k])
	}
	for k, c := range s.splitBy {
		check(c, t.ByField, s.columns.splitBy[k])
	}
	if late.columns == nil {
		return nil
	}
	return &late
}
