package read

import (
	"runtime"
	"slices"
	"sync"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"sml/data/internal/broken"
	"sml/data/internal/pages"
)

// A block of a Parquet file is decoded at a time. It has at most this many values and rows.
const (
	columnBlockValues = 1 << 17 // 1 MiB, which fits into a CPU's cache
	columnBlockRows   = 1 << 14
)

// isPlainNumber reports whether values of a type are numbers that formatterFor writes unchanged: a
// date, say, is stored as a number and written as text.
func isPlainNumberType(t parquet.Type) bool {
	if l := t.LogicalType(); l != nil && l.Value != nil {
		whole, ok := l.Value.(*format.IntType)
		return ok && whole.IsSigned
	}
	return slices.Contains([]parquet.Kind{parquet.Int32, parquet.Int64, parquet.Float, parquet.Double}, t.Kind())
}

// plannedColumns returns a plan for decoding the columns of a Parquet file side by side. It
// returns nil if a column has to be read as text.
func (s *Stream) newParquetPlan(groups int) *rowPlan {
	p := s.newRowPlan(groups)
	if p.keptIndices != nil || slices.Contains(p.readsText, true) {
		return nil
	}
	for i, place := range p.places {
		if place >= 0 && !isPlainNumberType(s.parquetReader.leaves[i].Type()) {
			return nil
		}
	}
	return p
}

// fillFromColumns decodes a block of rows.
func (s *Stream) decodeParquetBlock() {
	p, b := s.parquetReader, &s.buffer
	if p.nextError != nil || p.ctx.Err() != nil {
		return
	}
	width := len(b.plan.rawColumns)
	if b.pieces == nil {
		b.pieces = []piece{{values: make([]float64, width*min(columnBlockRows, max(1, columnBlockValues/width)))}}
	}
	block := &b.pieces[0]
	block.clear()
	block.values = block.values[:cap(block.values)/width*width]
	rows := p.decodeRows(block.values, b.plan)
	block.separateOddRows(b.plan, rows)
	b.pending, b.firstRow = b.pieces, p.line+1
}

// decode decodes the next rows, column by column, into rows of values. It returns the number of
// rows; method next returns the error of the row after them, if there is one.
func (p *parquetReader) decodeRows(values []float64, plan *rowPlan) (rows int) {
	if err := p.beginGroup(); err != nil {
		return 0 // next returns it
	}
	width := len(plan.rawColumns)
	rows = int(min(int64(len(values)/width), p.rowsLeft))
	var columns []int
	for i, place := range plan.places {
		if place >= 0 {
			columns = append(columns, i)
		}
	}
	decoded, errs := make([]int, len(columns)), make([]error, len(columns))
	workers := min(runtime.GOMAXPROCS(0), len(columns))
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for k := w; k < len(columns); k += workers {
				i := columns[k]
				decoded[k], errs[k] = p.decodeColumn(values[plan.places[i]:], i, width, rows)
			}
		})
	}
	all.Wait()
	for k, n := range decoded {
		if n < rows {
			rows, p.nextError = n, p.cellError(columns[k], p.line+n+1, errs[k])
		}
	}
	p.rowsLeft -= int64(rows)
	return rows
}

func (p *parquetReader) decodeColumn(values []float64, column, width, rows int) (n int, err error) {
	defer broken.Recover(&err, func(err error) error { return err })
	return p.chunks[column].ReadFloats(values, width, rows)
}

// divide sorts the first rows of values into rows of plain numbers, which stay, and odd rows.
func (b *piece) separateOddRows(p *rowPlan, rows int) {
	width, kept := len(p.rawColumns), 0
	for r := range rows {
		row := b.values[r*width : (r+1)*width]
		for _, c := range p.copies {
			row[c.to] = row[c.from]
		}
		if allFinite(row) && (p.weightPlace < 0 || row[p.weightPlace] >= 0) {
			if kept < r {
				copy(b.values[kept*width:], row)
			}
			b.plainLines = append(b.plainLines, r)
			kept++
			continue
		}
		b.oddRows = append(b.oddRows, b.newOddRow(p, row, kept, r))
	}
	b.values = b.values[:kept*width]
	b.lineCount = rows
}

// allFinite reports whether no value is missing or infinite.
func allFinite(row []float64) bool {
	for _, v := range row {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// oddRowOf returns the odd row with the given values. It keeps the values and the missing or
// infinite cells if all of these are in columns that may hold texts, and otherwise the texts of
// all cells.
func (b *piece) newOddRow(p *rowPlan, row []float64, before, line int) oddRow {
	odd := oddRow{plainBefore: before, line: line, valuesStart: len(b.oddValues), cellsStart: len(b.oddCells)}
	for place, v := range row {
		switch {
		case place == p.weightPlace && !(v >= 0), v-v != 0 && p.rawColumns[place] == nil:
			b.oddCells = b.oddCells[:odd.cellsStart]
			odd.fields = make([]string, len(p.places))
			for i, at := range p.places {
				if at >= 0 {
					odd.fields[i] = formatCell(row[at])
				}
			}
			return odd
		case v-v != 0:
			b.oddCells = append(b.oddCells, oddCell{place, []byte(formatCell(v))})
		}
	}
	odd.cellsEnd = len(b.oddCells)
	b.oddValues = append(b.oddValues, row...)
	return odd
}

// cellText returns the text of a number as formatterFor writes it, and "" for a missing value.
func formatCell(v float64) string {
	if pages.IsMissing(v) {
		return ""
	}
	return formatNumber(v)
}
