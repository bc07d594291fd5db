package read

import (
	"runtime/debug"
	"slices"

	"sml/data"
)

// defaultMaxValues is the maximum number of values of a table. It fits into an int everywhere.
const defaultMaxValues = 1<<31 - 1

// valueBytes is the size of a float64.
const valueBytes = 8

// preallocate reserves memory for all rows at once, as soon as their number can be estimated from
// the size of the input: growing slices hold their values twice. It does this once.
func (s *Stream) preallocate(t *data.Table, maxValues int) {
	const (
		sampleRows = 1000 // rows after which their mean length is known well
		margin     = 1.02 // of the estimate, for longer rows in the sample than after it
	)
	if s.preallocated || s.rowCount < sampleRows || s.size == 0 {
		return
	}
	s.preallocated = true
	read, size := s.Progress()
	rows := int(margin * float64(s.rowCount) * float64(size) / float64(read))
	values := rows * valuesPerRow(t)
	if values <= 0 || values > maxValues || freeMemory() <= int64(values)*valueBytes {
		return // reserveRows refuses the table later, unless the estimate is wrong
	}
	for _, g := range t.Groups() {
		*g.Values = slices.Grow(*g.Values, max(0, rows*len(g.Names)-len(*g.Values)))
	}
}

// reserveRows reserves memory for the given number of rows, and at least one, in t. It returns the
// number of rows for which t then has room within maxValues, which may be less. It returns an
// error if there is no room for one row.
func (s *Stream) reserveRows(t *data.Table, maxValues, rows int) (int, error) {
	columns := valuesPerRow(t)
	if (s.rowCount+1)*columns > maxValues {
		return 0, s.reader.position().failf("the table has more than %d values, which is the maximum", maxValues)
	}
	if err := s.checkTextMemory(); err != nil {
		return 0, err
	}
	rows = min(rows, maxValues/columns-s.rowCount)
	for _, g := range t.Groups() {
		values, err := s.growValues(*g.Values, max(1, rows)*len(g.Names))
		if err != nil {
			return 0, err
		}
		*g.Values = values
	}
	return rows, nil
}

// checkTextMemory returns an error if the kept texts would soon not fit into memory. It checks
// this after every maxRow bytes of texts.
func (s *Stream) checkTextMemory() error {
	if s.keptTexts == nil || s.keptTexts.Size()-s.checkedTextBytes < maxRow {
		return nil
	}
	s.checkedTextBytes = s.keptTexts.Size()
	// Texts grow by a quarter, and for a moment they are held twice.
	if bytes := int64(s.checkedTextBytes)/4*5 + maxRow; freeMemory() < bytes {
		return s.reader.position().failf("the texts to keep do not fit into memory: those of %d rows take %d MiB", s.rowCount, s.checkedTextBytes>>20)
	}
	return nil
}

// valuesPerRow returns the number of values of a row of t.
func valuesPerRow(t *data.Table) int {
	n := 0
	for _, g := range t.Groups() {
		n += len(g.Names)
	}
	return n
}

// growValues returns values with room for at least the given number of further values. It returns
// an error if they do not fit into free memory.
func (s *Stream) growValues(values []float64, further int) ([]float64, error) {
	const smallSlice = 1 << 17 // values, 1 MiB: append grows smaller slices without a check
	if cap(values)-len(values) >= further || cap(values) < smallSlice {
		return values, nil
	}
	growth := cap(values)/4 + further
	if bytes := int64(len(values)+growth) * valueBytes; freeMemory() < bytes {
		debug.FreeOSMemory()
		if free := freeMemory(); free < bytes {
			return values, s.reader.position().failf("the table does not fit into memory: %d rows take %d MiB, and %d MiB are free", s.rowCount, int64(len(values))*valueBytes>>20, free>>20)
		}
	}
	return slices.Grow(values, growth), nil
}
