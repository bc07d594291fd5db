package fetch

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// readARFF reads the format of Weka: attributes with their names, then rows with
// commas between values. Sparse rows are not read.
func readARFF(r io.Reader, named func([]string) error, each sample) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	var attributes, fields []string
	var err error
	inData := false
	for line := 1; in.Scan(); line++ {
		text := strings.TrimSpace(in.Text())
		keyword, rest, _ := strings.Cut(strings.ReplaceAll(text, "\t", " "), " ")
		switch {
		case text == "" || text[0] == '%':
		case inData && text[0] == '{':
			return fmt.Errorf("line %d: a sparse row, which is not read", line)
		case inData:
			if fields, err = splitARFF(fields[:0], text); err == nil {
				err = each(line, fields)
			}
		case strings.EqualFold(keyword, "@relation"):
		case strings.EqualFold(keyword, "@attribute"):
			var name []string
			if name, err = splitARFF(nil, firstWord(strings.TrimSpace(rest))); err == nil {
				attributes = append(attributes, name...)
			}
		case strings.EqualFold(keyword, "@data"):
			inData = true
			err = named(attributes)
		default:
			return fmt.Errorf("line %d is not ARFF: want @relation, @attribute or @data", line)
		}
		if err != nil {
			return err
		}
	}
	if err := in.Err(); err == bufio.ErrTooLong {
		return fmt.Errorf("a line has more than %d KiB", maxLine>>10)
	} else if err != nil {
		return err
	}
	if !inData {
		return errors.New("there is no @data: this is not ARFF")
	}
	return nil
}

// firstWord is a name as it is written, with its quotes if it has any.
func firstWord(text string) string {
	if text != "" && (text[0] == '\'' || text[0] == '"') {
		if end := strings.IndexByte(text[1:], text[0]); end >= 0 {
			return text[:end+2]
		}
	}
	word, _, _ := strings.Cut(text, " ")
	return word
}

// splitARFF appends the values of a row, which may be in quotes of either kind.
func splitARFF(dst []string, row string) ([]string, error) {
	for {
		row = strings.TrimLeft(row, " \t")
		var field string
		if row != "" && (row[0] == '\'' || row[0] == '"') {
			end := strings.IndexByte(row[1:], row[0])
			if end < 0 {
				return dst, fmt.Errorf("a quote is left open: %.40q", row)
			}
			field, row = row[1:end+1], strings.TrimLeft(row[end+2:], " \t")
			if row != "" && row[0] != ',' {
				return dst, fmt.Errorf("text behind a quote: %.40q", row)
			}
		} else if end := strings.IndexByte(row, ','); end >= 0 {
			field, row = strings.TrimSpace(row[:end]), row[end:]
		} else {
			field, row = strings.TrimSpace(row), ""
		}
		dst = append(dst, field)
		if row == "" {
			return dst, nil
		}
		row = row[1:]
	}
}
