package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
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
// read further tokens, such as the element's text, and fail. It returns the first error. It does nothing if the
// archive lacks the part. The limit of maxRow bytes begins anew at every element.
func (b *Book) readPart(name string, visit func(p *partReader, e xml.StartElement)) error {
	p, err := b.openPart(name)
	if err != nil || p == nil {
		return err
	}
	defer p.close()
	for p.err == nil {
		p.setReadLimit(maxRow)
		token, err := p.RawToken()
		if err == io.EOF {
			break
		}
		p.fail(err)
		if start, ok := token.(xml.StartElement); ok {
			visit(p, start)
		}
	}
	if p.err != nil {
		return fmt.Errorf("%s: %w", name, p.err)
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
	readLimit int   // number of bytes that the decoder may read until the next call of setReadLimit
	err       error // first error, which ends the reading; nil if there is none
}

// fail stores the first error. The methods that read then return at once.
func (p *partReader) fail(err error) {
	if p.err == nil {
		p.err = err
	}
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
	errLongRow  = fmt.Errorf("a row or a text has more than %d MiB", maxRow>>20)
	errUnpacked = fmt.Errorf("the workbook has more than %d GiB when it is unpacked", maxUnpacked>>30)
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

// nextToken returns the next token. It returns nil after an error, such as the end of the part.
func (p *partReader) nextToken() xml.Token {
	if p.err != nil {
		return nil
	}
	token, err := p.RawToken()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		p.fail(err)
		return nil
	}
	return token
}

// readText returns the characters of the current element and reads up to its end. It leaves out
// the characters of inner elements.
func (p *partReader) readText() string {
	var text strings.Builder
	for depth := 1; depth > 0; { // depth 1 is the current element
		switch t := p.nextToken().(type) {
		case nil:
			return ""
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
	return text.String()
}

// readRichText returns the text of the current element and reads up to its end. It joins all
// elements t inside it, one for each typeface, without phonetic readings (elements rPh, which
// tell how Japanese names are spoken).
func (p *partReader) readRichText() string {
	var richText strings.Builder
	for depth := 1; depth > 0; { // depth 1 is the current element
		switch t := p.nextToken().(type) {
		case nil:
			return ""
		case xml.StartElement:
			switch t.Name.Local {
			case "t":
				richText.WriteString(p.readText())
			case "rPh":
				p.skipElement()
			default:
				depth++ // go on inside the element
			}
		case xml.EndElement:
			depth--
		}
	}
	return unescapeCharacters(richText.String())
}

// skipElement reads up to the end of the current element.
func (p *partReader) skipElement() { p.readText() }

// escape matches a character that XML does not allow, as workbooks write it.
var escape = regexp.MustCompile(`_x[0-9a-fA-F]{4}_`)

// unescapeCharacters replaces escapes such as _x000D_ by the characters that they stand for.
func unescapeCharacters(text string) string {
	if !strings.Contains(text, "_x") { // Contains is fast
		return text
	}
	return escape.ReplaceAllStringFunc(text, func(match string) string {
		code, _ := strconv.ParseUint(match[len("_x"):len(match)-1], 16, 16) // four hexadecimal digits
		return string(rune(code))
	})
}
