package read

import (
	"runtime/debug"
	"slices"

	"sml/data"
)

const defaultMaxValues = 1<<31 - 1 // an int everywhere

// estimate allocates the memory of all rows at once if their number can be estimated from the
// size of the input.
func (s *Stream) preallocate(t *data.Table, most int) {
	const enough = 1000 // rows after which their mean length is known well
	if s.preallocated || s.rowCount < enough || s.size == 0 {
		return
	}
	s.preallocated = true
	read, size := s.Progress()
	all := int(1.02 * float64(s.rowCount) * float64(size) / float64(read))
	need := all * valuesPerRow(t)
	if need > 0 && need <= most && freeMemory() > int64(need)*8 { // a wrong estimate must not refuse a file
		for _, g := range t.Groups() {
			*g.Values = slices.Grow(*g.Values, max(0, all*len(g.Names)-len(*g.Values)))
		}
	}
}

// room makes sure that the given number of rows, and at least one, can be appended to t, which
// then has at most the given number of values. It returns how many of the rows can be appended,
// and an error if there is no room for one.
func (s *Stream) reserveRows(t *data.Table, most, rows int) (int, error) {
	columns := valuesPerRow(t)
	if (s.rowCount+1)*columns > most {
		return 0, s.reader.position().failf("the table has more than %d values; that is the limit", most)
	}
	if err := s.checkTextMemory(); err != nil {
		return 0, err
	}
	rows = min(rows, most/columns-s.rowCount)
	for _, g := range t.Groups() {
		var err error
		if *g.Values, err = s.growValues(*g.Values, max(1, rows)*len(g.Names)); err != nil {
			return 0, err
		}
	}
	return rows, nil
}

// checkKept returns an error if the kept texts would soon not fit into memory.
func (s *Stream) checkTextMemory() error {
	if s.keptTexts == nil || s.keptTexts.Size()-s.checkedTextBytes < maxRow {
		return nil
	}
	s.checkedTextBytes = s.keptTexts.Size()
	// Texts grow by a quarter, and for a moment they are held twice.
	if bytes := int64(s.checkedTextBytes)/4*5 + maxRow; freeMemory() < bytes {
		return s.reader.position().failf("the texts that are kept do not fit into memory: those of %d rows take %d MiB", s.rowCount, s.checkedTextBytes>>20)
	}
	return nil
}

// width returns the number of values of a row.
func valuesPerRow(t *data.Table) int {
	n := 0
	for _, g := range t.Groups() {
		n += len(g.Names)
	}
	return n
}

// grow returns values with room for more of them. It returns an error if they do not fit into
// free memory.
func (s *Stream) growValues(values []float64, more int) ([]float64, error) {
	const unasked = 1 << 17 // values: append grows slices of less than 1 MiB
	if cap(values)-len(values) >= more || cap(values) < unasked {
		return values, nil
	}
	want := cap(values)/4 + more
	if bytes := int64(len(values)+want) * 8; freeMemory() < bytes {
		debug.FreeOSMemory()
		if free := freeMemory(); free < bytes {
			return values, s.reader.position().failf("the table does not fit into memory: %d rows take %d MiB, and %d MiB are free", s.rowCount, int64(len(values))*8>>20, free>>20)
		}
	}
	return slices.Grow(values, want), nil
}
