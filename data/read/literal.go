package read

import (
	"errors"
	"fmt"
	"slices"

	"sml/data"
)

// markLiteral makes columns literal that have a text among their first rows: they may turn
// out to be categories.
func (s *Stream) markLiteral() {
	columns := slices.Concat(s.choice.inputs[:len(s.raw)], s.choice.by)
	for n := range lookAhead {
		row := s.peekRow(n)
		if row == nil {
			return
		}
		for k, c := range slices.Concat(s.raw, s.by) {
			if i := columns[k]; !c.literal && i < len(row) && writingOf(row[i]) == text {
				c.literal = true
			}
		}
	}
}

// lateCategories is the error of columns that turned out to be categories after the texts
// of some of their numbers were dropped.
type lateCategories struct {
	columns []int // places in the file, from 0
	again   bool  // the file can be read again
	err     error
}

func (e *lateCategories) Error() string { return e.err.Error() }

// checkLevels returns a *lateCategories if the text of a level is not known.
func (s *Stream) checkLevels(t *data.Table) error {
	late := lateCategories{again: s.size > 0}
	check := func(c *rawColumn, f data.Field, column int) {
		if f.Kind != data.Category || c.numbersKept == c.numbers {
			return
		}
		late.columns = append(late.columns, column)
		first := s.rec.at().place(c.lines[0])
		late.err = errors.Join(late.err, fmt.Errorf("%s: column %s: %s is the first text below %d numbers, whose own texts are not known any more, such as 1.10 for 1.1; say that the column is categorical or numeric",
			first, c.label, excerpt(c.texts[0]), c.numbers-c.numbersKept))
	}
	for k, c := range s.raw {
		check(c, t.Fields[k], s.choice.inputs[k])
	}
	for k, c := range s.by {
		check(c, t.ByField, s.choice.by[k])
	}
	if late.columns == nil {
		return nil
	}
	return &late
}
