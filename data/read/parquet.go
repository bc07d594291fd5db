package read

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"sml/data/internal/broken"
	"sml/data/internal/pages"
)

// columnar reads the rows of a Parquet file. It reads the used columns side by side, and holds
// one page of each at a time.
type parquetReader struct {
	filePosition // rows
	ctx          context.Context
	parquetFile  *parquet.File
	size         int64

	names      []string
	leaves     []*parquet.Column // one for each name; nil for a column of lists, maps or groups
	formatters []func(parquet.Value) (string, error)
	chunks     []*pages.Chunk // columns of the row group; nil for an unused column
	content    io.ReaderAt
	budget     *pages.Budget

	namesReturned  bool              // whether the names were returned as the first row
	unopenedGroups []format.RowGroup // row groups still to be opened
	rowsLeft       int64             // rows left in the open row group
	nextError      error             // error in the row after the decoded rows; nil if there is none
	cells          []string
	used           []bool
}

// parquetOnDisk reports whether f is a Parquet file that can be read at any offset, and returns
// its size.
func parquetOnDisk(f *os.File) (size int64, ok bool) {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	if at, err := f.Seek(0, io.SeekCurrent); err != nil || at != 0 { // somebody has read its beginning
		return 0, false
	}
	magic := make([]byte, len(parquetMagic))
	if _, err := f.ReadAt(magic, 0); err != nil {
		return 0, false
	}
	return info.Size(), string(magic) == parquetMagic
}

func openParquet(ctx context.Context, r io.ReaderAt, size int64, name string) (_ rowReader, err error) {
	p := &parquetReader{filePosition: filePosition{file: displayName(name), unit: "row"}, ctx: ctx, size: size, content: r, budget: pages.NewBudget(size)}
	defer broken.Recover(&err, p.brokenError)
	if err := pages.CheckFooter(r, size); err != nil {
		return nil, p.brokenError(err)
	}
	p.parquetFile, err = parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, p.brokenError(err)
	}
	p.unopenedGroups = p.parquetFile.Metadata().RowGroups
	for _, c := range p.parquetFile.Root().Columns() {
		if _, ok := isPandasIndex(c.Name()); ok {
			continue
		}
		leaf := c
		var formatter func(parquet.Value) (string, error)
		if !c.Leaf() || c.Repeated() {
			leaf = nil
		} else {
			formatter = formatterFor(c.Type())
		}
		p.names, p.leaves, p.formatters = append(p.names, c.Name()), append(p.leaves, leaf), append(p.formatters, formatter)
	}
	if len(p.names) == 0 {
		return nil, fmt.Errorf("%s: the Parquet file has no columns", p.file)
	}
	p.cells, p.chunks = make([]string, len(p.names)), make([]*pages.Chunk, len(p.names))
	return p, nil
}

// pandasIndex reports whether pandas keeps the labels of a table's rows in the column of that
// name, and returns its number. pandas itself does not read it as a column.
func isPandasIndex(name string) (string, bool) {
	n, ok := strings.CutPrefix(name, "__index_level_")
	return n, ok && strings.HasSuffix(n, "__")
}

func (p *parquetReader) hasNames() bool        { return true }
func (p *parquetReader) delimiterName() string { return "" }
func (p *parquetReader) isReady() bool         { return true }

// offset estimates the number of bytes read, as if all rows had the same length.
func (p *parquetReader) offset() (int64, bool) {
	rows := max(1, p.parquetFile.NumRows())
	return int64(float64(p.size) * float64(min(int64(p.line), rows)) / float64(rows)), true
}

func (p *parquetReader) useColumns(columns []bool) error {
	p.used = columns
	for i, used := range columns {
		if used && p.leaves[i] == nil {
			return fmt.Errorf("%s: column %s: values within values (a list, map or group); a table has one number or text in each cell: take it apart, or leave the column out", p.file, columnLabel(p.names, i))
		}
	}
	return nil
}

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
	return fmt.Errorf("%s: the Parquet file is broken, or of a kind that is not read: %w", p.file, err)
}

func (p *parquetReader) next() (cells []string, err error) {
	defer broken.Recover(&err, p.brokenError)
	if !p.namesReturned {
		p.namesReturned = true
		return p.names, nil
	}
	if p.nextError != nil {
		return nil, p.nextError
	}
	if err := p.beginGroup(); err != nil {
		return nil, err
	}
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	p.rowsLeft--
	p.line++
	var wrong *rowError
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
		if p.cells[i], err = p.formatters[i](v); err != nil && wrong == nil {
			wrong = p.rowError(i, fmt.Errorf("column %s: %w", columnLabel(p.names, i), err))
		}
		if size += len(p.cells[i]); size > maxRow {
			return nil, p.failf("the row has more than %d MiB", maxRow>>20)
		}
	}
	if wrong != nil {
		return p.cells, wrong
	}
	return p.cells, nil
}

// beginGroup opens the next row group if all rows of the open one are read. It returns io.EOF
// after the last row group.
func (p *parquetReader) beginGroup() error {
	for p.rowsLeft == 0 {
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

// open opens the used columns of a row group.
func (p *parquetReader) openGroup(g *format.RowGroup) error {
	p.close()
	p.rowsLeft = g.NumRows
	for i, leaf := range p.leaves {
		if !p.used[i] {
			continue
		}
		if leaf.Index() >= len(g.Columns) {
			return fmt.Errorf("a group of rows lacks column %s", columnLabel(p.names, i))
		}
		chunk, err := pages.NewChunk(p.content, p.size, leaf, &g.Columns[leaf.Index()].MetaData, p.budget)
		if err != nil {
			return fmt.Errorf("column %s: %w", columnLabel(p.names, i), err)
		}
		p.chunks[i] = chunk
	}
	return nil
}

// formatterFor returns a function that writes values of a type as text: a number as the shortest
// text that reads back as the same float64, and dates and times as in ISO 8601, in UTC.
func formatterFor(t parquet.Type) func(parquet.Value) (string, error) {
	whole := func(v parquet.Value) int64 { return v.Int64() }
	if t.Kind() == parquet.Int32 {
		whole = func(v parquet.Value) int64 { return int64(v.Int32()) }
	}
	if l := t.LogicalType(); l != nil {
		switch l := l.Value.(type) {
		case *format.DateType:
			return func(v parquet.Value) (string, error) {
				return time.Unix(0, 0).UTC().AddDate(0, 0, int(v.Int32())).Format(time.DateOnly), nil
			}
		case *format.TimestampType:
			if l.Unit.Value == nil {
				break
			}
			each := int64(time.Second / l.Unit.Value.Duration())
			return func(v parquet.Value) (string, error) {
				n := v.Int64()
				seconds, rest := n/each, n%each
				return formatTime(time.Unix(seconds, rest*(int64(time.Second)/each))), nil
			}
		case *format.TimeType:
			if l.Unit.Value == nil {
				break
			}
			unit := l.Unit.Value.Duration().Seconds()
			return func(v parquet.Value) (string, error) { return formatNumber(float64(whole(v)) * unit), nil }
		case *format.DecimalType:
			return func(v parquet.Value) (string, error) { return formatDecimal(v, whole, int(l.Scale)) }
		case *format.IntType:
			if l.IsSigned {
				break
			}
			if t.Kind() == parquet.Int32 {
				return func(v parquet.Value) (string, error) { return strconv.FormatUint(uint64(v.Uint32()), 10), nil }
			}
			return func(v parquet.Value) (string, error) { return strconv.FormatUint(v.Uint64(), 10), nil }
		case *format.Float16Type:
			return func(v parquet.Value) (string, error) { return formatNumber(decodeFloat16(v.ByteArray())), nil }
		case *format.UUIDType:
			return func(v parquet.Value) (string, error) { return fmt.Sprintf("%x", v.ByteArray()), nil }
		}
	}
	switch t.Kind() {
	case parquet.Boolean:
		return func(v parquet.Value) (string, error) { return strconv.FormatBool(v.Boolean()), nil }
	case parquet.Int32, parquet.Int64:
		return func(v parquet.Value) (string, error) { return strconv.FormatInt(whole(v), 10), nil }
	case parquet.Float:
		return func(v parquet.Value) (string, error) { return formatNumber(float64(v.Float())), nil }
	case parquet.Double:
		return func(v parquet.Value) (string, error) { return formatNumber(v.Double()), nil }
	case parquet.Int96: // nanoseconds of a day, and the day by Julius Scaliger's count
		return func(v parquet.Value) (string, error) {
			n := v.Int96()
			const first = 2440588 // 1970-01-01
			return formatTime(time.Unix((int64(n[2])-first)*24*60*60, int64(n[1])<<32|int64(n[0]))), nil
		}
	}
	return func(v parquet.Value) (string, error) {
		text := string(v.ByteArray())
		if !utf8.ValidString(text) {
			return "", errors.New("bytes that are no text in UTF-8; leave the column out")
		}
		return strings.TrimSpace(text), nil
	}
}

// moment returns a date with its time, in UTC and without a time zone.
func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.999999999") }

// maxDecimals and maxDecimalBytes bound decimal numbers: 76 digits fit into 32 bytes, which
// is the widest decimal that programs write.
const (
	maxDecimals     = 76
	maxDecimalBytes = 32
)

// decimal returns a decimal number in full, without an exponent and without zeros behind
// its last decimal.
func formatDecimal(v parquet.Value, whole func(parquet.Value) int64, scale int) (string, error) {
	n := new(big.Int)
	switch v.Kind() {
	case parquet.Int32, parquet.Int64:
		n.SetInt64(whole(v))
	default: // two's complement, the first byte the highest
		b := v.ByteArray()
		if len(b) > maxDecimalBytes {
			return "", fmt.Errorf("a decimal number of %d bytes; leave the column out", len(b))
		}
		n.SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	if scale < 0 || scale > maxDecimals {
		return "", fmt.Errorf("a decimal number with %d decimals; leave the column out", scale)
	}
	return insertDecimalPoint(n.String(), scale), nil
}

// insertPoint divides a whole number by 10 to the power of scale, from 0.
func insertDecimalPoint(whole string, scale int) string {
	digits, negative := strings.CutPrefix(whole, "-")
	if scale > 0 {
		if missing := scale + 1 - len(digits); missing > 0 {
			digits = strings.Repeat("0", missing) + digits
		}
		at := len(digits) - scale
		digits = strings.TrimRight(strings.TrimRight(digits[:at]+"."+digits[at:], "0"), ".")
	}
	if negative {
		return "-" + digits
	}
	return digits
}

// float16 returns the value of a float of 16 bits, and NaN if b has another length.
func decodeFloat16(b []byte) float64 {
	if len(b) != 2 {
		return math.NaN()
	}
	bits := uint16(b[0]) | uint16(b[1])<<8
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	v := 0.0
	switch exponent {
	case 0:
		v = math.Ldexp(fraction, -24)
	case 31:
		v = math.Inf(1)
		if fraction != 0 {
			v = math.NaN()
		}
	default:
		v = math.Ldexp(1024+fraction, exponent-25)
	}
	if bits>>15 != 0 {
		v = -v
	}
	return v
}

// cellError returns the error for a cell. Rows are counted from 1, columns from 0.
func (p *parquetReader) cellError(column, row int, err error) error {
	if errors.Is(err, io.EOF) {
		return p.brokenError(fmt.Errorf("column %s ends before row %d", columnLabel(p.names, column), row))
	}
	return p.brokenError(fmt.Errorf("column %s, row %d: %w", columnLabel(p.names, column), row, err))
}
