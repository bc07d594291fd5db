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
// date, for example, is stored as a number, but its cells are texts. Unsigned integers are not plain
// either, since they are stored as signed ones.
func isPlainNumberType(t parquet.Type) bool {
	logical := t.LogicalType()
	if logical != nil && logical.Value != nil {
		integer, isInteger := logical.Value.(*format.IntType)
		return isInteger && integer.IsSigned
	}
	switch t.Kind() {
	case parquet.Int32, parquet.Int64, parquet.Float, parquet.Double:
		return true
	}
	return false
}

// newParquetPlan returns a plan for decoding the columns of a Parquet file side by side. It
// returns nil if that is not possible because texts are kept or a column has to be read as text.
func (s *Stream) newParquetPlan(groups int) *rowPlan {
	p := s.newRowPlan(groups)
	if p.keptIndices != nil || slices.Contains(p.readsText, true) {
		return nil
	}
	for i, valueIndex := range p.valueIndices {
		if valueIndex >= 0 && !isPlainNumberType(s.parquetReader.leaves[i].Type()) {
			return nil
		}
	}
	return p
}

// decodeParquetBlock decodes a block of rows into the buffer. It does nothing if the next row has
// an error, which the reader's next then returns.
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
	block.values = block.values[:cap(block.values)/width*width] // room for whole rows
	rows := p.decodeRows(block.values, b.plan)
	block.separateDeferredRows(b.plan, rows)
	b.pending = b.pieces
	b.firstRow = p.line + 1
}

// decodeRows decodes the next rows of the open row group, column by column, into rows of values: at
// most as many as fit into values. It returns the number of rows. If the row after them has an
// error, it stores the error in p.nextError. At the end of the file it returns 0.
func (p *parquetReader) decodeRows(values []float64, plan *rowPlan) (rows int) {
	if err := p.beginGroup(); err != nil {
		return 0 // next calls beginGroup again and returns the error
	}
	width := len(plan.fileColumns)
	rows = int(min(int64(len(values)/width), p.rowsLeft))
	var columns []int // columns of the file to decode
	for i, valueIndex := range plan.valueIndices {
		if valueIndex >= 0 {
			columns = append(columns, i)
		}
	}
	decodedRows := p.decodeColumns(values, plan, columns, rows)
	for k, decoded := range decodedRows {
		if decoded.rows < rows { // the row at which the first column fails ends the block
			rows = decoded.rows
			p.nextError = p.cellError(columns[k], p.line+rows+1, decoded.err)
		}
	}
	p.rowsLeft -= int64(rows)
	return rows
}

// decodedColumn tells how far a column was decoded.
type decodedColumn struct {
	rows int
	err  error // error in the row after these; nil if all requested rows were decoded
}

// decodeColumns decodes the given columns of the file, on all cores, into rows of values. It returns
// how far each of the columns was decoded.
func (p *parquetReader) decodeColumns(values []float64, plan *rowPlan, columns []int, rows int) []decodedColumn {
	width := len(plan.fileColumns)
	results := make([]decodedColumn, len(columns))
	workers := min(runtime.GOMAXPROCS(0), len(columns))
	var decoding sync.WaitGroup
	for w := range workers {
		decoding.Go(func() {
			for k := w; k < len(columns); k += workers {
				column := columns[k]
				results[k] = p.decodeColumn(values[plan.valueIndices[column]:], column, width, rows)
			}
		})
	}
	decoding.Wait()
	return results
}

// decodeColumn decodes a column of the file into values[0], values[width], values[2*width] and so
// on, up to the given number of rows.
func (p *parquetReader) decodeColumn(values []float64, column, width, rows int) (d decodedColumn) {
	defer broken.Recover(&d.err, func(err error) error { return err }) // a panic of the Parquet library means a broken file
	d.rows, d.err = p.chunks[column].ReadFloats(values, width, rows)
	return d
}

// separateDeferredRows divides the first rows of p.values into numeric rows, which it moves together
// at the start of p.values, and deferred rows: rows with a missing or infinite value or a negative
// weight.
func (p *piece) separateDeferredRows(plan *rowPlan, rows int) {
	width := len(plan.fileColumns)
	numericRows := 0
	for r := range rows {
		row := p.values[r*width : (r+1)*width]
		for _, pair := range plan.copies {
			row[pair.second] = row[pair.first]
		}
		hasBadWeight := plan.weightIndex >= 0 && row[plan.weightIndex] < 0
		if !allFinite(row) || hasBadWeight {
			p.deferredRows = append(p.deferredRows, p.newDeferredRow(plan, row, numericRows, r))
			continue
		}
		if numericRows < r {
			copy(p.values[numericRows*width:], row)
		}
		p.numericLines = append(p.numericLines, r)
		numericRows++
	}
	p.values = p.values[:numericRows*width]
	p.lineCount = rows
}

// allFinite reports whether no value is missing or infinite.
func allFinite(values []float64) bool {
	for _, v := range values {
		if !isFinite(v) {
			return false
		}
	}
	return true
}

// isFinite reports whether v is neither NaN nor infinite: only then v-v is 0.
func isFinite(v float64) bool { return v-v == 0 }

// newDeferredRow returns the deferred row with the given values, after numericBefore numeric rows. It
// appends the values, and the missing or infinite ones as deferred cells, to p.
//
// If one of these cells must hold a finite number, or the weight is negative, the row has the texts
// of all cells instead: appendFields then finds the mistake and explains it.
func (p *piece) newDeferredRow(plan *rowPlan, values []float64, numericBefore, line int) deferredRow {
	row := deferredRow{
		numericBefore: numericBefore,
		line:          line,
		valuesStart:   len(p.deferredValues),
		cellsStart:    len(p.deferredCells),
	}
	for valueIndex, v := range values {
		isBadWeight := valueIndex == plan.weightIndex && !(v >= 0) // also NaN
		isBadNumber := !isFinite(v) && plan.rawColumns[valueIndex] == nil
		if isBadWeight || isBadNumber {
			p.deferredCells = p.deferredCells[:row.cellsStart]
			row.fields = plan.formatRow(values)
			return row
		}
		if !isFinite(v) {
			p.deferredCells = append(p.deferredCells, deferredCell{valueIndex, []byte(formatCell(v))})
		}
	}
	row.cellsEnd = len(p.deferredCells)
	p.deferredValues = append(p.deferredValues, values...)
	return row
}

// formatRow returns the texts of a row of values, by column of the file. Unused columns have "".
func (p *rowPlan) formatRow(values []float64) []string {
	fields := make([]string, len(p.valueIndices))
	for i, valueIndex := range p.valueIndices {
		if valueIndex >= 0 {
			fields[i] = formatCell(values[valueIndex])
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
