// Package xlsx reads the cells of .xlsx workbooks (ECMA-376, Office Open XML) row by row.
// It reads parts as streams, within the bounds below.
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
	MaxRows     = 1 << 20   // rows of a sheet, as in Excel
	MaxColumns  = 1 << 14   // columns of a sheet, as in Excel
	MaxRow      = 16 << 20  // bytes of a row or of one text, as XML
	MaxTexts    = 256 << 20 // bytes of all shared texts together
	MaxUnpacked = 2 << 30   // bytes of all parts together, as XML

	maxTextCount = 1 << 24 // shared texts, as many as a sheet of 16 full columns has
	maxStyles    = 1 << 16 // cell styles and number formats, as in Excel
	maxSheets    = 1 << 14
)

// Book is an open workbook.
type Book struct {
	From1904 bool // days are counted from 1904, as on old Macs

	archive   *zip.Reader
	sheets    []sheetEntry
	formats   []Format // of cell styles
	texts     sharedTexts
	bytesLeft int64 // bytes that may still be unpacked
}

// sheetPart is a sheet and the part of the archive that holds it.
type sheetEntry struct{ name, part string }

// IsWorkbook reports whether an archive is a workbook.
func IsWorkbook(archive *zip.Reader) bool { return findPart(archive, workbookPart) != nil }

const workbookPart = "xl/workbook.xml"

// Open reads everything of a workbook but its sheets.
func Open(archive *zip.Reader) (*Book, error) {
	b := &Book{archive: archive, bytesLeft: MaxUnpacked}
	targets, err := b.readTargets()
	if err != nil {
		return nil, err
	}
	if err := b.readSheetNames(targets); err != nil {
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

// readTargets reads the parts that the workbook's relations lead to, by their IDs.
func (b *Book) readTargets() (map[string]string, error) {
	targets := make(map[string]string)
	err := b.readPart("xl/_rels/workbook.xml.rels", func(p *partReader, e xml.StartElement) error {
		if e.Name.Local != "Relationship" {
			return nil
		}
		if len(targets) == maxSheets {
			return fmt.Errorf("more than %d relations", maxSheets)
		}
		target := strings.ReplaceAll(attribute(e, "Target"), `\`, "/")
		if !strings.HasPrefix(target, "/") {
			target = "xl/" + target
		}
		targets[attribute(e, "Id")] = strings.TrimPrefix(path.Clean(target), "/")
		return nil
	})
	return targets, err
}

// readSheetNames reads the sheets that hold cells, and from which year days are counted.
func (b *Book) readSheetNames(targets map[string]string) error {
	return b.readPart(workbookPart, func(p *partReader, e xml.StartElement) error {
		switch e.Name.Local {
		case "workbookPr":
			on := attribute(e, "date1904")
			b.From1904 = on == "1" || on == "true"
		case "sheet":
			if len(b.sheets) == maxSheets {
				return fmt.Errorf("more than %d sheets", maxSheets)
			}
			b.sheets = append(b.sheets, sheetEntry{attribute(e, "name"), targets[attribute(e, "id")]})
		}
		return nil
	})
}
