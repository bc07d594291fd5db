// Package xlsx reads the cells of .xlsx workbooks (ECMA-376, Office Open XML) row by row.
// It reads parts as streams, within the bounds below.
package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
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

	archive *zip.Reader
	sheets  []sheetPart
	formats []Format // of cell styles
	texts   texts
	left    int64 // bytes that may still be unpacked
}

// sheetPart is a sheet and the part of the archive that holds it.
type sheetPart struct{ name, part string }

// IsWorkbook reports whether an archive is a workbook.
func IsWorkbook(archive *zip.Reader) bool { return find(archive, workbookPart) != nil }

const workbookPart = "xl/workbook.xml"

// Open reads everything of a workbook but its sheets.
func Open(archive *zip.Reader) (*Book, error) {
	b := &Book{archive: archive, left: MaxUnpacked}
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

// find returns the part of that name, in whatever case; nil if there is none.
func find(archive *zip.Reader, name string) *zip.File {
	for _, f := range archive.File {
		if strings.EqualFold(strings.ReplaceAll(f.Name, `\`, "/"), name) {
			return f
		}
	}
	return nil
}

// readTargets reads the parts that the workbook's relations lead to, by their IDs.
func (b *Book) readTargets() (map[string]string, error) {
	targets := make(map[string]string)
	err := b.readPart("xl/_rels/workbook.xml.rels", func(p *part, e xml.StartElement) error {
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
	return b.readPart(workbookPart, func(p *part, e xml.StartElement) error {
		switch e.Name.Local {
		case "workbookPr":
			on := attribute(e, "date1904")
			b.From1904 = on == "1" || on == "true"
		case "sheet":
			if len(b.sheets) == maxSheets {
				return fmt.Errorf("more than %d sheets", maxSheets)
			}
			b.sheets = append(b.sheets, sheetPart{attribute(e, "name"), targets[attribute(e, "id")]})
		}
		return nil
	})
}

// readPart calls each for every element of a part that begins, in their order. A part that
// the archive lacks has none.
func (b *Book) readPart(name string, each func(p *part, e xml.StartElement) error) error {
	p, err := b.open(name)
	if err != nil || p == nil {
		return err
	}
	defer p.close()
	for {
		p.allow(MaxRow)
		token, err := p.RawToken()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			if start, ok := token.(xml.StartElement); ok {
				err = each(p, start)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}

// attribute returns the value of an attribute, whatever its name space; "" if there is none.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// part reads the XML of a part of the archive.
type part struct {
	*xml.Decoder
	file    io.ReadCloser
	book    *Book
	allowed int // bytes that the decoder may read until the next call of allow
}

// open opens a part; it returns nil if the archive lacks it.
func (b *Book) open(name string) (*part, error) {
	f := find(b.archive, name)
	if f == nil {
		return nil, nil
	}
	file, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p := &part{file: file, book: b}
	p.Decoder = xml.NewDecoder(p)
	return p, nil
}

func (p *part) close() { p.file.Close() }

// allow sets how many bytes the decoder may read until the next call of allow. The decoder
// keeps a whole text in memory.
func (p *part) allow(bytes int) { p.allowed = bytes }

var (
	errLongRow  = fmt.Errorf("a row or a text of more than %d MiB", MaxRow>>20)
	errUnpacked = fmt.Errorf("more than %d GiB when it is unpacked", MaxUnpacked>>30)
)

// Read reads bytes of the part for the decoder.
func (p *part) Read(buffer []byte) (int, error) {
	switch {
	case p.allowed <= 0:
		return 0, errLongRow
	case p.book.left <= 0:
		return 0, errUnpacked
	}
	n, err := p.file.Read(buffer)
	p.allowed -= n
	p.book.left -= int64(n)
	return n, err
}

// next returns the next token. The end of the file is an error.
func (p *part) next() (xml.Token, error) {
	token, err := p.RawToken()
	if err == io.EOF {
		return nil, io.ErrUnexpectedEOF
	}
	return token, err
}

// text returns the characters of the current element and reads up to its end. Characters of
// inner elements are left out.
func (p *part) text() (string, error) {
	var out strings.Builder
	for depth := 1; depth > 0; {
		token, err := p.next()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			if depth == 1 {
				out.Write(t)
			}
		}
	}
	return out.String(), nil
}

// richText returns the text of the current element and reads up to its end: the text of all
// elements t inside it, except in phonetic readings.
func (p *part) richText() (string, error) {
	var out strings.Builder
	phonetic := 0 // depth of the phonetic reading; 0 outside of one
	for depth := 1; depth > 0; {
		token, err := p.next()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local == "t" && phonetic == 0 {
				text, err := p.text()
				if err != nil {
					return "", err
				}
				out.WriteString(text)
				continue
			}
			depth++
			if t.Name.Local == "rPh" && phonetic == 0 {
				phonetic = depth
			}
		case xml.EndElement:
			if depth == phonetic {
				phonetic = 0
			}
			depth--
		}
	}
	return unescape(out.String()), nil
}

// skip reads up to the end of the current element.
func (p *part) skip() error {
	_, err := p.text()
	return err
}

var errNoSheet = errors.New("the part that holds the sheet is missing")
