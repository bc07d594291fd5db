package cmd

import (
	"io"
	"os"

	"golang.org/x/term"
)

// terminalWidth returns the number of characters in a line of the terminal that w
// writes to, or 0 if w writes to no terminal.
func terminalWidth(w io.Writer) int {
	if s, ok := w.(*resultWriter); ok {
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
