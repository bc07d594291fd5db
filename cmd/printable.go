package cmd

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// printable escapes what would control a terminal: a file may be called so.
// A rune that a write cuts in two is taken for two broken ones.
type printable struct{ out io.Writer }

func (p *printable) Write(text []byte) (int, error) {
	if _, err := io.WriteString(p.out, escapeControls(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// escapeControls writes control characters other than line ends and tabs, and
// bytes that are no UTF-8, as Go's strings have them.
func escapeControls(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		broken := r == utf8.RuneError && size == 1
		switch {
		case !broken && !unicode.IsControl(r), r == '\n', r == '\t':
			b.WriteString(text[i : i+size])
		case size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += size
	}
	return b.String()
}

func isTerminal(w io.Writer) bool {
	if s, ok := w.(*stream); ok {
		w = s.file
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
