package xlsx

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Cell is a cell as it is stored.
type Cell struct {
	Text   string // "" for an empty cell
	Number bool   // whether Text is a number or a boolean, 0 or 1; otherwise it is a text or a date in ISO 8601
	Format Format // format of a number
}

// Rows reads the rows of a sheet.
type Rows struct {
	book  *Book
	sheet *partReader
	row   int    // number of the row that was read last, from 1
	cells []Cell // of this row
}

var errNoSheet = errors.New("the workbook lacks the part that holds the sheet")

// Rows opens the sheet with the given name. It returns an error if there is none. The caller must
// call Close.
func (b *Book) Rows(name string) (*Rows, error) {
	for _, s := range b.sheets {
		if s.name != name {
			continue
		}
		p, err := b.openPart(s.part)
		if err != nil {
			return nil, err
		}
		if p == nil {
			return nil, errNoSheet
		}
		return &Rows{book: b, sheet: p}, nil
	}
	return nil, errNoSheet
}

// Close closes the sheet.
func (r *Rows) Close() { r.sheet.close() }

// Next returns the number of the next stored row, from 1, and its cells from column A on; empty
// rows, and empty cells at the end of a row, may not be stored. The next call overwrites the
// cells. At the end of the sheet Next returns io.EOF.
func (r *Rows) Next() (row int, cells []Cell, err error) {
	r.sheet.setReadLimit(maxRow)
	for {
		switch t := r.sheet.nextToken().(type) {
		case nil:
			return 0, nil, r.sheet.err
		case xml.StartElement:
			if t.Name.Local == "row" {
				r.beginRow(t)
				r.readCells()
				return r.row, r.cells, r.sheet.err
			}
		case xml.EndElement:
			if t.Name.Local == "sheetData" || t.Name.Local == "worksheet" {
				return 0, nil, io.EOF
			}
		}
	}
}

// beginRow sets r.row to the number of the row that begins with e, and removes the cells of the previous
// row. If the element does not give its number, it is one more than the previous number. It fails
// if numbers do not go up or exceed maxRows.
func (r *Rows) beginRow(e xml.StartElement) {
	row := r.row + 1
	if number := attribute(e, "r"); number != "" {
		n, err := strconv.Atoi(number)
		switch {
		case err != nil || n < 1 || n > maxRows:
			r.sheet.fail(fmt.Errorf("a row has the number %.30s; rows are numbered from 1 to %d", number, maxRows))
		case n < row:
			r.sheet.fail(fmt.Errorf("row %d comes after row %d", n, r.row))
		}
		row = n
	}
	if row > maxRows {
		r.sheet.fail(fmt.Errorf("the sheet has more than %d rows", maxRows))
	}
	r.row = row
	r.cells = r.cells[:0]
}

// readCells reads the cells of a row into r.cells, up to the end of the row. It ignores other elements.
func (r *Rows) readCells() {
	size := 0 // bytes of the row's texts; a limit on the XML does not bound them, as cells may share a long text
	for {
		switch t := r.sheet.nextToken().(type) {
		case nil, xml.EndElement: // of the row, as the ends of the row's elements are read with them
			return
		case xml.StartElement:
			if t.Name.Local != "c" {
				r.sheet.skipElement()
				continue
			}
			size += len(r.readCell(t).Text)
			if size > maxRow {
				r.sheet.fail(errLongRow)
			}
			if r.sheet.err != nil {
				r.sheet.err = fmt.Errorf("row %d: %w", r.row, r.sheet.err)
				return
			}
		}
	}
}

// readCell reads the cell that begins with e up to its end. It appends the cell to r.cells, after empty
// cells for the columns that the sheet leaves out, and returns it. A cell without a name follows the
// previous cell. It fails if columns do not go up or exceed maxColumns.
func (r *Rows) readCell(e xml.StartElement) Cell {
	column := len(r.cells)
	if name := attribute(e, "r"); name != "" { // such as B3
		i, ok := columnIndex(name)
		switch {
		case !ok:
			r.sheet.fail(fmt.Errorf("a cell is named %.20q; columns are A to XFD", name))
		case i < column:
			r.sheet.fail(fmt.Errorf("cell %s comes after a cell of the same column or a later one", name))
		}
		column = i
	}
	if column >= maxColumns {
		r.sheet.fail(fmt.Errorf("the sheet has more than %d columns", maxColumns))
	}
	cell := r.readValue(e)
	if r.sheet.err != nil {
		return Cell{}
	}
	for len(r.cells) < column {
		r.cells = append(r.cells, Cell{})
	}
	r.cells = append(r.cells, cell)
	return cell
}

// columnIndex returns the column, from 0, of a cell's name such as B3. Letters are digits of base
// 26, where A is 1. ok is false if the name has no letters or if the column exceeds maxColumns.
func columnIndex(cell string) (column int, ok bool) {
	const letters = 26
	number := 0 // of the column, from 1
	for _, letter := range []byte(strings.ToUpper(cell)) {
		if letter < 'A' || letter > 'Z' {
			break
		}
		number = letters*number + int(letter-'A') + 1
		if number > maxColumns {
			return 0, false
		}
	}
	return number - 1, number > 0
}

// readValue reads the cell that begins with e up to its end, and returns it. The value of a formula
// is the value that the program stored when it last computed the formula.
func (r *Rows) readValue(e xml.StartElement) Cell {
	value, inline := r.readCellElements()
	switch attribute(e, "t") { // the type of the value; ECMA-376 part 1, 18.18.11
	case "s": // the index of a shared text
		if value == "" {
			return Cell{}
		}
		text, err := r.book.texts.lookUp(value)
		r.sheet.fail(err)
		return Cell{Text: text}
	case "inlineStr":
		return Cell{Text: inline}
	case "str": // the text of a formula
		return Cell{Text: unescapeCharacters(value)}
	case "d":
		return Cell{Text: value}
	case "e": // an error such as #DIV/0!: there is no value
		return Cell{}
	case "b":
		if value == "1" {
			return Cell{Text: "true"}
		}
		return Cell{Text: "false"}
	}
	return Cell{Text: value, Number: true, Format: r.formatOf(e)}
}

// readCellElements reads the elements of a cell up to its end, and returns the value and the
// inline text. Each is "" if the cell has none.
func (r *Rows) readCellElements() (value, inline string) {
	for {
		switch t := r.sheet.nextToken().(type) {
		case nil, xml.EndElement: // of the cell
			return value, inline
		case xml.StartElement:
			switch t.Name.Local {
			case "v": // the value
				value = r.sheet.readText()
			case "is": // an inline text
				inline = r.sheet.readRichText()
			default: // such as a formula
				r.sheet.skipElement()
			}
		}
	}
}

// formatOf returns the format of a cell's style, and General if the cell has no known style.
func (r *Rows) formatOf(cell xml.StartElement) Format {
	style, err := strconv.Atoi(attribute(cell, "s"))
	if err != nil || style < 0 || style >= len(r.book.formats) {
		return General
	}
	return r.book.formats[style]
}
