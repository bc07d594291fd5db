package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// findPart returns the part of a workbook with the given name, in upper or lower case, and nil if
// there is none. Some programs write backslashes in names.
func findPart(archive *zip.Reader, name string) *zip.File {
	for _, f := range archive.File {
		if strings.EqualFold(strings.ReplaceAll(f.Name, `\`, "/"), name) {
			return f
		}
	}
	return nil
}

// readPart calls visit for the start of every element of a part, in the part's order; visit may
// read further tokens, such as the element's text. It ends at the first error. It does nothing if the
// archive lacks the part.
func (b *Book) readPart(name string, visit func(p *partReader, e xml.StartElement) error) error {
	p, err := b.openPart(name)
	if err != nil || p == nil {
		return err
	}
	defer p.close()
	if err := p.visitElements(visit); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// attribute returns the value of an element's attribute, whatever its name space, and "" if
// there is none.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// partReader decodes the XML of a part. It unpacks no more than setReadLimit allows, and no more
// than Book.bytesLeft.
type partReader struct {
	*xml.Decoder
	file      io.ReadCloser
	book      *Book
	readLimit int // number of bytes that the decoder may read until the next call of setReadLimit
}

// openPart opens a part for reading. It returns nil and no error if the archive lacks the part.
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

// close closes the part.
func (p *partReader) close() { p.file.Close() }

// setReadLimit sets how many bytes the decoder may read until the next call. It bounds memory,
// since the decoder holds a whole text.
func (p *partReader) setReadLimit(bytes int) { p.readLimit = bytes }

var (
	errLongRow  = fmt.Errorf("a row or a text has more than %d MiB", MaxRow>>20)
	errUnpacked = fmt.Errorf("the workbook has more than %d GiB when it is unpacked", MaxUnpacked>>30)
)

// Read reads unpacked bytes of the part; the decoder calls it. It returns errLongRow or
// errUnpacked at a limit.
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

// visitElements calls visit for the start of every element up to the end of the part, or up to the first
// error. The limit of MaxRow bytes begins anew at every element.
func (p *partReader) visitElements(visit func(p *partReader, e xml.StartElement) error) error {
	for {
		p.setReadLimit(MaxRow)
		token, err := p.RawToken()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if start, ok := token.(xml.StartElement); ok {
			if err := visit(p, start); err != nil {
				return err
			}
		}
	}
}

// nextToken returns the next token, and io.ErrUnexpectedEOF at the end of the part.
func (p *partReader) nextToken() (xml.Token, error) {
	token, err := p.RawToken()
	if err == io.EOF {
		return nil, io.ErrUnexpectedEOF
	}
	return token, err
}

// readText returns the characters of the current element and reads up to its end. It leaves out
// the characters of inner elements.
func (p *partReader) readText() (string, error) {
	var text strings.Builder
	for depth := 1; depth > 0; { // depth 1 is the current element
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
				text.Write(t)
			}
		}
	}
	return text.String(), nil
}

// readRichText returns the text of the current element and reads up to its end. It joins all
// elements t inside it, one for each typeface, without phonetic readings (elements rPh, which
// tell how Japanese names are spoken).
func (p *partReader) readRichText() (string, error) {
	var richText strings.Builder
	for depth := 1; depth > 0; { // depth 1 is the current element
		token, err := p.nextToken()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			text, isRead, err := p.readRichTextElement(t)
			if err != nil {
				return "", err
			}
			richText.WriteString(text)
			if !isRead {
				depth++ // go on inside the element
			}
		case xml.EndElement:
			depth--
		}
	}
	return unescapeCharacters(richText.String()), nil
}

// readRichTextElement reads an element t, which holds text, or rPh, which is skipped, up to its end. It
// returns the text to keep. isRead is false for any other element, of which nothing is read.
func (p *partReader) readRichTextElement(e xml.StartElement) (text string, isRead bool, err error) {
	switch e.Name.Local {
	case "t":
		text, err = p.readText()
		return text, true, err
	case "rPh":
		return "", true, p.skipElement()
	}
	return "", false, nil
}

// skipElement reads up to the end of the current element.
func (p *partReader) skipElement() error {
	_, err := p.readText()
	return err
}

// unescapeCharacters replaces escapes such as _x000D_ by the characters that they stand for.
// Workbooks write characters that XML does not allow in this way.
func unescapeCharacters(text string) string {
	var unescaped strings.Builder
	for {
		start := strings.Index(text, "_x")
		if start < 0 {
			unescaped.WriteString(text)
			return unescaped.String()
		}
		unescaped.WriteString(text[:start])
		text = text[start:]
		character, length, ok := parseEscape(text)
		if ok {
			unescaped.WriteRune(character)
		} else { // a literal _x
			length = len("_x")
			unescaped.WriteString(text[:length])
		}
		text = text[length:]
	}
}

// parseEscape returns the character of the escape at the start of text, and the length of the
// escape in bytes. ok is false if text does not start with one.
func parseEscape(text string) (character rune, length int, ok bool) {
	const escapeLength = len("_x000D_") // four hexadecimal digits
	if len(text) < escapeLength || text[escapeLength-1] != '_' {
		return 0, 0, false
	}
	code, err := strconv.ParseUint(text[len("_x"):escapeLength-1], 16, 16)
	if err != nil {
		return 0, 0, false
	}
	return rune(code), escapeLength, true
}
