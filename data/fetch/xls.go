package fetch

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/richardlehane/mscfb"

	"sml/data/internal/broken"
)

// An .xls file is a compound file ([MS-CFB]) with a stream named Workbook or Book. The stream is in
// the Binary Interchange File Format ([MS-XLS]): a list of records, each with a two-byte identifier,
// a two-byte size and a body. One part of the stream describes the workbook and the offsets of its
// sheets; one part for each sheet has the cells. Numbers are little-endian.

// Identifiers of records, by [MS-XLS] 2.3.
const (
	biffFormula  = 0x0006 // a cell with a formula and its result
	biffEOF      = 0x000A // end of a part of the stream
	biffPassword = 0x002F // encryption of the records after it
	biffSheet    = 0x0085 // name, type and offset of a sheet
	biffMulRK    = 0x00BD // successive cells of a row with numbers in the RK format
	biffText     = 0x00FD // a cell with a text of the workbook's list of texts
	biffNumber   = 0x0203 // a cell with a float64
	biffLabel    = 0x0204 // a cell with a text of its own
	biffBoolean  = 0x0205 // a cell with a truth value or an error
	biffRK       = 0x027E // a cell with a number in the RK format
	biffBOF      = 0x0809 // beginning of a part of the stream
)

// cell is a cell of a sheet with a value.
type cell struct {
	row, column uint16 // from 0
	value       float64
	isText      bool // whether the cell has a text, a truth value or an error in place of a number
}

// readXLS passes the rows of the first sheet of a workbook of Excel 97 to 2003 to addSample, row by
// row: its numbers and the results of its formulas. The word "text" stands for every text.
func (f File) readXLS(content []byte, addSample sampleFunc) error {
	stream, err := readWorkbookStream(content, f.maxSize())
	if err != nil {
		return err
	}
	cells, err := readFirstSheet(stream)
	if err != nil {
		return brokenXLS(err)
	}
	slices.SortStableFunc(cells, func(a, b cell) int { // records may be in another order
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.column, b.column))
	})
	var fields []string // of the current row
	for i, c := range cells {
		if int(c.row) < f.Skip {
			continue
		}
		for len(fields) <= int(c.column) {
			fields = append(fields, "")
		}
		fields[c.column] = "text"
		if !c.isText {
			fields[c.column] = strconv.FormatFloat(c.value, 'g', -1, 64)
		}
		isLastOfRow := i+1 == len(cells) || cells[i+1].row != c.row
		if isLastOfRow {
			if err := addSample(int(c.row)+1, fields); err != nil {
				return err
			}
			fields = fields[:0]
		}
	}
	return nil
}

// brokenXLS returns the error for a file that is not as [MS-XLS] says.
func brokenXLS(err error) error { return fmt.Errorf("the .xls file is broken: %w", err) }

// readWorkbookStream returns the stream with the workbook from a compound file, at most maxSize
// bytes of it.
func readWorkbookStream(content []byte, maxSize int64) (stream []byte, err error) {
	defer broken.Recover(&err, brokenXLS)
	file, err := mscfb.New(bytes.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("this is not an .xls file: %w", err)
	}
	for _, entry := range file.File {
		if entry.Name == "Workbook" || entry.Name == "Book" {
			maxSize = min(maxSize, int64(len(content))) // no stream is longer than its file
			stream, err := io.ReadAll(io.LimitReader(entry, maxSize))
			if err != nil {
				return nil, brokenXLS(err)
			}
			return stream, nil
		}
	}
	return nil, errors.New("this is not an .xls file: it has no workbook")
}

// readFirstSheet returns the cells of the first work sheet of a workbook, in the order of the stream.
func readFirstSheet(stream []byte) ([]cell, error) {
	start, err := findFirstSheet(stream)
	if err != nil {
		return nil, err
	}
	var cells []cell
	err = eachRecord(stream, start, func(id uint16, body []byte) error {
		var err error
		cells, err = appendCells(cells, id, body)
		return err
	})
	return cells, err
}

// findFirstSheet returns the offset of the first work sheet in the stream.
func findFirstSheet(stream []byte) (start int, err error) {
	const (
		minSize    = 6 // bytes of a sheet's record
		typeOffset = 5 // of the sheet's type in the record; the sheet's offset is at 0
		workSheet  = 0 // type of a sheet that is not a chart, a macro or a module
	)
	start = -1 // not found yet
	err = eachRecord(stream, 0, func(id uint16, body []byte) error {
		switch {
		case id == biffPassword:
			return errors.New("it has a password")
		case id == biffSheet && len(body) < minSize:
			return errShortRecord
		case id == biffSheet && start < 0 && body[typeOffset] == workSheet:
			start = int(binary.LittleEndian.Uint32(body))
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	if start < 0 || start >= len(stream) {
		return 0, errors.New("it has no work sheet")
	}
	return start, nil
}

// errShortRecord is the error for a record that ends before its values do.
var errShortRecord = errors.New("a record is too short")

// eachRecord calls visit with the records of the part of a stream that begins at start, up to the first
// error of visit. A part begins with a BOF record and ends with an EOF record. It returns an error if
// the part is cut off.
func eachRecord(stream []byte, start int, visit func(id uint16, body []byte) error) error {
	const headerSize = 4 // bytes of identifier and size
	rest := stream[start:]
	for isFirst := true; ; isFirst = false {
		if len(rest) < headerSize {
			return errors.New("it ends too early")
		}
		id := binary.LittleEndian.Uint16(rest)
		size := int(binary.LittleEndian.Uint16(rest[2:]))
		rest = rest[headerSize:]
		if size > len(rest) {
			return errors.New("it ends too early")
		}
		if isFirst && id != biffBOF {
			return errors.New("it is not from Excel 5.0 to 2003")
		}
		if id == biffEOF {
			return nil
		}
		if err := visit(id, rest[:size]); err != nil {
			return err
		}
		rest = rest[size:]
	}
}

// cellHeaderSize is the number of bytes at the start of a record with cells: the row, the column and
// the format of the first cell, two bytes each.
const cellHeaderSize = 6

// minCellRecordSize is the minimum number of bytes in the body of each kind of record with cells.
var minCellRecordSize = map[uint16]int{
	biffNumber:  cellHeaderSize + float64Size,
	biffFormula: cellHeaderSize + float64Size,
	biffRK:      cellHeaderSize + rkSize,
	biffMulRK:   cellHeaderSize,
	biffText:    cellHeaderSize,
	biffLabel:   cellHeaderSize,
	biffBoolean: cellHeaderSize,
}

// appendCells appends the cells of a record, which has none if it is of another kind. It returns an
// error if the record is too short.
func appendCells(cells []cell, id uint16, body []byte) ([]cell, error) {
	minSize, hasCells := minCellRecordSize[id]
	if !hasCells {
		return cells, nil
	}
	if len(body) < minSize {
		return cells, errShortRecord
	}
	c := cell{
		row:    binary.LittleEndian.Uint16(body),
		column: binary.LittleEndian.Uint16(body[2:]),
	}
	value := body[cellHeaderSize:]
	switch id {
	case biffNumber:
		c.value = parseFloat64(value)
	case biffFormula:
		c.value = parseFloat64(value)
		c.isText = value[6] == 0xFF && value[7] == 0xFF // marks a result that is not a number
	case biffRK:
		c.value = parseRK(value)
	case biffMulRK:
		return appendRKCells(cells, c, body), nil
	default:
		c.isText = true
	}
	return append(cells, c), nil
}

// appendRKCells appends the cells of a record with several cells of one row. c is the first of them, still
// without its value.
func appendRKCells(cells []cell, c cell, body []byte) []cell {
	const (
		firstCell      = 4 // offset in the body, after the row and the column
		formatSize     = 2 // bytes of a cell's format, which its value follows
		cellSize       = formatSize + rkSize
		lastColumnSize = 2 // bytes of the last column's number, after the last cell
	)
	for rest := body[firstCell:]; len(rest) >= cellSize+lastColumnSize; rest = rest[cellSize:] {
		c.value = parseRK(rest[formatSize:])
		cells = append(cells, c)
		c.column++
	}
	return cells
}

// float64Size and rkSize are the numbers of bytes of a number as a float64 and in the RK format.
const (
	float64Size = 8
	rkSize      = 4
)

// parseFloat64 returns the float64 in the first eight bytes of b.
func parseFloat64(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }

// parseRK returns the number in the RK format ([MS-XLS] 2.5.217) in the first four bytes of b. Its upper
// 30 bits are an integer or the upper bits of a float64, whose other bits are 0. The lowest two bits
// are flags.
func parseRK(b []byte) float64 {
	const (
		hundredfoldFlag = 1 // the stored number is 100 times the value
		integerFlag     = 2 // the stored number is an integer
		flagBits        = 2
		flagMask        = 1<<flagBits - 1
	)
	bits := binary.LittleEndian.Uint32(b)
	var v float64
	if bits&integerFlag != 0 {
		v = float64(int32(bits) >> flagBits) // the shift of a signed number keeps its sign
	} else {
		v = math.Float64frombits(uint64(bits&^flagMask) << 32)
	}
	if bits&hundredfoldFlag != 0 {
		v /= 100
	}
	return v
}
