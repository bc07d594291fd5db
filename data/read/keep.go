package read

import (
	"fmt"
	"strconv"

	"sml/data"
	"sml/internal/texts"
)

// keepsTexts reports whether the options request that the texts of some columns are kept.
func (o Options) keepsTexts() bool { return len(o.Keep) > 0 || o.KeepAll }

// chooseKeptColumns sets c.keptColumns and c.keptNames: with KeepAll all columns in the order of the
// file, and then the columns of Keep, as often as Keep names them. A kept column may be an input or
// a target as well. first is the first row; header says whether it holds the columns' names. It
// returns an error if Keep names a column that the file does not have.
func (o Options) chooseKeptColumns(firstRow []string, header bool, c *columnChoice) error {
	if o.KeepAll {
		c.keptColumns = indicesUpTo(len(firstRow))
	}
	names := defaultNames(len(firstRow))
	if header {
		names = cleanNames(firstRow)
	}
	index := newColumnIndex(names)
	for _, nameOrNumber := range o.Keep {
		i, err := index.findColumn(nameOrNumber, header)
		if err != nil {
			return fmt.Errorf("to be kept: %w", err)
		}
		c.keptColumns = append(c.keptColumns, i)
	}
	for _, i := range c.keptColumns {
		name := names[i]
		if name == "" {
			name = "column " + strconv.Itoa(i+1) // the column has no name in the header
		}
		c.keptNames = append(c.keptNames, name)
	}
	return nil
}

// KeepIn makes the stream append the texts of the columns in s.Kept to t with each row read from
// now on. It sets t.Names. If s.Kept is empty, nothing is appended.
func (s *Stream) KeepIn(t *texts.Columns) {
	t.Names = s.Kept
	s.keptTexts = nil
	if len(s.Kept) > 0 {
		s.keptTexts = t
	}
}

// KeepPassed makes the stream also keep the texts of rows with a mistake, so that the kept texts
// have a row for each row of the file. The texts of such a row are empty if its cells cannot be told
// apart. Errors that end the reading (for which IsRowError is false) add no row.
func (s *Stream) KeepPassed() { s.keepsPassedTexts = true }

// keepPassedRow appends the texts of a row with a mistake if KeepPassed was called. It appends empty
// texts if there is not a cell for each column of the file: the cells are then not known.
func (s *Stream) keepPassedRow(cells []string) {
	if s.keptTexts == nil || !s.keepsPassedTexts {
		return
	}
	if len(cells) != len(s.columns.names) {
		cells = make([]string, len(s.columns.names))
	}
	s.keepCells(cells)
}

// keepCells appends the texts of a row in the kept columns, if texts are kept. cells has a text for
// each column of the file.
func (s *Stream) keepCells(cells []string) {
	if s.keptTexts == nil {
		return
	}
	for _, i := range s.columns.keptColumns {
		s.keptTexts.Add([]byte(cells[i]))
	}
}

// keepSpans appends the parts of text at the given spans, if texts are kept. They must be the kept
// texts of whole rows, in the order of Stream.Kept.
func (s *Stream) keepSpans(text []byte, spans []span) {
	if s.keptTexts == nil {
		return
	}
	for _, cell := range spans {
		s.keptTexts.Add(text[cell.start:cell.end])
	}
}

// hasMuchText reports whether so much text is kept, as much as the longest row may have, that the
// caller should use it and free its memory before it reads further rows.
func (s *Stream) hasMuchText() bool { return s.keptTexts != nil && s.keptTexts.Size() >= maxRow }

// keepGeneratedValues sets t.KeptTexts to the columns of a generated table that the options name.
// The table has no file, so the texts are its numbers as formatNumber writes them.
func keepGeneratedValues(t *data.Table, o Options) error {
	var names []string
	for _, g := range t.Groups() {
		names = append(names, g.Names...)
	}
	c := columnChoice{}
	if err := o.chooseKeptColumns(names, true, &c); err != nil {
		return err
	}
	t.KeptTexts.Names = c.keptNames
	if len(c.keptColumns) == 0 {
		return nil
	}
	var rowValues []float64 // of all columns of one row
	for r := range t.Rows() {
		rowValues = rowValues[:0]
		for _, g := range t.Groups() {
			width := len(g.Names)
			rowValues = append(rowValues, (*g.Values)[r*width:(r+1)*width]...)
		}
		for _, column := range c.keptColumns {
			t.KeptTexts.Add([]byte(formatNumber(rowValues[column])))
		}
	}
	return nil
}
