package xlsx

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Cell is a value as it is stored.
type Cell struct {
	Text   string // "": empty
	Number bool   // the text is a number; false: it is a text, or a date in ISO 8601
	Format Format // of a number
}

// Rows reads the rows of a sheet.
type Rows struct {
	book  *Book
	sheet *partReader
	row   int // number of the row that was read last, from 1
	cells []Cell
}

var errNoSheet = errors.New("the part that holds the sheet is missing")

// Rows opens a sheet by its name.
func (b *Book) Rows(name string) (*Rows, error) {
	for _, s := range b.sheets {
		if s.name != name {
			continue
		}
		p, err := b.openPart(s.part)
		if err == nil && p == nil {
			err = errNoSheet
		}
		if err != nil {
			return nil, err
		}
		return &Rows{book: b, sheet: p}, nil
	}
	return nil, errNoSheet
}

// Close ends the reading.
func (r *Rows) Close() { r.sheet.close() }

// Next returns the number of the next stored row, from 1, and its cells from column A on.
// The following call overwrites the cells. At the end of the sheet Next returns io.EOF.
func (r *Rows) Next() (row int, cells []Cell, err error) {
	r.sheet.setReadLimit(MaxRow)
	for {
		token, err := r.sheet.nextToken()
		if err != nil {
			return 0, nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local != "row" {
				continue
			}
			if err := r.beginRow(t); err != nil {
				return 0, nil, err
			}
			return r.row, r.cells, r.readCells()
		case xml.EndElement:
			if t.Name.Local == "sheetData" || t.Name.Local == "worksheet" {
				return 0, nil, io.EOF
			}
		}
	}
}

// begin finds the number of a row.
func (r *Rows) beginRow(e xml.StartElement) error {
	row := r.row + 1
	if number := attribute(e, "r"); number != "" {
		n, err := strconv.Atoi(number)
		switch {
		case err != nil || n < 1 || n > MaxRows:
			return fmt.Errorf("a row has the number %.30s; rows are numbered from 1 to %d", number, MaxRows)
		case n < row:
			return fmt.Errorf("row %d stands behind row %d", n, r.row)
		}
		row = n
	}
	if row > MaxRows {
		return fmt.Errorf("more than %d rows", MaxRows)
	}
	r.row = row
	r.cells = r.cells[:0]
	return nil
}

// readCells reads cells up to the end of a row.
func (r *Rows) readCells() error {
	size := 0
	for {
		token, err := r.sheet.nextToken()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local != "c" {
				if err := r.sheet.skipElement(); err != nil {
					return err
				}
				continue
			}
			cell, err := r.readCell(t)
			if err != nil {
				return fmt.Errorf("row %d: %w", r.row, err)
			}
			if size += len(cell.Text); size > MaxRow { // cells may share a text
				return fmt.Errorf("row %d: %w", r.row, errLongRow)
			}
		case xml.EndElement:
			return nil
		}
	}
}

// readCell reads a cell and puts it into its column.
func (r *Rows) readCell(e xml.StartElement) (Cell, error) {
	column := len(r.cells)
	if name := attribute(e, "r"); name != "" {
		at, ok := columnIndex(name)
		switch {
		case !ok:
			return Cell{}, fmt.Errorf("a cell is called %.20q; columns are A to XFD", name)
		case at < column:
			return Cell{}, fmt.Errorf("the cell %s stands behind another of its column or a later one", name)
		}
		column = at
	}
	if column >= MaxColumns {
		return Cell{}, fmt.Errorf("more than %d columns", MaxColumns)
	}
	cell, err := r.readValue(e)
	for err == nil && len(r.cells) < column {
		r.cells = append(r.cells, Cell{})
	}
	r.cells = append(r.cells, cell)
	return cell, err
}

// columnOf returns the column of a cell such as B3, from 0; ok is false behind the last
// column that there can be.
func columnIndex(cell string) (column int, ok bool) {
	n := 0
	for _, c := range []byte(strings.ToUpper(cell)) {
		if c < 'A' || c > 'Z' {
			break
		}
		if n = 26*n + int(c-'A') + 1; n > MaxColumns {
			return 0, false
		}
	}
	return n - 1, n > 0
}

// readValue reads a cell up to its end. Of a formula the value is read that was stored with
// it.
func (r *Rows) readValue(e xml.StartElement) (cell Cell, err error) {
	var value, inline string
	for {
		token, err := r.sheet.nextToken()
		if err != nil {
			return cell, err
		}
		start, ok := token.(xml.StartElement)
		if _, end := token.(xml.EndElement); end {
			break
		}
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "v":
			value, err = r.sheet.readText()
		case "is":
			inline, err = r.sheet.readRichText()
		default:
			err = r.sheet.skipElement()
		}
		if err != nil {
			return cell, err
		}
	}
	switch attribute(e, "t") {
	case "s":
		if value == "" {
			return cell, nil
		}
		cell.Text, err = r.book.texts.lookUp(value)
		return cell, err
	case "inlineStr":
		return Cell{Text: inline}, nil
	case "str":
		return Cell{Text: unescapeCharacters(value)}, nil
	case "e", "d":
		return Cell{Text: value}, nil
	case "b":
		return Cell{Text: value, Number: true}, nil
	}
	cell = Cell{Text: value, Number: true}
	if style, err := strconv.Atoi(attribute(e, "s")); err == nil && style >= 0 && style < len(r.book.formats) {
		cell.Format = r.book.formats[style]
	}
	return cell, nil
}
