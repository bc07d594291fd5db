package fetch

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/richardlehane/mscfb"

	"sml/data/internal/broken"
)

// An .xls file is a compound file ([MS-CFB]) with a stream named Workbook. The stream is in the Binary Interchange File
// Format ([MS-XLS]): a list of records, each with a two-byte identifier, a two-byte size and a body. A part of the stream
// for each sheet has the cells. Numbers are little-endian.

// Identifiers of records, by [MS-XLS] 2.3.
const (
	biffFormula = 0x0006 // a cell with a formula and its result
	biffEOF     = 0x000A // end of a part of the stream
	biffMulRK   = 0x00BD // successive cells of a row with numbers in the RK format
	biffNumber  = 0x0203 // a cell with a float64
	biffRK      = 0x027E // a cell with a number in the RK format
	biffBOF     = 0x0809 // beginning of a part of the stream
)

// Offsets and sizes within a record, in bytes. A record of cells has the row and the column of the first cell, and then a
// format and a number for each cell.
const (
	sizeAt     = 2 // after the identifier
	headerSize = 4 // the identifier and the size; the body follows

	columnAt = 2 // in the body, after the row
	cellsAt  = 4

	formatSize  = 2
	float64Size = 8
	rkSize      = 4 // of a number in the RK format
)

// readXLS appends the rows of the first sheet of a workbook of Excel 97 to 2003 to the table, in the order of the stream:
// its numbers and the results of its formulas. Other cells are empty. Only concrete, which no archive has in full
// precision as text, needs this format. Its checksum shows whether a number is missing.
func (c *converter) readXLS(content []byte) error {
	stream, err := readWorkbookStream(content)
	if err != nil {
		return err
	}
	row := -1
	var fields []string // of this row
	endRow := func() error {
		if row < c.file.Skip || len(fields) == 0 {
			return nil
		}
		return c.addSample(row+1, fields)
	}
	err = eachNumber(stream, func(r, column int, v float64) error {
		if r != row {
			if err := endRow(); err != nil {
				return err
			}
			row = r
			fields = fields[:0]
		}
		for len(fields) < column {
			fields = append(fields, "")
		}
		fields = append(fields, strconv.FormatFloat(v, 'g', -1, 64))
		return nil
	})
	if err != nil {
		return err
	}
	return endRow()
}

// brokenXLS returns the error for a file that is not as [MS-XLS] says.
func brokenXLS(err error) error { return fmt.Errorf("the .xls file is broken: %w", err) }

// readWorkbookStream returns the stream with the workbook from a compound file.
func readWorkbookStream(content []byte) (stream []byte, err error) {
	defer broken.Recover(&err, brokenXLS)
	file, err := mscfb.New(bytes.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("this is not an .xls file: %w", err)
	}
	for _, entry := range file.File {
		if entry.Name == "Workbook" {
			stream, err := io.ReadAll(io.LimitReader(entry, int64(len(content)))) // no stream is longer than its file
			if err != nil {
				return nil, brokenXLS(err)
			}
			return stream, nil
		}
	}
	return nil, errors.New("this is not an .xls file: it has no workbook")
}

// eachNumber calls visit with the numbers of the first sheet in a workbook's stream, and their rows and columns from 0. It
// ends at the first error of visit. It returns an error if the stream ends within the sheet.
func eachNumber(stream []byte, visit func(row, column int, v float64) error) error {
	isSheet := false // whether the record is in the part of the first sheet
	for len(stream) >= headerSize {
		id := binary.LittleEndian.Uint16(stream)
		size := int(binary.LittleEndian.Uint16(stream[sizeAt:]))
		stream = stream[headerSize:]
		if size > len(stream) {
			break
		}
		body := stream[:size]
		stream = stream[size:]
		switch {
		case id == biffBOF && isWorkSheet(body):
			isSheet = true
		case id == biffEOF && isSheet:
			return nil
		case isSheet:
			for i, v := range parseNumbers(id, body) {
				row := binary.LittleEndian.Uint16(body)
				column := binary.LittleEndian.Uint16(body[columnAt:])
				if err := visit(int(row), int(column)+i, v); err != nil {
					return err
				}
			}
		}
	}
	return brokenXLS(io.ErrUnexpectedEOF)
}

// isWorkSheet reports whether the body of a biffBOF begins a sheet with cells, and not the whole workbook or a chart.
func isWorkSheet(body []byte) bool {
	const (
		kindAt    = 2 // offset of the kind of a part
		workSheet = 0x0010
	)
	return len(body) >= kindAt+2 && binary.LittleEndian.Uint16(body[kindAt:]) == workSheet
}

// parseNumbers returns the numbers of a record: the cells of a row from a column on. It returns none for a record of
// another kind, or one that is too short.
func parseNumbers(id uint16, body []byte) (numbers []float64) {
	const numberAt = cellsAt + formatSize // offset of the first number
	switch {
	case (id == biffNumber || id == biffFormula) && len(body) >= numberAt+float64Size:
		return []float64{math.Float64frombits(binary.LittleEndian.Uint64(body[numberAt:]))} // NaN for a formula that returns a text
	case id == biffRK && len(body) >= numberAt+rkSize:
		return []float64{parseRK(body[numberAt:])}
	case id == biffMulRK && len(body) >= cellsAt:
		const cellSize = formatSize + rkSize
		for cells := body[cellsAt:]; len(cells) > cellSize; cells = cells[cellSize:] { // the last column follows the cells
			numbers = append(numbers, parseRK(cells[formatSize:]))
		}
	}
	return numbers
}

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
	v := math.Float64frombits(uint64(bits&^flagMask) << 32)
	if bits&integerFlag != 0 {
		v = float64(int32(bits) >> flagBits) // the shift of a signed number keeps its sign
	}
	if bits&hundredfoldFlag != 0 {
		v /= 100
	}
	return v
}
