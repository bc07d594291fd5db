package cmd

import (
	"io"
	"os"

	"golang.org/x/term"
)

// terminalWidth is how many characters a line of the terminal has that w writes to; 0:
// it writes to none.
func terminalWidth(w io.Writer) int {
	if s, ok := w.(*sticky); ok {
		w = s.out
	}
	if p, ok := w.(*printable); ok {
		w = p.out
	}
	if s, ok := w.(*stream); ok {
		w = s.file
	}
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
