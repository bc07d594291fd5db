package fetch

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/xuri/excelize/v2"
)

// mostBlank bounds the rows between samples of a spreadsheet, which a few bytes can
// claim millions of.
const mostBlank = 100_000

// readXLSX reads the first sheet, as it is stored: numbers in full precision.
func (f File) readXLSX(content []byte, named func([]string) error, each sample) (err error) {
	if !bytes.HasPrefix(content, []byte("PK")) {
		return errors.New("this is no .xlsx file")
	}
	archive, err := openZip(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return err
	}
	var sum uint64
	for _, m := range archive.File {
		if sum += min(m.UncompressedSize64, uint64(f.most())+1); sum > uint64(f.most()) {
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
	sheets := book.GetSheetList()
	if len(sheets) == 0 {
		return errors.New("the .xlsx file has no sheet")
	}
	rows, err := book.Rows(sheets[0])
	if err != nil {
		return fmt.Errorf("sheet %q: %w", sheets[0], err)
	}
	defer rows.Close()
	for at, blank := 1, 0; rows.Next(); at++ {
		fields, err := rows.Columns(raw)
		if err != nil {
			return fmt.Errorf("sheet %q: %w", sheets[0], err)
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
				return fmt.Errorf("sheet %q has more than %d rows without a value", sheets[0], mostBlank)
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
