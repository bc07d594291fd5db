package fetch

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"

	"sml/data/read"
)

// mostBlank bounds the rows between samples of a spreadsheet, which a few bytes can
// claim millions of.
const mostBlank = 100_000

// smallPart is what share of its bound all may take that is no sheet. A byte of a
// sheet is read and forgotten; one of styles or texts takes up to 80 in memory.
const smallPart = 16

// readXLSX reads the first sheet, as it is stored: numbers in full precision.
func (f File) readXLSX(content []byte, named func([]string) error, each sample) (err error) {
	if !bytes.HasPrefix(content, []byte("PK")) {
		return errors.New("this is no .xlsx file")
	}
	archive, err := read.OpenZip(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return err
	}
	var sheets, others int64
	for _, m := range archive.File {
		size := int64(min(m.UncompressedSize64, uint64(f.most())+1))
		if strings.HasPrefix(m.Name, "xl/worksheets/") {
			sheets += size
		} else {
			others += size
		}
		if sheets+others > f.most() || others > f.most()/smallPart {
			return f.tooLarge()
		}
	}
	defer func() { // in a library that reads what others wrote
		if broken := recover(); broken != nil {
			err = fmt.Errorf("the .xlsx file is broken: %v", broken)
		}
	}()
	raw := excelize.Options{RawCellValue: true, UnzipSizeLimit: f.most(), UnzipXMLSizeLimit: f.most()} // the same bound: nothing goes to temporary files
	book, err := excelize.OpenReader(bytes.NewReader(content), raw)
	if err != nil {
		return fmt.Errorf("the .xlsx file is broken: %w", err)
	}
	defer book.Close()
	names := book.GetSheetList()
	if len(names) == 0 {
		return errors.New("the .xlsx file has no sheet")
	}
	sheet := names[0]
	rows, err := book.Rows(sheet)
	if err != nil {
		return fmt.Errorf("sheet %q: %w", sheet, err)
	}
	defer rows.Close()
	for at, blank := 1, 0; rows.Next(); at++ {
		fields, err := rows.Columns(raw)
		if err != nil {
			return fmt.Errorf("sheet %q: %w", sheet, err)
		}
		if f.Named && at == f.Skip {
			if err := named(fields); err != nil {
				return err
			}
		}
		if at <= f.Skip {
			continue
		}
		if isBlank(fields) {
			if blank++; blank > mostBlank {
				return fmt.Errorf("sheet %q has more than %d rows without a value", sheet, mostBlank)
			}
			continue
		}
		if err := each(at, fields); err != nil {
			return err
		}
	}
	return rows.Error()
}

func isBlank(fields []string) bool {
	for _, field := range fields {
		if field != "" {
			return false
		}
	}
	return true
}
