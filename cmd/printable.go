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
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r == '\n' || r == '\t' || !unicode.IsControl(r):
			b.WriteString(text[i : i+size])
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += size
	}
	return b.String()
}

func isTerminal(w io.Writer) bool {
	fd, ok := descriptor(w)
	return ok && term.IsTerminal(fd)
}

// terminalWidth is in characters.
func terminalWidth(w io.Writer) int {
	if fd, ok := descriptor(w); ok {
		if width, _, err := term.GetSize(fd); err == nil && width > 1 {
			return width
		}
	}
	return 80
}

func descriptor(w io.Writer) (fd int, ok bool) {
	if s, ok := w.(*stream); ok {
		w = s.file
	}
	f, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	return int(f.Fd()), true
}
