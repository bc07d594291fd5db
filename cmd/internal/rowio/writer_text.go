package rowio

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// appendCSV appends a row as a line of CSV. Absent values are empty fields.
func (w *Writer) appendCSV(dst []byte, row []Cell) []byte {
	for i, c := range row {
		if i > 0 {
			dst = append(dst, ',')
		}
		kind := w.columns[i].Kind
		switch {
		case kind.isAbsent(c):
		case kind.isText():
			dst = appendField(dst, c.Text)
		default:
			dst = w.appendNumber(dst, kind, c.Number)
		}
	}
	return append(dst, '\n')
}

// appendHeader appends the names of the columns as a line of CSV.
func (w *Writer) appendHeader(dst []byte) []byte {
	for i, c := range w.columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		if strings.ContainsAny(c.Name, ";\t") { // a reader could take these for the delimiter
			dst = appendQuoted(dst, c.Name)
		} else {
			dst = appendField(dst, c.Name)
		}
	}
	return append(dst, '\n')
}

// appendObject appends a row as a line with a JSON object. Absent texts are null; absent numbers are
// left out unless the writer writes nulls.
func (w *Writer) appendObject(dst []byte, row []Cell) []byte {
	dst = append(dst, '{')
	start := len(dst)
	for i, c := range row {
		kind := w.columns[i].Kind
		absent := kind.isAbsent(c)
		if absent && kind == Number && !w.nulls {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ',')
		}
		dst = append(dst, w.keys[i]...)
		switch {
		case absent:
			dst = append(dst, "null"...)
		case kind.isText():
			dst = appendString(dst, c.Text)
		default:
			dst = w.appendNumber(dst, kind, c.Number)
		}
	}
	return append(dst, "}\n"...)
}

// appendNumber appends a number of a column of kind Whole or Number.
func (w *Writer) appendNumber(dst []byte, kind Kind, v float64) []byte {
	if kind == Whole {
		return strconv.AppendInt(dst, int64(v), 10)
	}
	return strconv.AppendFloat(dst, v, 'g', w.digits, 64)
}

// appendField appends a field of CSV. It is quoted if it has a comma, a quote or a line end, or spaces
// at an end, which some readers would drop.
func appendField(dst []byte, text string) []byte {
	if strings.ContainsAny(text, ",\"\r\n") || strings.TrimSpace(text) != text {
		return appendQuoted(dst, text)
	}
	return append(dst, text...)
}

// appendQuoted appends a field of CSV in quotes, with the quotes in it doubled (RFC 4180).
func appendQuoted(dst []byte, text string) []byte {
	dst = append(dst, '"')
	dst = append(dst, strings.ReplaceAll(text, `"`, `""`)...)
	return append(dst, '"')
}

// appendString appends a JSON string. Most texts need no escapes and are copied, which is faster than
// encoding them.
func appendString(dst []byte, text string) []byte {
	if needsEscapes(text) {
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		encoder.Encode(text) // cannot fail: each text has a JSON form, and a buffer takes it
		return append(dst, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...)
	}
	dst = append(dst, '"')
	dst = append(dst, text...)
	return append(dst, '"')
}

// needsEscapes reports whether a text has a byte that may need an escape in JSON: a control
// character, a quote, a backslash, or a byte beyond ASCII, which may be invalid UTF-8.
func needsEscapes(text string) bool {
	const deleteByte = 0x7f // the first byte after the printable ASCII characters
	for i := range len(text) {
		b := text[i]
		if b < ' ' || b >= deleteByte || b == '"' || b == '\\' {
			return true
		}
	}
	return false
}
