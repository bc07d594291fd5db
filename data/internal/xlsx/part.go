package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// find returns the part with the given name, in upper or lower case, and nil if there is none.
func findPart(archive *zip.Reader, name string) *zip.File {
	for _, f := range archive.File {
		if strings.EqualFold(strings.ReplaceAll(f.Name, `\`, "/"), name) {
			return f
		}
	}
	return nil
}

// readPart calls each at the start of every element of a part, in the part's order. It does
// nothing if the archive lacks the part.
func (b *Book) readPart(name string, each func(p *partReader, e xml.StartElement) error) error {
	p, err := b.openPart(name)
	if err != nil || p == nil {
		return err
	}
	defer p.close()
	for {
		p.setReadLimit(MaxRow)
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
type partReader struct {
	*xml.Decoder
	file      io.ReadCloser
	book      *Book
	readLimit int // bytes that the decoder may read until the next call of allow
}

// open opens a part; it returns nil if the archive lacks it.
func (b *Book) openPart(name string) (*partReader, error) {
	f := findPart(b.archive, name)
	if f == nil {
		return nil, nil
	}
	file, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p := &partReader{file: file, book: b}
	p.Decoder = xml.NewDecoder(p)
	return p, nil
}

func (p *partReader) close() { p.file.Close() }

// allow sets how many bytes the decoder may read until the next call of allow. The decoder
// keeps a whole text in memory.
func (p *partReader) setReadLimit(bytes int) { p.readLimit = bytes }

var (
	errLongRow  = fmt.Errorf("a row or a text of more than %d MiB", MaxRow>>20)
	errUnpacked = fmt.Errorf("more than %d GiB when it is unpacked", MaxUnpacked>>30)
)

// Read reads bytes of the part for the decoder.
func (p *partReader) Read(buffer []byte) (int, error) {
	switch {
	case p.readLimit <= 0:
		return 0, errLongRow
	case p.book.bytesLeft <= 0:
		return 0, errUnpacked
	}
	n, err := p.file.Read(buffer)
	p.readLimit -= n
	p.book.bytesLeft -= int64(n)
	return n, err
}

// next returns the next token. The end of the file is an error.
func (p *partReader) nextToken() (xml.Token, error) {
	token, err := p.RawToken()
	if err == io.EOF {
		return nil, io.ErrUnexpectedEOF
	}
	return token, err
}

// text returns the characters of the current element and reads up to its end. Characters of
// inner elements are left out.
func (p *partReader) readText() (string, error) {
	var out strings.Builder
	for depth := 1; depth > 0; {
		token, err := p.nextToken()
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
func (p *partReader) readRichText() (string, error) {
	var out strings.Builder
	phonetic := 0 // depth of the phonetic reading; 0 outside of one
	for depth := 1; depth > 0; {
		token, err := p.nextToken()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local == "t" && phonetic == 0 {
				text, err := p.readText()
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
	return unescapeCharacters(out.String()), nil
}

// skip reads up to the end of the current element.
func (p *partReader) skipElement() error {
	_, err := p.readText()
	return err
}

// unescape decodes the notation _x000D_ of workbooks for characters that XML lacks.
func unescapeCharacters(text string) string {
	var out strings.Builder
	for {
		at := strings.Index(text, "_x")
		if at < 0 {
			break
		}
		out.WriteString(text[:at])
		text = text[at:]
		if len(text) >= 7 && text[6] == '_' {
			if code, err := strconv.ParseUint(text[2:6], 16, 16); err == nil {
				out.WriteRune(rune(code))
				text = text[7:]
				continue
			}
		}
		out.WriteString(text[:2])
		text = text[2:]
	}
	if out.Len() == 0 {
		return text
	}
	return out.String() + text
}
