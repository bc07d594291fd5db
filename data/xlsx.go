package data

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// maxWorkbook bounds what is unpacked of a workbook, in bytes. Sheets and texts of more
// than 16 MiB go to temporary files.
const maxWorkbook = 2 << 30

// sheet reads the rows of a sheet of an .xlsx workbook.
type sheet struct {
	position // rows
	ctx      context.Context
	book     *excelize.File
	rows     *excelize.Rows // as they are stored
	kinds    *excelize.Rows // the same rows, in which dates are marked; nil: there are none
	from1904 bool           // days are counted from 1904, as on old Macs
	width    int            // of the first row; 0: it has not been read
}

// Numbers of these formats are dates. A workbook stores a date as a number of days, and
// nothing but the format of its cell says so.
const (
	markDay    = `"day"`
	markMoment = `"moment"`
)

func openSheet(ctx context.Context, content []byte, name, wanted string) (_ rowReader, err error) {
	s := &sheet{position: position{file: show(name), unit: "row"}, ctx: ctx}
	defer s.caught(&err)
	s.book, err = excelize.OpenReader(bytes.NewReader(content), excelize.Options{UnzipSizeLimit: maxWorkbook})
	if err != nil {
		return nil, s.broken(err)
	}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	sheets := s.book.GetSheetList()
	if len(sheets) == 0 {
		return nil, fmt.Errorf("%s: the workbook has no sheets", s.file)
	}
	if wanted == "" {
		wanted = sheets[0]
		if len(sheets) > 1 {
			s.remark = fmt.Sprintf("%s: the first sheet is read, of %s; another is named as FILE.xlsx#%s", s.file, list(sheets), sheets[1])
		}
	}
	s.rows, err = s.book.Rows(wanted)
	if missing := (excelize.ErrSheetNotExist{}); errors.As(err, &missing) {
		return nil, fmt.Errorf("%s: there is no sheet %s; there is %s", s.file, brief(wanted), list(sheets))
	} else if err != nil {
		return nil, s.broken(err)
	}
	if marked, err := s.markDates(); err != nil {
		return nil, s.broken(err)
	} else if marked {
		if s.kinds, err = s.book.Rows(wanted); err != nil {
			return nil, s.broken(err)
		}
	}
	return s, nil
}

func (s *sheet) use([]bool) error      { return nil }
func (s *sheet) named() bool           { return false }
func (s *sheet) delimiter() string     { return "" }
func (s *sheet) offset() (int64, bool) { return 0, false }
func (s *sheet) ready() bool           { return true }

func (s *sheet) close() {
	for _, rows := range []*excelize.Rows{s.rows, s.kinds} {
		if rows != nil {
			rows.Close()
		}
	}
	s.book.Close()
}

// caught makes an error of what a library panics of that reads what others wrote.
func (s *sheet) caught(err *error) {
	if broken := recover(); broken != nil {
		*err = s.broken(fmt.Errorf("%v", broken))
	}
}

func (s *sheet) broken(err error) error {
	return fmt.Errorf("%s: the workbook is broken, or of a kind that is not read: %w", s.file, err)
}

// markDates gives cells that are shown as dates the formats that mark them.
func (s *sheet) markDates() (any bool, err error) {
	p, err := s.book.GetWorkbookProps()
	if err != nil {
		return false, err
	}
	s.from1904 = p.Date1904 != nil && *p.Date1904
	styles := s.book.Styles
	if styles == nil || styles.CellXfs == nil {
		return false, nil
	}
	codes := make(map[int]string)
	if styles.NumFmts != nil {
		for _, f := range styles.NumFmts.NumFmt {
			codes[f.NumFmtID] = f.FormatCode
		}
	}
	marks := make(map[int]string) // by style
	for i, xf := range styles.CellXfs.Xf {
		if xf.NumFmtID != nil {
			if mark := markOf(*xf.NumFmtID, codes); mark != "" {
				marks[i] = mark
			}
		}
	}
	ids := make(map[string]*int)
	for _, mark := range []string{markDay, markMoment} {
		i, err := s.book.NewStyle(&excelize.Style{CustomNumFmt: &mark})
		if err != nil {
			return false, err
		}
		ids[mark] = styles.CellXfs.Xf[i].NumFmtID
	}
	for i, mark := range marks {
		styles.CellXfs.Xf[i].NumFmtID = ids[mark]
	}
	return len(marks) > 0, nil
}

// markOf is the mark of a number format, "" if it is none of dates: that of a time
// without a day is none.
func markOf(id int, codes map[int]string) string {
	code, own := codes[id]
	switch {
	case own:
	case id == 22: // those that every workbook has, ECMA-376 part 1, 18.8.30
		return markMoment
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return markDay
	default:
		return ""
	}
	letters := plainLetters(code)
	switch {
	case !strings.ContainsAny(letters, "yd"):
		return ""
	case strings.ContainsAny(letters, "hs"):
		return markMoment
	}
	return markDay
}

// plainLetters are those of a number format that are no text in it, in lower case.
func plainLetters(code string) string {
	var out strings.Builder
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '\\', '_', '*':
			i++
		case '"':
			i += 1 + max(0, strings.IndexByte(code[i+1:], '"'))
		case '[':
			i += max(0, strings.IndexByte(code[i:], ']'))
		case ';': // of negative numbers, and others
			return strings.ToLower(out.String())
		default:
			out.WriteByte(code[i])
		}
	}
	if general := strings.ToLower(out.String()); general != "general" {
		return general
	}
	return ""
}

func (s *sheet) next() (cells []string, err error) {
	defer s.caught(&err)
	for s.rows.Next() {
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		s.line++
		if cells, err = s.rows.Columns(excelize.Options{RawCellValue: true}); err != nil {
			return nil, s.broken(err)
		}
		if err := s.dates(cells); err != nil {
			return nil, err
		}
		filled := 0
		for i, cell := range cells {
			if cells[i] = shortened(strings.TrimSpace(cell)); cells[i] != "" {
				filled = i + 1
			}
		}
		if filled == 0 {
			continue
		}
		if s.width == 0 {
			s.width = filled
		}
		cells = cells[:filled]
		for len(cells) < s.width { // empty cells at the end of a row are not stored
			cells = append(cells, "")
		}
		return cells, nil
	}
	if err := s.rows.Error(); err != nil {
		return nil, s.broken(err)
	}
	return nil, io.EOF
}

// shortened is a number of 17 digits, as workbooks have fractions, by fewer that read
// back as the same.
func shortened(cell string) string {
	if len(cell) < 17 || strings.IndexByte(cell, '.') < 0 {
		return cell
	}
	if v, ok, _ := parseNumber(cell); ok {
		return shortest(v)
	}
	return cell
}

// dates writes those cells as dates that are marked as such.
func (s *sheet) dates(cells []string) error {
	if s.kinds == nil || !s.kinds.Next() {
		return nil
	}
	kinds, err := s.kinds.Columns()
	if err != nil {
		return s.broken(err)
	}
	for i, kind := range kinds[:min(len(kinds), len(cells))] {
		if kind = strconv.Quote(kind); kind != markDay && kind != markMoment {
			continue
		}
		days, ok, _ := parseNumber(cells[i])
		if !ok || days < 0 {
			continue
		}
		at, err := excelize.ExcelDateToTime(days, s.from1904)
		if err != nil {
			continue
		}
		if kind == markDay {
			cells[i] = at.Format(time.DateOnly)
		} else {
			cells[i] = moment(at.Round(time.Millisecond)) // a day's fraction is no whole number of seconds
		}
	}
	return nil
}
