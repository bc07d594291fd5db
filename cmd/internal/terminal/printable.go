package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable is a writer that escapes control characters, since names of files may have them. If
// two writes split a rune, its bytes are escaped as invalid.
type printable struct{ out io.Writer }

// Printable returns a writer to out that escapes text as EscapeControls does.
func Printable(out io.Writer) io.Writer { return printable{out} }

// Unwrap returns the writer that p writes to.
func (p printable) Unwrap() io.Writer { return p.out }

// Write writes text with control characters escaped. It counts the bytes of text, not of the escapes, as
// an io.Writer must.
func (p printable) Write(text []byte) (int, error) {
	if _, err := io.WriteString(p.out, EscapeControls(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// EscapeControls returns text with control characters and invalid UTF-8 escaped as in Go's
// string literals. Line ends and tabs stay.
func EscapeControls(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		isInvalid := r == utf8.RuneError && size == 1 // the text may also have a valid U+FFFD, of three bytes
		isPlain := !isInvalid && !unicode.IsControl(r)
		switch {
		case isPlain, r == '\n', r == '\t':
			b.WriteString(text[i : i+size])
		case size == 1: // an invalid byte or an ASCII control character
			fmt.Fprintf(&b, `\x%02x`, text[i])
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += size
	}
	return b.String()
}
