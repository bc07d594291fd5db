package fetch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"sml/data/internal/xlsx"
	"sml/data/read"
)

// readXLSX passes the rows of a workbook's first sheet to addSample, and the header, if the file has
// one, to checkNames. Numbers have their stored precision, not the displayed one.
func (f File) readXLSX(content []byte, checkNames func([]string) error, addSample sampleFunc) error {
	if !bytes.HasPrefix(content, []byte("PK")) {
		return errors.New("this is not an .xlsx file")
	}
	archive, err := read.OpenZip(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return err
	}
	remaining := uint64(f.maxSize()) // bytes that further parts may have, unpacked
	for _, part := range archive.File {
		if part.UncompressedSize64 > remaining {
			return fmt.Errorf("its parts unpack to more than %d MiB, which is more than its table can need", f.maxSize()>>20)
		}
		remaining -= part.UncompressedSize64
	}
	book, err := xlsx.Open(archive)
	if err != nil {
		return fmt.Errorf("the .xlsx file is broken: %w", err)
	}
	sheets := book.Sheets()
	if len(sheets) == 0 {
		return errors.New("the .xlsx file has no sheet")
	}
	rows, err := book.Rows(sheets[0])
	if err != nil {
		return fmt.Errorf("sheet %q: %w", sheets[0], err)
	}
	defer rows.Close()
	return f.readRows(rows, checkNames, addSample)
}

// readRows passes the rows of a sheet after the first f.Skip rows, except for blank rows, to addSample.
// If f.Named is true, the last of the skipped rows is the header, which it passes to checkNames.
func (f File) readRows(rows *xlsx.Rows, checkNames func([]string) error, addSample sampleFunc) error {
	var fields []string
	for {
		row, cells, err := rows.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the .xlsx file is broken: %w", err)
		}
		fields = fields[:0]
		for _, c := range cells {
			fields = append(fields, c.Text)
		}
		switch {
		case f.Named && row == f.Skip:
			err = checkNames(fields)
		case row > f.Skip && !isBlank(fields):
			err = addSample(row, fields)
		}
		if err != nil {
			return err
		}
	}
}

// isBlank reports whether all fields are empty.
func isBlank(fields []string) bool {
	return !slices.ContainsFunc(fields, func(field string) bool { return field != "" })
}
