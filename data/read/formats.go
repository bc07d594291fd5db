package read

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// headSize is the number of bytes at the start of a file for recognising its format.
const headSize = 512

// knownFormats are the first bytes of files that people give as tables by mistake.
var knownFormats = []struct {
	magic, name string
	at          int
}{
	{"PARE", "an encrypted Parquet file", 0},
	{"PK\x05\x06", "an empty zip file", 0},
	{"\xd0\xcf\x11\xe0", "an old spreadsheet or document (.xls)", 0},
	{"\x89HDF", "an HDF5 file", 0},
	{"CDF\x01", "a NetCDF file", 0},
	{"CDF\x02", "a NetCDF file", 0},
	{"SQLite format 3", "an SQLite database", 0},
	{"ARROW1", "an Arrow (Feather) file", 0},
	{"FEA1", "a Feather file", 0},
	{"ORC", "an ORC file", 0},
	{"Obj\x01", "an Avro file", 0},
	{"\x93NUMPY", "a NumPy array (.npy)", 0},
	{"\x80\x02", "a Python pickle", 0},
	{"\x80\x03", "a Python pickle", 0},
	{"\x80\x04", "a Python pickle", 0},
	{"\x80\x05", "a Python pickle", 0},
	{"MATLAB 5.0", "a MATLAB file", 0},
	{"RDX", "an R data file", 0},
	{"X\n\x00", "an R data file (.rds)", 0},
	{"\x89PNG", "a PNG image", 0},
	{"\xff\xd8\xff", "a JPEG image", 0},
	{"GIF8", "a GIF image", 0},
	{"II*\x00", "a TIFF image", 0},
	{"MM\x00*", "a TIFF image", 0},
	{"%PDF-", "a PDF document", 0},
	{"BZh", "a bzip2 file", 0},
	{"\xfd7zXZ", "an xz file", 0},
	{"\x28\xb5\x2f\xfd", "a zstd file", 0},
	{"7z\xbc\xaf", "a 7z archive", 0},
	{"Rar!", "a RAR archive", 0},
	{"\x1f\x8b", "a gzip file within a gzip file", 0},
	{"\x7fELF", "a program", 0},
	{"ustar", "a tar archive", 257},
}

// unreadableFormatError returns an error that names the format of a file other than UTF-8 text: text[at], in
// the given line, is a byte that UTF-8 text cannot have. head is the start of the file.
func unreadableFormatError(head, text []byte, at, line int) error {
	const needed = "; a table as CSV text in UTF-8, JSON, Parquet or .xlsx is needed"
	for _, bom := range []struct{ mark, name string }{
		{"\xff\xfe\x00\x00", "UTF-32"}, {"\x00\x00\xfe\xff", "UTF-32"},
	} {
		if bytes.HasPrefix(head, []byte(bom.mark)) {
			return &formatError{message: suggestConversion("the text", bom.name)}
		}
	}
	binary := bytes.ContainsFunc(head, func(r rune) bool { return r < 0x20 && !strings.ContainsRune("\t\n\r\f", r) })
	for _, f := range knownFormats {
		if !binary && f.magic != "%PDF-" { // a header may begin with any word
			continue
		}
		if len(head) > f.at && bytes.HasPrefix(head[f.at:], []byte(f.magic)) {
			return &formatError{message: "this is " + f.name + needed}
		}
	}
	if name := detectWideEncoding(head); name != "" {
		return &formatError{message: suggestConversion("the text", name)}
	}
	if text[at] == 0 {
		return &formatError{line, "a NUL byte: this is binary data, not text" + needed}
	}
	around := text[max(0, at-1000):min(len(text), at+1000)]
	name := "ISO-8859-1 (Latin-1)"
	for _, b := range around {
		if b >= 0x80 && b < 0xa0 {
			name = "WINDOWS-1252"
		}
		if b < 0x20 && b != '\t' && b != '\n' && b != '\r' && b != '\f' {
			return &formatError{line, fmt.Sprintf("the byte 0x%02x: this is binary data, not text%s", text[at], needed)}
		}
	}
	return &formatError{line, suggestConversion(fmt.Sprintf("the byte 0x%02x is not UTF-8: the text", text[at]), name)}
}

// suggestConversion returns the message for a text in the encoding of the given name.
func suggestConversion(what, name string) string {
	code, _, _ := strings.Cut(name, " ")
	return fmt.Sprintf("%s seems to be %s; UTF-8 is needed: convert it with iconv -f %s -t UTF-8 FILE > NEW", what, name, code)
}

// detectWideEncoding returns the encoding of UTF-16 or UTF-32 without a byte order mark, and "" for
// other text. In the characters of numbers and of most names, all bytes but the lowest are 0.
func detectWideEncoding(head []byte) string {
	var zero, other [4]int
	for i, b := range head {
		if b == 0 {
			zero[i%4]++
		} else {
			other[i%4]++
		}
	}
	switch {
	case zero[0] == 0 && zero[1] > 2*other[1] && zero[2] > 0 && other[2]+other[3] == 0:
		return "UTF-32LE"
	case zero[3] == 0 && zero[2] > 2*other[2] && zero[1] > 0 && other[1]+other[0] == 0:
		return "UTF-32BE"
	case zero[0]+zero[2] == 0 && zero[1]+zero[3] > 2*(other[1]+other[3]) && other[0] > 0:
		return "UTF-16LE"
	case zero[1]+zero[3] == 0 && zero[0]+zero[2] > 2*(other[0]+other[2]) && other[1] > 0:
		return "UTF-16BE"
	}
	return ""
}

var (
	markupStart   = regexp.MustCompile(`^(?i:<!doctype|<html|<\?xml|<head|<svg)`)
	jsonListStart = regexp.MustCompile(`^\[\s*\[`)
)

// explainNonTable returns why text cannot be a table, judged by its first row: it is HTML, XML or lists
// of JSON, or its lines end in a carriage return alone. It returns "" if it can be a table.
func explainNonTable(head []byte) string {
	trimmed := bytes.TrimLeft(head, " \t\r\n")
	switch {
	case markupStart.Match(trimmed):
		return "this is HTML or XML, not a table; was it downloaded from a page that asks for something first?"
	case jsonListStart.Match(trimmed):
		return `this is JSON of lists; of JSON an object for each row is needed, such as {"a": 1, "b": "x"}`
	}
	inQuotes := false
	for i, b := range trimmed {
		switch {
		case b == '"':
			inQuotes = !inQuotes
		case inQuotes:
		case b == '\n':
			return ""
		case b == '\r' && i+1 < len(trimmed) && trimmed[i+1] != '\n' && trimmed[i+1] != '\r':
			return `lines end in a carriage return alone, as on old Macs; convert them with tr '\r' '\n' < FILE > NEW`
		}
	}
	return ""
}
