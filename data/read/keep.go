package read

import (
	"fmt"
	"strconv"

	"sml/data"
)

// keeps tells whether texts are asked for.
func (o Options) keeps() bool { return len(o.Keep) > 0 || o.KeepAll }

// keep finds the columns whose texts are kept: all in the order of the file, if that is
// asked for, and behind them those that are named, each as often as it is. They may be of
// any use beside, or of none.
func (o Options) keep(first []string, header bool, c *choice) error {
	if o.KeepAll {
		c.kept = upTo(len(first))
	}
	names := headless(len(first))
	if header {
		names = tidyAll(first)
	}
	index := indexOf(names)
	for _, ref := range o.Keep {
		i, err := index.find(ref, header)
		if err != nil {
			return fmt.Errorf("to be kept: %w", err)
		}
		c.kept = append(c.kept, i)
	}
	for _, i := range c.kept {
		name := names[i]
		if name == "" {
			name = "column " + strconv.Itoa(i+1)
		}
		c.keptNames = append(c.keptNames, name)
	}
	return nil
}

// KeepIn has the texts of the columns that Options.Keep names appended to t with each
// row that is read from here on. Their names are Kept.
func (s *Stream) KeepIn(t *data.Texts) {
	s.texts = nil
	if t.Names = s.Kept; len(s.Kept) > 0 {
		s.texts = t
	}
}

// KeepPassed has texts appended of rows, too, that are passed over as something is wrong
// with them alone (RowOnly): empty ones where it is not known which cell is which.
func (s *Stream) KeepPassed() { s.keepsPassed = true }

// keepPassed appends texts of such a row, of which these are the cells, if they are known.
func (s *Stream) keepPassed(cells []string) {
	if s.texts == nil || !s.keepsPassed {
		return
	}
	if len(cells) != len(s.choice.names) {
		cells = make([]string, len(s.choice.names))
	}
	s.keepCells(cells)
}

// keepCells appends texts of a row, of which these are the cells.
func (s *Stream) keepCells(cells []string) {
	if s.texts == nil {
		return
	}
	for _, i := range s.choice.kept {
		s.texts.Add([]byte(cells[i]))
	}
}

// keepSpans appends texts that stand in a block.
func (s *Stream) keepSpans(text []byte, spans []span) {
	if s.texts == nil {
		return
	}
	for _, at := range spans {
		s.texts.Add(text[at.from:at.to])
	}
}

// keptFull tells whether so much text is kept that no more should be before it is used.
func (s *Stream) keptFull() bool { return s.texts != nil && s.texts.Size() >= maxRow }

// keepValues keeps the values of a table that was not read from a file as texts.
func keepValues(t *data.Table, o Options) error {
	var names []string
	for _, g := range t.Groups() {
		names = append(names, g.Names...)
	}
	c := choice{}
	if err := o.keep(names, true, &c); err != nil {
		return err
	}
	if t.Kept.Names = c.keptNames; len(c.kept) == 0 {
		return nil
	}
	var values []float64
	for r := range t.Rows() {
		values = values[:0]
		for _, g := range t.Groups() {
			values = append(values, (*g.Values)[r*len(g.Names):(r+1)*len(g.Names)]...)
		}
		for _, i := range c.kept {
			t.Kept.Add([]byte(shortest(values[i])))
		}
	}
	return nil
}
