package fetch

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
)

const maxLine = 1 << 20 // bytes

// sample takes the fields of a sample, and the line or row where it ends, from 1.
// It may keep nothing of the fields.
type sample func(at int, fields []string) error

// readText reads delimited text. Lines of nothing but blanks are left out.
func (f File) readText(r io.Reader, checkNames func([]string) error, each sample) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	var fields []string
	line, lines := 0, 0 // of the sample
	for in.Scan() {
		line++
		text := in.Bytes()
		if line == 1 {
			text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		}
		if f.Named && line == f.Skip {
			if err := checkNames(f.split(nil, string(text))); err != nil {
				return err
			}
		}
		if line <= f.Skip || len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		fields = f.split(fields, string(text))
		if lines++; lines < f.Lines {
			continue
		}
		if err := each(line, fields); err != nil {
			return err
		}
		fields, lines = fields[:0], 0
	}
	if err := in.Err(); err == bufio.ErrTooLong {
		return fmt.Errorf("line %d has more than %d KiB", line+1, maxLine>>10)
	} else if err != nil {
		return err
	}
	if lines > 0 {
		return fmt.Errorf("line %d: the file ends within a sample of %d lines", line, f.Lines)
	}
	return nil
}

// split appends the fields of a line.
func (f File) split(dst []string, line string) []string {
	if f.Delimiter == "" {
		return append(dst, strings.Fields(line)...)
	}
	for field := range strings.SplitSeq(line, f.Delimiter) {
		field = strings.TrimSpace(field)
		if n := len(field); n > 1 && field[0] == '"' && field[n-1] == '"' {
			field = field[1 : n-1]
		}
		dst = append(dst, field)
	}
	return dst
}
