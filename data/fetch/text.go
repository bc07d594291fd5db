package fetch

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// maxLineSize is the maximum number of bytes of a line of text.
const maxLineSize = 1 << 20

// utf8Mark is the byte order mark with which some programs begin a text in UTF-8.
const utf8Mark = "\xef\xbb\xbf"

// readText appends the samples of delimited text to the table. After the first File.Skip lines, a sample has
// File.Lines lines, without blank ones. If File.Named is true, the last of the skipped lines is the header.
func (c *converter) readText(r io.Reader) error {
	f := c.file
	reader := bufio.NewScanner(r)
	reader.Buffer(nil, maxLineSize)
	var fields []string // of the current sample
	line := 0
	sampleLines := 0 // lines of the current sample so far
	for reader.Scan() {
		line++
		text := reader.Text()
		if line == 1 {
			text = strings.TrimPrefix(text, utf8Mark)
		}
		if f.Named && line == f.Skip {
			if err := c.checkNames(f.appendFields(nil, text)); err != nil {
				return err
			}
		}
		if line <= f.Skip || strings.TrimSpace(text) == "" {
			continue
		}
		fields = f.appendFields(fields, text)
		sampleLines++
		if sampleLines < f.Lines {
			continue // the sample has further lines
		}
		if err := c.addSample(line, fields); err != nil {
			return err
		}
		fields = fields[:0]
		sampleLines = 0
	}
	if err := reader.Err(); err == bufio.ErrTooLong {
		return fmt.Errorf("line %d has more than %d KiB", line+1, maxLineSize>>10)
	} else if err != nil {
		return err
	}
	if sampleLines > 0 {
		return fmt.Errorf("line %d: the file ends within a sample of %d lines", line, f.Lines)
	}
	return nil
}

// appendFields appends the fields of a line, without blanks and quotes around them. The archives have
// no delimiters between quotes.
func (f File) appendFields(dst []string, line string) []string {
	if f.Delimiter == "" {
		return append(dst, strings.Fields(line)...)
	}
	for field := range strings.SplitSeq(line, f.Delimiter) {
		field = strings.TrimSpace(field)
		isQuoted := len(field) > 1 && strings.HasPrefix(field, `"`) && strings.HasSuffix(field, `"`)
		if isQuoted {
			field = field[1 : len(field)-1]
		}
		dst = append(dst, field)
	}
	return dst
}
