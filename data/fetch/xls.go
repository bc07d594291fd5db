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
	biffFormula  = 0x0006
	biffEOF      = 0x000A
	biffPassword = 0x002F
	biffSheet    = 0x0085
	biffMulRK    = 0x00BD
	biffText     = 0x00FD
	biffNumber   = 0x0203
	biffLabel    = 0x0204
	biffBoolean  = 0x0205
	biffRK       = 0x027E
	biffBOF      = 0x0809
)

// cell is a cell of a sheet that is not empty.
type cell struct {
	row, column uint16 // from 0
	value       float64
	isText      bool // whether the cell has a text, a truth value or an error in place of a number
}

// readXLS passes the rows of the first sheet of a workbook of Excel 97 to 2003 to addSample: its
// numbers and the results of its formulas. The word "text" stands for every text.
func (f File) readXLS(content []byte, addSample sampleFunc) error {
	stream, err := readWorkbookStream(content, f.maxSize())
	if err != nil {
		return err
	}
	cells, err := readFirstSheet(stream)
	if err != nil {
		return brokenXLS(err)
	}
	slices.SortStableFunc(cells, func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.column, b.column))
	})
	var fields []string
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

// readFirstSheet returns the cells of the first work sheet of a workbook.
func readFirstSheet(stream []byte) ([]cell, error) {
	start, err := findFirstSheet(stream)
	if err != nil {
		return nil, err
	}
	var cells []cell
	err = eachRecord(stream, start, func(id uint16, body []byte) error {
		appendCells, isCell := cellRecords[id]
		if !isCell {
			return nil
		}
		if len(body) < 6 {
			return errShortRecord
		}
		row, column := binary.LittleEndian.Uint16(body), binary.LittleEndian.Uint16(body[2:])
		var err error
		cells, err = appendCells(cells, row, column, body)
		return err
	})
	return cells, err
}

// findFirstSheet returns the offset of the first work sheet in the stream.
func findFirstSheet(stream []byte) (start int, err error) {
	const workSheet = 0 // type of a sheet that is not a chart, a macro or a module
	start = -1
	err = eachRecord(stream, 0, func(id uint16, body []byte) error {
		switch {
		case id == biffPassword:
			return errors.New("it has a password")
		case id == biffSheet && len(body) < 6:
			return errShortRecord
		case id == biffSheet && start < 0 && body[5] == workSheet:
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

var errShortRecord = errors.New("a record is too short")

// eachRecord calls visit with the records of the part of a stream that begins at start. A part
// begins with a BOF record and ends with an EOF record.
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

// cellRecords has, for each kind of record with cells, a function that appends the cells. The body
// begins with the row, the column and the format of the first cell, two bytes each.
var cellRecords = map[uint16]func(cells []cell, row, column uint16, body []byte) ([]cell, error){
	biffNumber: func(cells []cell, row, column uint16, body []byte) ([]cell, error) {
		if len(body) < 14 {
			return cells, errShortRecord
		}
		return append(cells, cell{row, column, parseFloat64(body[6:]), false}), nil
	},
	biffRK: func(cells []cell, row, column uint16, body []byte) ([]cell, error) {
		if len(body) < 10 {
			return cells, errShortRecord
		}
		return append(cells, cell{row, column, parseRK(body[6:]), false}), nil
	},
	biffMulRK: func(cells []cell, row, column uint16, body []byte) ([]cell, error) {
		// Each cell has a format in two bytes and a value in four. The last column's number, in two
		// bytes, follows the last cell.
		const cellSize, lastColumnSize = 6, 2
		for body = body[4:]; len(body) >= cellSize+lastColumnSize; body = body[cellSize:] {
			cells = append(cells, cell{row, column, parseRK(body[2:]), false})
			column++
		}
		return cells, nil
	},
	biffFormula: func(cells []cell, row, column uint16, body []byte) ([]cell, error) {
		if len(body) < 14 {
			return cells, errShortRecord
		}
		isText := body[12] == 0xFF && body[13] == 0xFF // the result is not a number
		return append(cells, cell{row, column, parseFloat64(body[6:]), isText}), nil
	},
	biffText:    appendTextCell,
	biffLabel:   appendTextCell,
	biffBoolean: appendTextCell,
}

// appendTextCell appends a cell without a number.
func appendTextCell(cells []cell, row, column uint16, _ []byte) ([]cell, error) {
	return append(cells, cell{row, column, 0, true}), nil
}

// parseFloat64 returns the number in the first eight bytes.
func parseFloat64(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }

// parseRK returns a number in the RK format ([MS-XLS] 2.5.217). Its upper 30 bits are an integer or
// the upper bits of a float64. The lowest two bits are flags.
func parseRK(b []byte) float64 {
	const (
		isHundredfold = 1 // the value is to be divided by 100
		isInteger     = 2
	)
	bits := binary.LittleEndian.Uint32(b)
	v := math.Float64frombits(uint64(bits&^3) << 32)
	if bits&isInteger != 0 {
		v = float64(int32(bits) >> 2)
	}
	if bits&isHundredfold != 0 {
		v /= 100
	}
	return v
}
