package read

import (
	"math"
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

// isPlainNumberType reports whether the cells of a column are the numbers that the file stores. A date, for example, is
// stored as a number, but its cells are texts. Unsigned integers are stored as signed ones.
func isPlainNumberType(t parquet.Type) bool {
	logical := t.LogicalType()
	if logical != nil && logical.Value != nil {
		integer, isInteger := logical.Value.(*format.IntType)
		return isInteger && integer.IsSigned
	}
	return slices.Contains([]parquet.Kind{parquet.Int32, parquet.Int64, parquet.Float, parquet.Double}, t.Kind())
}

// holdsNumbers reports whether a column of values has the numbers that the file stores, whatever is the notation of texts.
func (p *parquetReader) holdsNumbers(c *column) bool {
	leaf := p.leaves[c.index]
	return leaf != nil && isPlainNumberType(leaf.Type()) && !c.readsNumbersAsText()
}

// canDecodeColumns reports whether a Parquet file can be decoded column by column: whether the cells of all columns that
// are read are plain numbers.
func (p *plan) canDecodeColumns(leaves []*parquet.Column) bool {
	isOther := func(c *column) bool {
		return c.readsNumbersAsText() || !isPlainNumberType(leaves[c.index].Type())
	}
	return len(p.keptColumns) == 0 && !slices.ContainsFunc(p.columns, isOther)
}

// decodeBlock decodes the next rows of a Parquet file, column by column, into s.pending. It returns false if the next rows
// have to be read one by one, and if the next row has an error, which the reader's next then returns.
func (s *Stream) decodeBlock() bool {
	p := s.parquet
	if !s.plan.canDecodeColumns(p.leaves) || p.nextError != nil || p.ctx.Err() != nil || p.beginGroup() != nil {
		return false
	}
	width := len(s.columns)
	rows := min(columnBlockRows, max(1, columnBlockValues/width), int(p.rowsLeft))
	s.decoded = slices.Grow(s.decoded[:0], rows*width)[:rows*width]
	rows = p.decodeColumns(s.decoded, s.plan, rows)
	p.rowsLeft -= int64(rows)
	if rows == 0 {
		return false
	}
	if !s.addDecoded(rows) {
		s.peekDecoded(rows)
	}
	return true
}

// addDecoded adds the decoded rows to s.pending. It returns false if a row has a mistake, such as a negative weight.
func (s *Stream) addDecoded(rows int) bool {
	p := s.parquet
	width := len(s.columns)
	block := &s.single
	block.reset(nil)
	block.firstLine = p.line + 1
	for r := range rows {
		row := s.decoded[r*width : (r+1)*width]
		switch s.plan.checkNumbers(row) {
		case nil:
			block.addRow(row, r)
		case errUnlabelled:
			block.unlabelled++
		default:
			return false
		}
	}
	p.line += rows
	return s.addPiece(block) == nil // without new texts there is no error
}

// checkNumbers returns errUnlabelled if a row of numbers of a Parquet file lacks too many targets, and errUnparsedRow if the row must be
// read by the reader of rows. A number that the file lacks becomes the missing value.
func (p *plan) checkNumbers(row []float64) error {
	missingTargets := 0
	for k, v := range row {
		c := p.columns[k]
		switch {
		case math.IsNaN(v) && c.group == targetGroup && p.skipsUnlabelled:
			missingTargets++
			row[k] = math.NaN()
		case math.IsNaN(v) && c.group == inputGroup && c.rule != mustBeNumber:
			row[k] = math.NaN() // without the bits by which the file's reader marks it
		case math.IsNaN(v), math.IsInf(v, 0), v < 0 && c.group == weightGroup:
			return errUnparsedRow
		}
	}
	if missingTargets > p.maxMissingTargets {
		return errUnlabelled
	}
	return nil
}

// peekDecoded makes the decoded rows of a Parquet file texts again: the next rows to be read one by one.
func (s *Stream) peekDecoded(rows int) {
	width := len(s.columns)
	for r := range rows {
		s.parquet.line++
		cells := s.formatRow(s.decoded[r*width : (r+1)*width])
		s.peekedRows = append(s.peekedRows, peekedRow{row: row{cells: cells, line: s.parquet.line}})
	}
}

// decodeColumns decodes the columns of the plan, on all cores, into rows of values. It returns the number of rows up to the
// first row with an error, which it stores in p.nextError.
func (p *parquetReader) decodeColumns(values []float64, plan *plan, rows int) int {
	width := len(plan.columns)
	decoded := slices.Repeat([]int{rows}, width) // number of decoded rows of each column
	errs := make([]error, width)
	workers := min(runtime.GOMAXPROCS(0), width)
	var decoding sync.WaitGroup
	for w := range workers {
		decoding.Go(func() {
			for k := w; k < width; k += workers {
				column := plan.columns[k].index
				if plan.valueIndex[column] == k { // the first use of the column
					decoded[k], errs[k] = p.decodeColumn(values[k:], column, width, rows)
				}
			}
		})
	}
	decoding.Wait()
	for k, n := range decoded {
		if n < rows {
			rows = n
			p.nextError = p.cellError(plan.columns[k].index, p.line+rows+1, errs[k])
		}
	}
	plan.copySecondUses(values, rows)
	return rows
}

// copySecondUses sets the values of rows whose column of the file is used twice.
func (p *plan) copySecondUses(values []float64, rows int) {
	width := len(p.columns)
	for _, k := range p.secondUses {
		first := p.valueIndex[p.columns[k].index]
		for i := 0; i < rows*width; i += width {
			values[i+k] = values[i+first]
		}
	}
}

// decodeColumn decodes a column of the file into values[0], values[width], values[2*width] and so on, up to the given
// number of rows.
func (p *parquetReader) decodeColumn(values []float64, column, width, rows int) (n int, err error) {
	defer broken.Recover(&err, func(err error) error { return err }) // a panic of the Parquet library means a broken file
	return p.chunks[column].ReadFloats(values, width, rows)
}

// formatRow returns the texts of a row of values, by column of the file. Unused columns and missing values have "".
func (s *Stream) formatRow(values []float64) []string {
	cells := make([]string, len(s.schema.names))
	for k, c := range s.columns {
		if !pages.IsMissing(values[k]) {
			cells[c.index] = formatNumber(values[k])
		}
	}
	return cells
}
