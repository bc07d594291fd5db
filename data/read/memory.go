package read

import (
	"fmt"
	"runtime/debug"
	"slices"

	"sml/data"
)

// defaultMaxValues is the maximum number of values of a table, 2³¹ − 1. It fits into an int on every
// system.
const defaultMaxValues = 1<<31 - 1

// valueBytes is the size of a float64.
const valueBytes = 8

// preallocate reserves memory in t for all rows at once, as soon as their number can be estimated from
// the size of the input: a slice that grows holds its values twice for a moment. It does this at most
// once, and not if the size is unknown or the table would be too large.
func (s *Stream) preallocate(t *data.Table, maxValues int) {
	const (
		sampleRows = 1000 // rows after which their mean length is known well enough
		margin     = 1.02 // factor of the estimate, as later rows may be shorter than the sample
	)
	if s.preallocated || s.rowCount < sampleRows || s.size == 0 {
		return
	}
	s.preallocated = true
	read, size := s.Progress()
	rows := int(margin * float64(s.rowCount) * float64(size) / float64(read))
	values := rows * valuesPerRow(t)
	isUsable := values > 0 && values <= maxValues // the product may have overflowed
	if !isUsable || FreeMemory() <= int64(values)*valueBytes {
		return // reserveRows refuses the table later, unless the estimate is wrong
	}
	for _, g := range t.Groups() {
		*g.Values = slices.Grow(*g.Values, max(0, rows*len(g.Names)-len(*g.Values)))
	}
}

// reserveRows reserves memory in t for the given number of further rows, and for at least one. It
// returns how many of the given rows t may have within maxValues; 0 stays 0. It returns an error if
// one more row would exceed maxValues or the free memory.
func (s *Stream) reserveRows(t *data.Table, maxValues, rows int) (int, error) {
	columns := valuesPerRow(t)
	if (s.rowCount+1)*columns > maxValues {
		return 0, s.failf("the table has more than %d values, which is the maximum", maxValues)
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

// failf returns an error with a formatted message and the position of the row that was handed out last.
func (s *Stream) failf(format string, args ...any) error {
	return fmt.Errorf("%s: %w", s.Place(s.lastLine), fmt.Errorf(format, args...))
}

// valuesPerRow returns the number of values of a row of t, in all groups.
func valuesPerRow(t *data.Table) int {
	n := 0
	for _, g := range t.Groups() {
		n += len(g.Names)
	}
	return n
}

// growValues returns values with room for at least the given number of further values. It returns
// an error if the grown slice does not fit into free memory. A small slice is returned as it is:
// append may grow it without a check.
func (s *Stream) growValues(values []float64, further int) ([]float64, error) {
	const smallSlice = 1 << 17 // values, 1 MiB
	if cap(values)-len(values) >= further || cap(values) < smallSlice {
		return values, nil
	}
	growth := cap(values)/4 + further // by a quarter at least, so that copying stays rare
	neededBytes := int64(len(values)+growth) * valueBytes
	if FreeMemory() < neededBytes {
		debug.FreeOSMemory() // give back what Go no longer uses, and look again
		free := FreeMemory()
		if free < neededBytes {
			return values, s.failf("the table does not fit into memory: %d rows take %d MiB, and %d MiB are free", s.rowCount, int64(len(values))*valueBytes>>20, free>>20)
		}
	}
	return slices.Grow(values, growth), nil
}

// checkTextMemory returns an error if the kept texts will soon not fit into memory. To save time, it
// looks at the free memory only after every maxRow bytes of texts.
func (s *Stream) checkTextMemory() error {
	if s.keptTexts == nil || s.keptTexts.Size()-s.checkedTextBytes < maxRow {
		return nil
	}
	s.checkedTextBytes = s.keptTexts.Size()
	grownBytes := int64(s.checkedTextBytes)/4*5 + maxRow // append grows the texts by a quarter, and copies them into new memory
	if FreeMemory() < grownBytes {
		return s.failf("the texts to keep do not fit into memory: the texts of %d rows take %d MiB", s.rowCount, s.checkedTextBytes>>20)
	}
	return nil
}
