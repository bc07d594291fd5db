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
			err := r.readCells()
			return r.row, r.cells, err
		case xml.EndElement:
			if t.Name.Local == "sheetData" || t.Name.Local == "worksheet" {
				return 0, nil, io.EOF
			}
		}
	}
}

// beginRow sets r.row to the number of the row that begins with e, and removes the cells of the previous
// row. If the element does not give its number, it is one more than the previous number. It returns
// an error if numbers do not go up or exceed MaxRows.
func (r *Rows) beginRow(e xml.StartElement) error {
	row := r.row + 1
	number := attribute(e, "r")
	if number != "" {
		n, err := strconv.Atoi(number)
		switch {
		case err != nil || n < 1 || n > MaxRows:
			return fmt.Errorf("a row has the number %.30s; rows are numbered from 1 to %d", number, MaxRows)
		case n < row:
			return fmt.Errorf("row %d comes after row %d", n, r.row)
		}
		row = n
	}
	if row > MaxRows {
		return fmt.Errorf("the sheet has more than %d rows", MaxRows)
	}
	r.row = row
	r.cells = r.cells[:0]
	return nil
}

// readCells reads the cells of a row into r.cells, up to the end of the row.
func (r *Rows) readCells() error {
	size := 0 // bytes of the row's texts; a limit on the XML does not bound them, as cells may share a long text
	for {
		token, err := r.sheet.nextToken()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			textSize, err := r.readRowElement(t)
			if err != nil {
				return err
			}
			size += textSize
			if size > MaxRow {
				return fmt.Errorf("row %d: %w", r.row, errLongRow)
			}
		case xml.EndElement: // of the row: readRowElement has read the ends of the row's elements
			return nil
		}
	}
}

// readRowElement reads an element of a row up to its end. It appends a cell to r.cells, and
// returns the length of the cell's text. It ignores other elements.
func (r *Rows) readRowElement(e xml.StartElement) (textSize int, err error) {
	isCell := e.Name.Local == "c"
	if !isCell {
		return 0, r.sheet.skipElement()
	}
	cell, err := r.readCell(e)
	if err != nil {
		return 0, fmt.Errorf("row %d: %w", r.row, err)
	}
	return len(cell.Text), nil
}

// readCell reads the cell that begins with e up to its end. It appends the cell to r.cells, after empty
// cells for the columns that the sheet leaves out, and returns it. A cell without a name follows the
// previous cell. It returns an error if columns do not go up or exceed MaxColumns.
func (r *Rows) readCell(e xml.StartElement) (Cell, error) {
	column := len(r.cells)
	name := attribute(e, "r") // such as B3
	if name != "" {
		i, ok := columnIndex(name)
		switch {
		case !ok:
			return Cell{}, fmt.Errorf("a cell is named %.20q; columns are A to XFD", name)
		case i < column:
			return Cell{}, fmt.Errorf("cell %s comes after a cell of the same column or a later one", name)
		}
		column = i
	}
	if column >= MaxColumns {
		return Cell{}, fmt.Errorf("the sheet has more than %d columns", MaxColumns)
	}
	cell, err := r.readValue(e)
	if err != nil {
		return Cell{}, err
	}
	for len(r.cells) < column {
		r.cells = append(r.cells, Cell{})
	}
	r.cells = append(r.cells, cell)
	return cell, nil
}

// columnIndex returns the column, from 0, of a cell's name such as B3. Letters are digits of base
// 26, where A is 1. ok is false if the name has no letters or if the column exceeds MaxColumns.
func columnIndex(cell string) (column int, ok bool) {
	const letters = 26
	number := 0 // of the column, from 1
	for _, letter := range []byte(strings.ToUpper(cell)) {
		if letter < 'A' || letter > 'Z' {
			break
		}
		number = letters*number + int(letter-'A') + 1
		if number > MaxColumns {
			return 0, false
		}
	}
	return number - 1, number > 0
}

// readValue reads the cell that begins with e up to its end, and returns it. The value of a formula
// is the value that the program stored when it last computed the formula.
func (r *Rows) readValue(e xml.StartElement) (Cell, error) {
	value, inline, err := r.readCellElements()
	if err != nil {
		return Cell{}, err
	}
	switch attribute(e, "t") { // the type of the value; ECMA-376 part 1, 18.18.11
	case "s": // the index of a shared text
		if value == "" {
			return Cell{}, nil
		}
		text, err := r.book.texts.lookUp(value)
		return Cell{Text: text}, err
	case "inlineStr":
		return Cell{Text: inline}, nil
	case "str": // the text of a formula
		return Cell{Text: unescapeCharacters(value)}, nil
	case "d":
		return Cell{Text: value}, nil
	case "e": // an error such as #DIV/0!: there is no value
		return Cell{}, nil
	case "b":
		if value == "1" {
			return Cell{Text: "true"}, nil
		}
		return Cell{Text: "false"}, nil
	}
	return Cell{Text: value, Number: true, Format: r.formatOf(e)}, nil
}

// readCellElements reads the elements of a cell up to its end, and returns the value and the
// inline text. Each is "" if the cell has none.
func (r *Rows) readCellElements() (value, inline string, err error) {
	for {
		token, err := r.sheet.nextToken()
		if err != nil {
			return "", "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "v": // the value
				value, err = r.sheet.readText()
			case "is": // an inline text
				inline, err = r.sheet.readRichText()
			default: // such as a formula
				err = r.sheet.skipElement()
			}
			if err != nil {
				return "", "", err
			}
		case xml.EndElement: // of the cell
			return value, inline, nil
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
