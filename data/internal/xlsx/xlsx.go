// Package xlsx reads the cells of .xlsx workbooks (ECMA-376, Office Open XML) row by row, in
// bounded memory. Start with Open and Book.Rows. The package does not compute formulas, and it
// leaves the conversion of numbers to dates and texts to its caller.
//
// A workbook is a zip archive of XML files, which the standard calls parts: one for the names of
// the sheets, one for each sheet, one for the texts that cells share, and one for formats.
package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"path"
	"strings"
)

// Bounds on workbooks.
const (
	maxRows     = 1 << 20   // rows of a sheet, as in Excel
	maxColumns  = 1 << 14   // columns of a sheet, as in Excel
	maxRow      = 16 << 20  // bytes of a row or of one text, as XML
	maxTexts    = 256 << 20 // bytes of all shared texts together
	maxUnpacked = 2 << 30   // bytes of all parts together, as XML

	maxTextCount = 1 << 24 // number of shared texts, as many as a sheet of 16 full columns has
	maxStyles    = 1 << 16 // number of cell styles, and of number formats, as in Excel
	maxSheets    = 1 << 14 // number of sheets, and of parts that the workbook refers to
)

// workbookPart is the part with the names of the sheets.
const workbookPart = "xl/workbook.xml"

// Book is an open workbook.
type Book struct {
	From1904 bool // days are counted from 1904, as on old Macs, and not from 1900

	archive   *zip.Reader
	sheets    []sheetEntry
	formats   []Format // of the cell styles; cells refer to them by index
	texts     sharedTexts
	bytesLeft int64 // bytes of XML that may still be unpacked
}

// sheetEntry is a sheet and the part of the archive that holds it.
type sheetEntry struct{ name, part string }

// IsWorkbook reports whether a zip archive is a workbook.
func IsWorkbook(archive *zip.Reader) bool { return findPart(archive, workbookPart) != nil }

// Open reads the names of the sheets, the formats and the shared texts of a workbook. It returns
// an error if they are broken or exceed the bounds of this package.
func Open(archive *zip.Reader) (*Book, error) {
	b := &Book{archive: archive, bytesLeft: maxUnpacked}
	parts, err := b.readPartNames()
	if err != nil {
		return nil, err
	}
	if err := b.readSheetNames(parts); err != nil {
		return nil, err
	}
	if err := b.readStyles(); err != nil {
		return nil, err
	}
	return b, b.readTexts()
}

// Sheets returns the names of the sheets in their order.
func (b *Book) Sheets() []string {
	var names []string
	for _, s := range b.sheets {
		names = append(names, s.name)
	}
	return names
}

// readPartNames returns the names of the parts that the workbook refers to, by relationship ID: the
// workbook names its sheets, and this list tells the part of each sheet.
func (b *Book) readPartNames() (map[string]string, error) {
	parts := make(map[string]string)
	err := b.readPart("xl/_rels/workbook.xml.rels", func(p *partReader, e xml.StartElement) {
		if e.Name.Local != "Relationship" {
			return
		}
		if len(parts) == maxSheets {
			p.fail(fmt.Errorf("the workbook has more than %d parts", maxSheets))
		}
		target := strings.ReplaceAll(attribute(e, "Target"), `\`, "/")
		if !strings.HasPrefix(target, "/") { // relative to the folder of the workbook's part
			target = "xl/" + target
		}
		parts[attribute(e, "Id")] = strings.TrimPrefix(path.Clean(target), "/")
	})
	return parts, err
}

// readSheetNames reads the names of the sheets, and the part of each sheet, into b.sheets. It also sets
// b.From1904. parts has the names of the parts by relationship ID.
func (b *Book) readSheetNames(parts map[string]string) error {
	return b.readPart(workbookPart, func(p *partReader, e xml.StartElement) {
		switch e.Name.Local {
		case "workbookPr":
			flag := attribute(e, "date1904")
			b.From1904 = flag == "1" || flag == "true"
		case "sheet":
			if len(b.sheets) == maxSheets {
				p.fail(fmt.Errorf("the workbook has more than %d sheets", maxSheets))
			}
			b.sheets = append(b.sheets, sheetEntry{name: attribute(e, "name"), part: parts[attribute(e, "id")]})
		}
	})
}
