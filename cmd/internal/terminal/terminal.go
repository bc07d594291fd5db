// Package terminal prints what people read: results, tables, notes and progress, on a
// terminal or on any other stream.
package terminal

import (
	"io"
	"os"

	"golang.org/x/term"
)

// terminalFile returns the file that w writes to, through the writers of this package; nil if w
// writes to no file.
func terminalFile(w io.Writer) *os.File {
	for {
		switch inner := w.(type) {
		case *os.File:
			return inner
		case interface{ Unwrap() io.Writer }:
			w = inner.Unwrap()
		default:
			return nil
		}
	}
}

// IsTerminal reports whether w writes to a terminal.
func IsTerminal(w io.Writer) bool {
	f := terminalFile(w)
	return f != nil && term.IsTerminal(int(f.Fd()))
}

// Width returns the number of characters in a line of the terminal that w writes to, or 0 if
// w writes to no terminal.
func Width(w io.Writer) int {
	f := terminalFile(w)
	if f == nil {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
