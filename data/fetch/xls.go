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

// Records of the Binary Interchange File Format, by [MS-XLS] 2.3.
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

// cell is a cell of a sheet that holds something.
type cell struct {
	row, column uint16
	value       float64
	text        bool // or what else is no number
}

// readXLS reads the first sheet of a workbook of Excel 97 to 2003: its numbers, and
// the numbers that its formulas came to. Of texts it tells no more than that they are
// there.
func (f File) readXLS(content []byte, each sample) error {
	stream, err := workbook(content, f.maxSize())
	if err != nil {
		return err
	}
	cells, err := firstSheet(stream)
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
		if !c.text {
			fields[c.column] = strconv.FormatFloat(c.value, 'g', -1, 64)
		}
		if i+1 == len(cells) || cells[i+1].row != c.row {
			if err := each(int(c.row)+1, fields); err != nil {
				return err
			}
			fields = fields[:0]
		}
	}
	return nil
}

func brokenXLS(err error) error { return fmt.Errorf("the .xls file is broken: %w", err) }

// workbook is the stream of that name in a compound file.
func workbook(content []byte, most int64) (stream []byte, err error) {
	defer broken.Recover(&err, brokenXLS)
	file, err := mscfb.New(bytes.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("this is no .xls file: %w", err)
	}
	for _, entry := range file.File {
		if entry.Name == "Workbook" || entry.Name == "Book" {
			stream, err := io.ReadAll(io.LimitReader(entry, min(most, int64(len(content))))) // no stream is longer than its file
			if err != nil {
				return nil, brokenXLS(err)
			}
			return stream, nil
		}
	}
	return nil, errors.New("this is no .xls file: it has no workbook")
}

// firstSheet returns the cells of the first work sheet of a workbook.
func firstSheet(stream []byte) ([]cell, error) {
	start := -1
	err := records(stream, 0, func(id uint16, body []byte) error {
		switch {
		case id == biffPassword:
			return errors.New("it has a password")
		case id == biffSheet && len(body) < 6:
			return errShort
		case id == biffSheet && start < 0 && body[5] == 0: // a work sheet, no chart or macro
			start = int(binary.LittleEndian.Uint32(body))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if start < 0 || start >= len(stream) {
		return nil, errors.New("it has no work sheet")
	}
	var cells []cell
	err = records(stream, start, func(id uint16, body []byte) error {
		read, known := cellRecords[id]
		if !known {
			return nil
		}
		if len(body) < 6 {
			return errShort
		}
		row, column := binary.LittleEndian.Uint16(body), binary.LittleEndian.Uint16(body[2:])
		var err error
		cells, err = read(cells, row, column, body)
		return err
	})
	return cells, err
}

var errShort = errors.New("a record is too short")

// records calls each with the records of one part of a stream, which begins with a
// BOF and ends with an EOF.
func records(stream []byte, at int, each func(id uint16, body []byte) error) error {
	for first := true; ; first = false {
		if len(stream)-at < 4 {
			return errors.New("it ends too early")
		}
		id, size := binary.LittleEndian.Uint16(stream[at:]), int(binary.LittleEndian.Uint16(stream[at+2:]))
		at += 4
		if size > len(stream)-at {
			return errors.New("it ends too early")
		}
		if first && id != biffBOF {
			return errors.New("it is not of Excel 5.0 to 2003")
		}
		if id == biffEOF {
			return nil
		}
		if err := each(id, stream[at:at+size]); err != nil {
			return err
		}
		at += size
	}
}

// cellRecords append the cells of a record. Its body begins with row, column and
// format of the first.
var cellRecords = map[uint16]func(cells []cell, row, column uint16, body []byte) ([]cell, error){
	biffNumber: func(cells []cell, row, column uint16, body []byte) ([]cell, error) {
		if len(body) < 14 {
			return cells, errShort
		}
		return append(cells, cell{row, column, float(body[6:]), false}), nil
	},
	biffRK: func(cells []cell, row, column uint16, body []byte) ([]cell, error) {
		if len(body) < 10 {
			return cells, errShort
		}
		return append(cells, cell{row, column, rk(body[6:]), false}), nil
	},
	biffMulRK: func(cells []cell, row, column uint16, body []byte) ([]cell, error) {
		for body = body[4:]; len(body) >= 8; body = body[6:] { // a format and a value each, then the last column
			cells = append(cells, cell{row, column, rk(body[2:]), false})
			column++
		}
		return cells, nil
	},
	biffFormula: func(cells []cell, row, column uint16, body []byte) ([]cell, error) {
		if len(body) < 14 {
			return cells, errShort
		}
		noNumber := body[12] == 0xFF && body[13] == 0xFF
		return append(cells, cell{row, column, float(body[6:]), noNumber}), nil
	},
	biffText: textCell, biffLabel: textCell, biffBoolean: textCell,
}

func textCell(cells []cell, row, column uint16, _ []byte) ([]cell, error) {
	return append(cells, cell{row, column, 0, true}), nil
}

func float(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }

// rk is a number in 30 bits: a whole number, or the upper half of a float64; the
// lowest bit says that it is to be divided by 100.
func rk(b []byte) float64 {
	bits := binary.LittleEndian.Uint32(b)
	v := math.Float64frombits(uint64(bits&^3) << 32)
	if bits&2 != 0 {
		v = float64(int32(bits) >> 2)
	}
	if bits&1 != 0 {
		v /= 100
	}
	return v
}
