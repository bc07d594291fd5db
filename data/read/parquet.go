package read

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"sml/data/internal/broken"
	"sml/data/internal/pages"
)

// parquetReader reads the rows of a Parquet file. It reads the used columns side by side, and
// holds one page of each in memory at a time.
type parquetReader struct {
	filePosition // counts rows
	ctx          context.Context
	parquetFile  *parquet.File
	content      io.ReaderAt   // the file
	size         int64         // bytes of content
	budget       *pages.Budget // memory that pages may take

	// Columns of the file. The slices have the same length.
	names      []string
	leaves     []*parquet.Column // nil for a column of lists, maps or groups
	formatters []formatter       // nil for a column of lists, maps or groups
	stored     []bool            // whether the values are numbers, and not texts
	chunks     []*pages.Chunk    // values of the open row group; nil for an unused column
	cells      []string          // row that next returned last
	used       []bool            // whether the column is read

	namesReturned  bool              // next has returned the names as the first row
	unopenedGroups []format.RowGroup // row groups after the open one
	rowsLeft       int64             // unread rows of the open row group
	nextError      error             // error in the row after the decoded rows; nil if there is none
}

// formatter returns a Parquet value, which is not null, as the text of a cell. It returns an error if
// the value cannot be written as text.
type formatter func(parquet.Value) (string, error)

// parquetOnDisk reports whether f is a Parquet file that can be read at any offset, and returns
// its size.
func parquetOnDisk(f *os.File) (size int64, ok bool) {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	offset, err := f.Seek(0, io.SeekCurrent)
	if err != nil || offset != 0 { // the caller has read its beginning
		return 0, false
	}
	head := make([]byte, len(parquetMagic))
	_, err = f.ReadAt(head, 0)
	if err != nil {
		return 0, false
	}
	return info.Size(), string(head) == parquetMagic
}

// openParquet reads the metadata of a Parquet file of size bytes. It returns an error if the
// metadata is broken or too large, or if the file has no columns.
func openParquet(ctx context.Context, r io.ReaderAt, size int64, name string) (_ rowReader, err error) {
	p := &parquetReader{
		filePosition: filePosition{file: displayName(name), unit: "row"},
		ctx:          ctx,
		content:      r,
		size:         size,
		budget:       pages.NewBudget(size),
	}
	defer broken.Recover(&err, p.brokenError) // the Parquet library panics for some broken files
	if err := pages.CheckFooter(r, size); err != nil {
		return nil, p.brokenError(err)
	}
	p.parquetFile, err = parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, p.brokenError(err)
	}
	p.unopenedGroups = p.parquetFile.Metadata().RowGroups
	for _, column := range p.parquetFile.Root().Columns() {
		if !isPandasIndex(column.Name()) {
			p.addColumn(column)
		}
	}
	if len(p.names) == 0 {
		return nil, fmt.Errorf("%s: the Parquet file has no columns", p.file)
	}
	p.cells = make([]string, len(p.names))
	p.chunks = make([]*pages.Chunk, len(p.names))
	return p, nil
}

// addColumn appends a column of the file.
func (p *parquetReader) addColumn(column *parquet.Column) {
	p.names = append(p.names, column.Name())
	if !column.Leaf() || column.Repeated() {
		p.leaves = append(p.leaves, nil)
		p.formatters = append(p.formatters, nil)
		p.stored = append(p.stored, false)
		return
	}
	p.leaves = append(p.leaves, column)
	p.formatters = append(p.formatters, formatterFor(column.Type()))
	p.stored = append(p.stored, !isTextType(column.Type()))
}

// isPandasIndex reports whether a column of that name holds the row labels of a table that pandas
// wrote. pandas itself does not read it as a column.
func isPandasIndex(name string) bool {
	return strings.HasPrefix(name, "__index_level_") && strings.HasSuffix(name, "__")
}

func (p *parquetReader) hasNames() bool        { return true }
func (p *parquetReader) delimiterName() string { return "" }
func (p *parquetReader) isReady() bool         { return true }

// offset estimates the number of bytes read, as if all rows had the same length.
func (p *parquetReader) offset() (int64, bool) {
	rows := max(1, p.parquetFile.NumRows())
	return int64(float64(p.size) * float64(min(int64(p.line), rows)) / float64(rows)), true
}

// useColumns stores which columns are read. It returns an error if one of them has no single values.
func (p *parquetReader) useColumns(used []bool) error {
	p.used = used
	for i, isUsed := range used {
		if isUsed && p.leaves[i] == nil {
			return fmt.Errorf("%s: column %s holds lists, maps or groups; a table has one number or text in each cell: take the values apart, or leave the column out", p.file, columnLabel(p.names, i))
		}
	}
	return nil
}

// close closes the open row group.
func (p *parquetReader) close() {
	for _, c := range p.chunks {
		if c != nil {
			c.Close()
		}
	}
	clear(p.chunks)
}

// brokenError returns the error for a Parquet file that cannot be read.
func (p *parquetReader) brokenError(err error) error {
	return fmt.Errorf("%s: the Parquet file is broken or not supported: %w", p.file, err)
}

// next returns the names of the columns as the first row, and then the cells of each row.
func (p *parquetReader) next() (r row, err error) {
	defer broken.Recover(&err, p.brokenError) // the Parquet library panics for some broken files
	if !p.namesReturned {
		p.namesReturned = true
		return row{cells: p.names}, nil
	}
	if p.nextError != nil {
		return row{}, p.nextError
	}
	if err := p.beginGroup(); err != nil {
		return row{}, err
	}
	if err := p.ctx.Err(); err != nil {
		return row{}, err
	}
	p.rowsLeft--
	p.line++
	cells, err := p.readCells()
	return row{cells, p.stored, p.line}, err
}

// readCells returns the cells of the next row of the open row group; unused columns have "". If a cell
// cannot be written as text, it returns all other cells and a *rowError. Another error ends the
// reading.
func (p *parquetReader) readCells() ([]string, error) {
	var firstMistake *rowError
	size := 0
	for i, c := range p.chunks {
		if c == nil {
			continue
		}
		v, err := c.Next()
		if err != nil {
			return nil, p.cellError(i, p.line, err)
		}
		p.cells[i] = ""
		if v.IsNull() {
			continue
		}
		p.cells[i], err = p.formatters[i](v)
		if err != nil && firstMistake == nil {
			firstMistake = p.rowError(i, fmt.Errorf("column %s: %w", columnLabel(p.names, i), err))
		}
		size += len(p.cells[i])
		if size > maxRow {
			return nil, p.failf("the row has more than %d MiB", maxRow>>20)
		}
	}
	if firstMistake != nil {
		return p.cells, firstMistake
	}
	return p.cells, nil // not firstMistake: a nil *rowError in an error is not nil
}

// beginGroup makes sure that the open row group has unread rows: it opens the next row group if all rows
// of the open one are read. It returns io.EOF after the last row group.
func (p *parquetReader) beginGroup() error {
	for p.rowsLeft == 0 { // a row group may have no rows
		if len(p.unopenedGroups) == 0 {
			return io.EOF
		}
		if err := p.openGroup(&p.unopenedGroups[0]); err != nil {
			return p.brokenError(err)
		}
		p.unopenedGroups = p.unopenedGroups[1:]
	}
	return nil
}

// openGroup closes the open row group and opens the used columns of the row group g.
func (p *parquetReader) openGroup(g *format.RowGroup) error {
	p.close()
	p.rowsLeft = g.NumRows
	for i, leaf := range p.leaves {
		if !p.used[i] {
			continue
		}
		if leaf.Index() >= len(g.Columns) {
			return fmt.Errorf("a row group lacks column %s", columnLabel(p.names, i))
		}
		chunk, err := pages.NewChunk(p.content, p.size, leaf, &g.Columns[leaf.Index()].MetaData, p.budget)
		if err != nil {
			return fmt.Errorf("column %s: %w", columnLabel(p.names, i), err)
		}
		p.chunks[i] = chunk
	}
	return nil
}

// cellError returns the error for a cell that cannot be read, and for a column that ends too early. Rows
// are counted from 1, columns from 0.
func (p *parquetReader) cellError(column, row int, err error) error {
	if errors.Is(err, io.EOF) {
		return p.brokenError(fmt.Errorf("column %s ends before row %d", columnLabel(p.names, column), row))
	}
	return p.brokenError(fmt.Errorf("column %s, row %d: %w", columnLabel(p.names, column), row, err))
}
