package read

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// headSize is the number of bytes at the start of a file for recognising its format.
const headSize = 512

// pdfMagic are the first bytes of a PDF document.
const pdfMagic = "%PDF-"

// knownFormats are formats of files that people give as tables by mistake.
var knownFormats = []struct {
	magic  string // bytes that identify the format
	name   string // for messages
	offset int    // of magic in the file
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
	{pdfMagic, "a PDF document", 0},
	{"BZh", "a bzip2 file", 0},
	{"\xfd7zXZ", "an xz file", 0},
	{"\x28\xb5\x2f\xfd", "a zstd file", 0},
	{"7z\xbc\xaf", "a 7z archive", 0},
	{"Rar!", "a RAR archive", 0},
	{"\x1f\x8b", "a gzip file within a gzip file", 0},
	{"\x7fELF", "a program", 0},
	{"ustar", "a tar archive", 257},
}

// neededFormats ends the message about a file in another format.
const neededFormats = "; a table as CSV text in UTF-8, JSON, Parquet or .xlsx is needed"

// unreadableFormatError returns the error for a file other than UTF-8 text, and names the format
// or the encoding that the file seems to have. head is the start of the file. The byte text[bad],
// in the given line, is the first byte that UTF-8 text cannot have.
func unreadableFormatError(head, text []byte, bad, line int) error {
	if hasUTF32Mark(head) {
		return &formatError{message: suggestConversion("the text", "UTF-32")}
	}
	if name := recogniseFormat(head); name != "" {
		return &formatError{message: "this is " + name + neededFormats}
	}
	if encoding := detectWideEncoding(head); encoding != "" {
		return &formatError{message: suggestConversion("the text", encoding)}
	}
	if text[bad] == 0 {
		return &formatError{line, "a NUL byte: this is binary data, not text" + neededFormats}
	}
	const contextBytes = 1000 // bytes on either side that tell text in another encoding from binary data
	context := text[max(0, bad-contextBytes):min(len(text), bad+contextBytes)]
	if slices.ContainsFunc(context, isControlByte) {
		return &formatError{line, fmt.Sprintf("the byte 0x%02x: this is binary data, not text%s", text[bad], neededFormats)}
	}
	problem := fmt.Sprintf("the byte 0x%02x is not UTF-8: the text", text[bad])
	return &formatError{line, suggestConversion(problem, guessByteEncoding(context))}
}

// hasUTF32Mark reports whether a file begins with the byte order mark of UTF-32.
func hasUTF32Mark(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")) || bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff"))
}

// recogniseFormat returns the name of the format whose first bytes the file has, and "" if it is
// none of knownFormats. In a file without control bytes, which may be text, only a PDF is
// recognised: a header may begin with a word such as ORC.
func recogniseFormat(head []byte) string {
	isBinary := slices.ContainsFunc(head, isControlByte)
	for _, format := range knownFormats {
		if !isBinary && format.magic != pdfMagic {
			continue
		}
		if len(head) > format.offset && bytes.HasPrefix(head[format.offset:], []byte(format.magic)) {
			return format.name
		}
	}
	return ""
}

// isControlByte reports whether b is a control character of ASCII that text files do not have.
func isControlByte(b byte) bool {
	return b < 0x20 && b != '\t' && b != '\n' && b != '\r' && b != '\f'
}

// guessByteEncoding returns the likely encoding of text with one byte for each character. The bytes
// 0x80 to 0x9f are letters and signs in Windows-1252, and control characters in Latin-1.
func guessByteEncoding(text []byte) string {
	for _, b := range text {
		if b >= 0x80 && b < 0xa0 {
			return "WINDOWS-1252"
		}
	}
	return "ISO-8859-1 (Latin-1)"
}

// suggestConversion returns the message for a text in another encoding than UTF-8, with a command
// that converts it. The encoding may be followed by another name in parentheses; subject begins the
// message.
func suggestConversion(subject, encoding string) string {
	code, _, _ := strings.Cut(encoding, " ") // as iconv calls it
	return fmt.Sprintf("%s seems to be %s; UTF-8 is needed: convert it with iconv -f %s -t UTF-8 FILE > NEW", subject, encoding, code)
}

// wideEncodings are the encodings with several bytes for each character.
var wideEncodings = []struct {
	name     string
	width    int // bytes of a character
	low      int // offset of a character's lowest byte
	minZeros int // number of zeros for each other byte above which text without a byte order mark counts as this encoding
}{
	{"UTF-32LE", 4, 0, 8}, // reached if two thirds of the characters have a number below 256
	{"UTF-32BE", 4, 3, 8},
	{"UTF-16LE", 2, 0, 2},
	{"UTF-16BE", 2, 1, 2},
}

// detectWideEncoding returns the encoding of UTF-16 or UTF-32 without a byte order mark, and "" for other text. Most
// characters of tables have a number below 256: only the lowest byte of such a character is not 0.
func detectWideEncoding(head []byte) string {
	for _, e := range wideEncodings {
		lowZeros, zeros, others := 0, 0, 0 // zeros and other bytes are counted beside the lowest bytes
		for i, b := range head {
			isLow := i%e.width == e.low
			switch {
			case isLow && b == 0:
				lowZeros++
			case !isLow && b == 0:
				zeros++
			case !isLow:
				others++
			}
		}
		if lowZeros == 0 && zeros > e.minZeros*others && len(head) >= e.width {
			return e.name
		}
	}
	return ""
}

var (
	markupStart   = regexp.MustCompile(`^(?i:<!doctype|<html|<\?xml|<head|<svg)`)
	jsonListStart = regexp.MustCompile(`^\[\s*\[`)
)

// explainNonTable returns why text cannot be a table, judged by its first row: it is HTML, XML or
// lists of JSON, or its lines end in a carriage return alone. It returns "" if it can be a table.
func explainNonTable(head []byte) string {
	trimmed := bytes.TrimLeft(head, " \t\r\n")
	switch {
	case markupStart.Match(trimmed):
		return "this is HTML or XML, not a table; was it downloaded from a page that asks for something first?"
	case jsonListStart.Match(trimmed):
		return `this is JSON of lists; of JSON an object for each row is needed, such as {"a": 1, "b": "x"}`
	case hasBareCarriageReturn(trimmed):
		return `lines end in a carriage return alone, as on old Macs; convert them with tr '\r' '\n' < FILE > NEW`
	}
	return ""
}

// hasBareCarriageReturn reports whether the first line of text that ends outside of quotes ends in
// a carriage return without a line feed. A second carriage return may stand before the line feed.
func hasBareCarriageReturn(text []byte) bool {
	inQuotes := false
	for i, b := range text {
		switch {
		case b == '"':
			inQuotes = !inQuotes
		case inQuotes: // a line end between quotes is part of a field
		case b == '\n':
			return false
		case b == '\r' && i+1 < len(text) && text[i+1] != '\n' && text[i+1] != '\r':
			return true
		}
	}
	return false
}
