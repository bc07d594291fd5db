package read

import (
	"fmt"
	"strconv"

	"sml/data"
	"sml/internal/texts"
)

// keepsTexts reports whether the texts of some columns are kept.
func (o Options) keepsTexts() bool { return len(o.Keep) > 0 || o.KeepAll }

// keep finds the columns whose texts are kept: with KeepAll all columns in the order of the
// file, and then the columns of Keep, as often as Keep names them. Whether a column is read
// otherwise does not matter.
func (o Options) keep(first []string, header bool, c *choice) error {
	if o.KeepAll {
		c.kept = indices(len(first))
	}
	names := headlessNames(len(first))
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

// KeepIn makes the stream append the texts of the columns in Kept to t with each later row.
func (s *Stream) KeepIn(t *texts.Columns) {
	s.texts = nil
	if t.Names = s.Kept; len(s.Kept) > 0 {
		s.texts = t
	}
}

// KeepPassed makes the stream keep the texts of rows with a mistake, too, if the rows after
// them can be read (RowOnly). The texts are empty if the cells of such a row are not known.
func (s *Stream) KeepPassed() { s.keepsPassed = true }

// keepPassed appends the texts of a row with a mistake if KeepPassed asks for them. A list of
// cells with another length than a row stands for unknown cells.
func (s *Stream) keepPassed(cells []string) {
	if s.texts == nil || !s.keepsPassed {
		return
	}
	if len(cells) != len(s.choice.names) {
		cells = make([]string, len(s.choice.names))
	}
	s.keepCells(cells)
}

// keepCells appends the texts to keep of a row with the given cells.
func (s *Stream) keepCells(cells []string) {
	if s.texts == nil {
		return
	}
	for _, i := range s.choice.kept {
		s.texts.Add([]byte(cells[i]))
	}
}

// keepSpans appends the texts at the given spans of a text.
func (s *Stream) keepSpans(text []byte, spans []span) {
	if s.texts == nil {
		return
	}
	for _, at := range spans {
		s.texts.Add(text[at.from:at.to])
	}
}

// hasMuchText reports whether so much text is kept that the caller should use it before it reads
// further rows.
func (s *Stream) hasMuchText() bool { return s.texts != nil && s.texts.Size() >= maxRow }

// keepValues keeps the values of a generated table as texts.
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
