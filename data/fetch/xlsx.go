package fetch

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"sml/data/internal/xlsx"
	"sml/data/read"
)

// readXLSX appends the rows of a workbook's first sheet to the table. Numbers have their stored precision, not the
// displayed one.
func (c *converter) readXLSX(content []byte) error {
	if !bytes.HasPrefix(content, []byte("PK")) {
		return errors.New("this is not an .xlsx file")
	}
	archive, err := read.OpenZip(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return err
	}
	remaining := uint64(c.file.maxSize()) // bytes that further parts may have, unpacked
	for _, part := range archive.File {
		if part.UncompressedSize64 > remaining {
			return fmt.Errorf("its parts unpack to more than %d MiB, which is more than its table can need", c.file.maxSize()>>20)
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
	return c.readRows(rows)
}

// readRows appends the rows of a sheet after the first File.Skip rows, except for blank rows, to the table.
// If File.Named is true, the last of the skipped rows is the header.
func (c *converter) readRows(rows *xlsx.Rows) error {
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
		for _, cell := range cells {
			fields = append(fields, cell.Text)
		}
		switch {
		case c.file.Named && row == c.file.Skip:
			err = c.checkNames(fields)
		case row > c.file.Skip && !isBlank(fields):
			err = c.addSample(row, fields)
		}
		if err != nil {
			return err
		}
	}
}
