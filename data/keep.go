package data

import (
	"fmt"
	"slices"
	"strconv"
)

// keeps tells whether texts are asked for.
func (o Options) keeps() bool { return len(o.Keep) > 0 || o.KeepAll }

// keep finds the columns whose texts are kept, in the order in which they are named, or
// all in that of the file. They may be of any use beside, or of none.
func (o Options) keep(first []string, header bool, c *choice) error {
	if o.KeepAll {
		c.kept = upTo[int](len(first))
	}
	names := headless(len(first))
	if header {
		names = tidyAll(first)
	}
	index := indexOf(names)
	for _, ref := range o.Keep {
		i, err := index.find(ref, header)
		switch {
		case err != nil:
			return fmt.Errorf("to be kept: %w", err)
		case o.KeepAll:
			continue
		case slices.Contains(c.kept, i):
			return fmt.Errorf("column %s is to be kept twice; name it once", label(names, i))
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
func (s *Stream) KeepIn(t *Texts) {
	s.texts = nil
	if t.Names = s.Kept; len(s.Kept) > 0 {
		s.texts = t
	}
}

// keepCells appends texts of a row, of which these are the cells.
func (s *Stream) keepCells(cells []string) {
	if s.texts == nil {
		return
	}
	for _, i := range s.choice.kept {
		s.texts.add([]byte(cells[i]))
	}
}

// keepSpans appends texts that stand in a block.
func (s *Stream) keepSpans(text []byte, spans []span) {
	if s.texts == nil {
		return
	}
	for _, at := range spans {
		s.texts.add(text[at.from:at.to])
	}
}

// keptFull tells whether so much text is kept that no more should be before it is used.
func (s *Stream) keptFull() bool { return s.texts != nil && len(s.texts.text) >= maxRow }

// keep keeps the values of a table that was not read from a file as texts.
func (t *Table) keep(o Options) error {
	var names []string
	for _, g := range t.groups() {
		names = append(names, g.names...)
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
		for _, g := range t.groups() {
			values = append(values, (*g.values)[r*len(g.names):(r+1)*len(g.names)]...)
		}
		for _, i := range c.kept {
			t.Kept.add([]byte(shortest(values[i])))
		}
	}
	return nil
}
