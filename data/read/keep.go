package read

import (
	"fmt"
	"strconv"

	"sml/data"
	"sml/internal/texts"
)

// keepsTexts reports whether the texts of some columns are kept.
func (o Options) keepsTexts() bool { return len(o.Keep) > 0 || o.KeepAll }

// chooseKeptColumns finds the columns whose texts are kept: with KeepAll all columns in the order of the
// file, and then the columns of Keep, as often as Keep names them. Whether a column is read
// otherwise does not matter.
func (o Options) chooseKeptColumns(first []string, header bool, c *columnChoice) error {
	if o.KeepAll {
		c.keptColumns = indicesUpTo(len(first))
	}
	names := defaultNames(len(first))
	if header {
		names = cleanNames(first)
	}
	index := newColumnIndex(names)
	for _, ref := range o.Keep {
		i, err := index.findColumn(ref, header)
		if err != nil {
			return fmt.Errorf("to be kept: %w", err)
		}
		c.keptColumns = append(c.keptColumns, i)
	}
	for _, i := range c.keptColumns {
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
	s.keptTexts = nil
	if t.Names = s.Kept; len(s.Kept) > 0 {
		s.keptTexts = t
	}
}

// KeepPassed makes the stream keep the texts of rows with a mistake, too, if the rows after
// them can be read (IsRowError). The texts are empty if the cells of such a row are not known.
func (s *Stream) KeepPassed() { s.keepsPassedTexts = true }

// keepPassedRow appends the texts of a row with a mistake if KeepPassed asks for them. A list of
// cells with another length than a row stands for unknown cells.
func (s *Stream) keepPassedRow(cells []string) {
	if s.keptTexts == nil || !s.keepsPassedTexts {
		return
	}
	if len(cells) != len(s.columns.names) {
		cells = make([]string, len(s.columns.names))
	}
	s.keepCells(cells)
}

// keepCells appends the texts to keep of a row with the given cells.
func (s *Stream) keepCells(cells []string) {
	if s.keptTexts == nil {
		return
	}
	for _, i := range s.columns.keptColumns {
		s.keptTexts.Add([]byte(cells[i]))
	}
}

// keepSpans appends the texts at the given spans of a text.
func (s *Stream) keepSpans(text []byte, spans []span) {
	if s.keptTexts == nil {
		return
	}
	for _, at := range spans {
		s.keptTexts.Add(text[at.start:at.end])
	}
}

// hasMuchText reports whether so much text is kept that the caller should use it before it reads
// further rows.
func (s *Stream) hasMuchText() bool { return s.keptTexts != nil && s.keptTexts.Size() >= maxRow }

// keepGeneratedValues keeps the values of a generated table as texts.
func keepGeneratedValues(t *data.Table, o Options) error {
	var names []string
	for _, g := range t.Groups() {
		names = append(names, g.Names...)
	}
	c := columnChoice{}
	if err := o.chooseKeptColumns(names, true, &c); err != nil {
		return err
	}
	if t.KeptTexts.Names = c.keptNames; len(c.keptColumns) == 0 {
		return nil
	}
	var values []float64
	for r := range t.Rows() {
		values = values[:0]
		for _, g := range t.Groups() {
			values = append(values, (*g.Values)[r*len(g.Names):(r+1)*len(g.Names)]...)
		}
		for _, i := range c.keptColumns {
			t.KeptTexts.Add([]byte(formatNumber(values[i])))
		}
	}
	return nil
}
