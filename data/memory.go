package data

import (
	"runtime/debug"
	"slices"
)

const defaultMost = 1<<31 - 1 // an int everywhere

// room makes sure that another row can be appended to t, of no more than so many
// values, as long as memory lasts.
func (s *Stream) room(t *Table, most int) error {
	groups := t.groups()
	columns := 0
	for _, g := range groups {
		columns += len(g.names)
	}
	if (s.rows+1)*columns > most {
		return s.rec.at().failf("the table has more than %d values; that is the limit", most)
	}
	if s.rows == 1000 && s.size > 0 { // enough to tell how long the rows are
		read, size := s.Progress()
		all := int(1.02 * float64(s.rows) * float64(size) / float64(read))
		need := all * columns
		if need > 0 && need <= most && freeMemory() > int64(need)*8 { // what a file claims to hold is no reason to refuse it
			for _, g := range groups {
				*g.values = slices.Grow(*g.values, max(0, all*len(g.names)-len(*g.values)))
			}
			return nil
		}
	}
	for _, g := range groups {
		var err error
		if *g.values, err = s.grow(*g.values, len(g.names)); err != nil {
			return err
		}
	}
	return nil
}

// grow is what append does, but that it asks for the memory first.
func (s *Stream) grow(values []float64, more int) ([]float64, error) {
	const unasked = 1 << 17 // values: 1 MiB
	if cap(values)-len(values) >= more || cap(values) < unasked {
		return values, nil
	}
	want := cap(values)/4 + more
	if bytes := int64(len(values)+want) * 8; freeMemory() < bytes {
		debug.FreeOSMemory()
		if free := freeMemory(); free < bytes {
			return values, s.rec.at().failf("the table does not fit into memory: %d rows take %d MiB, and %d MiB are free", s.rows, int64(len(values))*8>>20, free>>20)
		}
	}
	return slices.Grow(values, want), nil
}
