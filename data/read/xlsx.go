package read

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"sml/data/internal/xlsx"
)

// sheetReader reads the rows of a sheet of an .xlsx workbook.
type sheetReader struct {
	filePosition  // counts rows
	ctx           context.Context
	book          *xlsx.Book
	rows          *xlsx.Rows
	cells         []string // row that next returned last
	stored        []bool   // whether each of cells is stored as a number
	firstRowWidth int      // number of cells of the first row; 0 before it is read
}

// openSheet opens the sheet with the given name, or the first sheet if sheet is "". In the latter case
// it adds a remark for the user if there are several sheets. It returns an error if there is no such
// sheet or the workbook is broken. name is the name of the file.
func openSheet(ctx context.Context, archive *zip.Reader, name, sheet string) (rowReader, error) {
	s := &sheetReader{filePosition: filePosition{file: displayName(name), unit: "row"}, ctx: ctx}
	var err error
	s.book, err = xlsx.Open(archive)
	if err != nil {
		return nil, s.brokenError(err)
	}
	sheets := s.book.Sheets()
	if len(sheets) == 0 {
		return nil, fmt.Errorf("%s: the workbook has no sheets", s.file)
	}
	if sheet == "" {
		sheet = sheets[0]
		if len(sheets) > 1 {
			s.addRemark("the first of the sheets %s is read; name another as FILE.xlsx#%s", listNames(sheets), sheets[1])
		}
	}
	if !slices.Contains(sheets, sheet) {
		return nil, fmt.Errorf("%s: there is no sheet %s; want one of %s", s.file, shortName(sheet), listNames(sheets))
	}
	s.rows, err = s.book.Rows(sheet)
	if err != nil {
		return nil, s.brokenError(err)
	}
	return s, nil
}

func (s *sheetReader) useColumns([]bool) error { return nil }
func (s *sheetReader) hasNames() bool          { return false }
func (s *sheetReader) delimiterName() string   { return "" }
func (s *sheetReader) offset() (int64, bool)   { return 0, false }
func (s *sheetReader) isReady() bool           { return true }
func (s *sheetReader) close()                  { s.rows.Close() }

// brokenError returns the error for a workbook that cannot be read.
func (s *sheetReader) brokenError(err error) error {
	return fmt.Errorf("%s: the workbook is broken or not supported: %w", s.file, err)
}

// next returns the cells of the next row with a text. Rows have at least as many cells as
// the first one: a sheet does not store empty cells at the end of a row.
func (s *sheetReader) next() (row, error) {
	for {
		if err := s.ctx.Err(); err != nil {
			return row{}, err
		}
		number, cells, err := s.rows.Next()
		if err == io.EOF {
			return row{}, err
		}
		if err != nil {
			return row{}, s.brokenError(err)
		}
		s.line = number
		s.setCells(cells)
		if len(s.cells) == 0 {
			continue
		}
		if s.firstRowWidth == 0 {
			s.firstRowWidth = len(s.cells)
		}
		for len(s.cells) < s.firstRowWidth {
			s.cells = append(s.cells, "")
			s.stored = append(s.stored, false)
		}
		return row{s.cells, s.stored, s.line}, nil
	}
}

// setCells sets s.cells to the texts of the cells, up to the last cell with a text.
func (s *sheetReader) setCells(cells []xlsx.Cell) {
	s.cells = s.cells[:0]
	s.stored = s.stored[:0]
	filled := 0
	for i, cell := range cells {
		text := s.cellText(cell)
		s.cells = append(s.cells, text)
		s.stored = append(s.stored, cell.Number)
		if text != "" {
			filled = i + 1
		}
	}
	s.cells = s.cells[:filled]
	s.stored = s.stored[:filled]
}

// cellText returns a cell as text: a number as the shortest text that reads back as the same
// float64, a percentage with its sign, and a date or a time as in ISO 8601.
func (s *sheetReader) cellText(cell xlsx.Cell) string {
	text := strings.TrimSpace(cell.Text)
	if !cell.Number {
		return text
	}
	v, isNumber, _ := parseNumber(text)
	if !isNumber { // a mistake in the file, which the reader of the column reports
		return text
	}
	isDate := cell.Format == xlsx.Day || cell.Format == xlsx.Moment
	switch {
	case cell.Format == xlsx.Percentage:
		return formatPercentage(v)
	case cell.Format == xlsx.Clock && v >= 0 && v < 1:
		return time.UnixMilli(int64(math.Round(float64(v * millisecondsPerDay)))).UTC().Format(clockLayout)
	case isDate && v >= 0 && v <= maxSerial:
		storesTime := v != math.Floor(v) // though the cell may show the day alone
		return s.formatSerial(v, storesTime || cell.Format == xlsx.Moment)
	case isPlainInteger(text):
		return text // in full, though a float64 may have fewer digits
	}
	return formatNumber(v)
}

// isPlainInteger reports whether text is digits without a leading zero, perhaps after a minus.
func isPlainInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if strings.Trim(digits, "0123456789") != "" {
		return false
	}
	return digits == "0" || !strings.HasPrefix(digits, "0")
}

// maxSerial is the serial number of the last date of workbooks, 9999-12-31.
const maxSerial = 2958465

const millisecondsPerDay = 86_400_000

// formatSerial returns a date, with its time if hasTime is true. A workbook stores a date as its serial number, at most
// maxSerial: the number of days since a base date, with the time of day as a fraction, which is rounded to milliseconds.
//
// The base date depends on the workbook. Workbooks that count from 1900 have a 29 February 1900, as Lotus 1-2-3 did. It is
// not a date, and later refused as such; the days before it count from a day later.
func (s *sheetReader) formatSerial(serial float64, hasTime bool) string {
	const leapDay1900 = 60
	days := math.Floor(serial)
	milliseconds := math.Round(float64((serial - days) * millisecondsPerDay))
	date := time.Date(1899, 12, 30+int(days), 0, 0, 0, 0, time.UTC)
	switch {
	case s.book.From1904:
		date = time.Date(1904, 1, 1+int(days), 0, 0, 0, 0, time.UTC)
	case days == leapDay1900 && hasTime:
		return "1900-02-29 00:00:00"
	case days == leapDay1900:
		return "1900-02-29"
	case days < leapDay1900:
		date = date.AddDate(0, 0, 1)
	}
	if !hasTime {
		return date.Format(time.DateOnly)
	}
	return formatTime(date.Add(time.Duration(milliseconds) * time.Millisecond))
}

// formatPercentage writes a fraction with a percent sign, so that parsePercentage reads back the
// same number. It moves the decimal point of the shortest digits of v by two places; a product
// with 100 would be rounded.
func formatPercentage(v float64) string {
	if v == 0 {
		return "0%"
	}
	mantissa, exponentText, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	whole, decimals, _ := strings.Cut(mantissa, ".")
	exponent, _ := strconv.Atoi(exponentText)
	digits := whole + decimals
	decimalPlaces := len(decimals) - exponent - 2 // 2 less, for the factor 100
	if decimalPlaces < 0 {
		digits += strings.Repeat("0", -decimalPlaces)
	}
	return insertDecimalPoint(digits, decimalPlaces) + "%"
}
