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

// Bounds on a block of a Parquet file, whose columns are decoded side by side.
const (
	columnBlockValues = 1 << 17 // 1 MiB, which fits into a CPU's cache
	columnBlockRows   = 1 << 14
)

// isPlainNumberType reports whether the cells of a column are the numbers that the file stores. A
// date, say, is stored as a number, but formatterFor writes it as text.
func isPlainNumberType(t parquet.Type) bool {
	if l := t.LogicalType(); l != nil && l.Value != nil {
		integer, ok := l.Value.(*format.IntType)
		return ok && integer.IsSigned
	}
	return slices.Contains([]parquet.Kind{parquet.Int32, parquet.Int64, parquet.Float, parquet.Double}, t.Kind())
}

// newParquetPlan returns a plan for decoding the columns of a Parquet file side by side. It
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

// decodeParquetBlock decodes a block of rows into the buffer. It does nothing if the next row has
// an error, which next then returns.
func (s *Stream) decodeParquetBlock() {
	p, b := s.parquetReader, &s.buffer
	if p.nextError != nil || p.ctx.Err() != nil {
		return
	}
	width := len(b.plan.fileColumns)
	if b.pieces == nil {
		rows := min(columnBlockRows, max(1, columnBlockValues/width))
		b.pieces = []piece{{values: make([]float64, width*rows)}}
	}
	block := &b.pieces[0]
	block.clear()
	block.values = block.values[:cap(block.values)/width*width]
	rows := p.decodeRows(block.values, b.plan)
	block.separateOddRows(b.plan, rows)
	b.pending = b.pieces
	b.firstRow = p.line + 1
}

// decodeRows decodes the next rows of the open row group, column by column, into rows of values.
// It returns the number of rows. If the row after them has an error, it stores it in p.nextError.
func (p *parquetReader) decodeRows(values []float64, plan *rowPlan) (rows int) {
	if err := p.beginGroup(); err != nil {
		return 0 // next returns the error
	}
	width := len(plan.fileColumns)
	rows = int(min(int64(len(values)/width), p.rowsLeft))
	var columns []int // to decode
	for i, place := range plan.places {
		if place >= 0 {
			columns = append(columns, i)
		}
	}
	decoded, errs := make([]int, len(columns)), make([]error, len(columns))
	workers := min(runtime.GOMAXPROCS(0), len(columns))
	var decoding sync.WaitGroup
	for w := range workers {
		decoding.Go(func() {
			for k := w; k < len(columns); k += workers {
				i := columns[k]
				decoded[k], errs[k] = p.decodeColumn(values[plan.places[i]:], i, width, rows)
			}
		})
	}
	decoding.Wait()
	for k, n := range decoded {
		if n < rows {
			rows, p.nextError = n, p.cellError(columns[k], p.line+n+1, errs[k])
		}
	}
	p.rowsLeft -= int64(rows)
	return rows
}

// decodeColumn decodes values of a column into values[0], values[width] and so on, up to the given
// number of rows. It returns how many it decoded, and an error if these are fewer.
func (p *parquetReader) decodeColumn(values []float64, column, width, rows int) (n int, err error) {
	defer broken.Recover(&err, func(err error) error { return err })
	return p.chunks[column].ReadFloats(values, width, rows)
}

// separateOddRows divides the first rows of b.values into rows of plain numbers, which stay there,
// and odd rows.
func (b *piece) separateOddRows(p *rowPlan, rows int) {
	width := len(p.fileColumns)
	plainRows := 0
	for r := range rows {
		row := b.values[r*width : (r+1)*width]
		for _, c := range p.copies {
			row[c.to] = row[c.from]
		}
		if !allFinite(row) || p.weightPlace >= 0 && row[p.weightPlace] < 0 {
			b.oddRows = append(b.oddRows, b.newOddRow(p, row, plainRows, r))
			continue
		}
		if plainRows < r {
			copy(b.values[plainRows*width:], row)
		}
		b.plainLines = append(b.plainLines, r)
		plainRows++
	}
	b.values = b.values[:plainRows*width]
	b.lineCount = rows
}

// allFinite reports whether no value is missing or infinite.
func allFinite(row []float64) bool {
	for _, v := range row {
		if !isFinite(v) {
			return false
		}
	}
	return true
}

// isFinite reports whether v is neither NaN nor infinite: only then v-v is 0.
func isFinite(v float64) bool { return v-v == 0 }

// newOddRow returns the odd row with the given values. It stores the values and the missing or
// infinite cells in b if all of these are in columns that may hold texts. Otherwise the row has
// the texts of all cells, of which a reader of texts finds the mistake.
func (b *piece) newOddRow(p *rowPlan, row []float64, plainBefore, line int) oddRow {
	odd := oddRow{
		plainBefore: plainBefore,
		line:        line,
		valuesStart: len(b.oddValues),
		cellsStart:  len(b.oddCells),
	}
	for place, v := range row {
		isBadWeight := place == p.weightPlace && !(v >= 0)
		isBadNumber := !isFinite(v) && p.rawColumns[place] == nil
		if isBadWeight || isBadNumber {
			b.oddCells = b.oddCells[:odd.cellsStart]
			odd.fields = p.formatRow(row)
			return odd
		}
		if !isFinite(v) {
			b.oddCells = append(b.oddCells, oddCell{place, []byte(formatCell(v))})
		}
	}
	odd.cellsEnd = len(b.oddCells)
	b.oddValues = append(b.oddValues, row...)
	return odd
}

// formatRow returns the texts of a row of values, by column of the file. Unused columns have "".
func (p *rowPlan) formatRow(row []float64) []string {
	fields := make([]string, len(p.places))
	for i, place := range p.places {
		if place >= 0 {
			fields[i] = formatCell(row[place])
		}
	}
	return fields
}

// formatCell returns the text of a number as formatterFor writes it, and "" for a missing value.
func formatCell(v float64) string {
	if pages.IsMissing(v) {
		return ""
	}
	return formatNumber(v)
}
