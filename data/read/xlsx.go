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

// sheet reads the rows of a sheet of an .xlsx workbook.
type sheetReader struct {
	filePosition  // rows
	ctx           context.Context
	book          *xlsx.Book
	rows          *xlsx.Rows
	cells         []string
	firstRowWidth int // number of cells of the first row; 0 before it is read
}

func openSheet(ctx context.Context, archive *zip.Reader, name, wanted string) (rowReader, error) {
	s := &sheetReader{filePosition: filePosition{file: displayName(name), unit: "row"}, ctx: ctx}
	var err error
	if s.book, err = xlsx.Open(archive); err != nil {
		return nil, s.brokenError(err)
	}
	sheets := s.book.Sheets()
	if len(sheets) == 0 {
		return nil, fmt.Errorf("%s: the workbook has no sheets", s.file)
	}
	if wanted == "" {
		wanted = sheets[0]
		if len(sheets) > 1 {
			s.remark = fmt.Sprintf("%s: the first sheet is read, of %s; another is named as FILE.xlsx#%s", s.file, listNames(sheets), sheets[1])
		}
	}
	if !slices.Contains(sheets, wanted) {
		return nil, fmt.Errorf("%s: there is no sheet %s; there is %s", s.file, shortName(wanted), listNames(sheets))
	}
	if s.rows, err = s.book.Rows(wanted); err != nil {
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
	return fmt.Errorf("%s: the workbook is broken, or of a kind that is not read: %w", s.file, err)
}

func (s *sheetReader) next() ([]string, error) {
	for {
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		row, cells, err := s.rows.Next()
		if err == io.EOF {
			return nil, err
		}
		if err != nil {
			return nil, s.brokenError(err)
		}
		s.line = row
		s.cells = s.cells[:0]
		filled := 0
		for i, cell := range cells {
			text := s.cellText(cell)
			s.cells = append(s.cells, text)
			if text != "" {
				filled = i + 1
			}
		}
		if filled == 0 {
			continue
		}
		if s.firstRowWidth == 0 {
			s.firstRowWidth = filled
		}
		s.cells = s.cells[:filled]
		for len(s.cells) < s.firstRowWidth { // empty cells at the end of a row are not stored
			s.cells = append(s.cells, "")
		}
		return s.cells, nil
	}
}

// textOf returns a cell as text: a number by the shortest text that reads back as the same,
// a percentage with its sign, and dates as in ISO 8601.
func (s *sheetReader) cellText(cell xlsx.Cell) string {
	text := strings.TrimSpace(cell.Text)
	if !cell.Number {
		return text
	}
	v, ok, _ := parseNumber(text)
	if !ok {
		return text
	}
	switch cell.Format {
	case xlsx.Percentage:
		return formatPercentage(v)
	case xlsx.Day, xlsx.Moment:
		if at, ok := s.decodeSerial(v); ok && cell.Format == xlsx.Day {
			return at.formatDay()
		} else if ok {
			return at.formatTime()
		}
	}
	if whole := strings.TrimPrefix(text, "-"); strings.Trim(whole, "0123456789") == "" && (whole == "0" || whole[0] != '0') {
		return text // in full, though a float64 may have fewer digits
	}
	return formatNumber(v)
}

// serial is a date of a workbook.
type serialDate struct {
	days      int           // since base
	timeOfDay time.Duration // time of the day
	base      time.Time
}

// maxSerial is 9999-12-31, behind which workbooks have no dates.
const maxSerial = 2958465

// leapDay1900 is the number of 29 February 1900, which never was: workbooks that count from
// 1900 have it all the same, as Lotus 1-2-3 did.
const leapDay1900 = 60

// serialDate returns the date of a number of days; ok is false if there is none.
func (s *sheetReader) decodeSerial(days float64) (at serialDate, ok bool) {
	if days < 0 || days > maxSerial {
		return at, false
	}
	whole := math.Floor(days)
	at = serialDate{days: int(whole), timeOfDay: time.Duration(math.Round(float64((days-whole)*86_400_000))) * time.Millisecond}
	switch {
	case s.book.From1904:
		at.base = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case at.days <= leapDay1900:
		at.base = time.Date(1899, 12, 31, 0, 0, 0, 0, time.UTC)
	default:
		at.base = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	}
	return at, true
}

// isFictitious reports whether the date is 29 February 1900. Its text is no date, and refused
// as such.
func (d serialDate) isLeapDay1900() bool { return d.days == leapDay1900 && d.base.Year() == 1899 }

func (d serialDate) formatDay() string {
	if d.isLeapDay1900() {
		return "1900-02-29"
	}
	return d.base.AddDate(0, 0, d.days).Format(time.DateOnly)
}

func (d serialDate) formatTime() string {
	if d.isLeapDay1900() {
		return "1900-02-29 00:00:00"
	}
	return formatTime(d.base.AddDate(0, 0, d.days).Add(d.timeOfDay))
}

// percentage writes a fraction with a percent sign, so that parsePercentage reads back the
// same number.
func formatPercentage(v float64) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	whole, decimals, _ := strings.Cut(mantissa, ".")
	e, _ := strconv.Atoi(exponent)
	digits, scale := whole+decimals, len(decimals)-e-2
	if scale < 0 {
		digits += strings.Repeat("0", -scale)
	}
	if v == 0 {
		return "0%"
	}
	return insertDecimalPoint(digits, scale) + "%"
}
