package drawing

import (
	"fmt"
	"slices"
	"strings"
)

// CountNote returns a panel's note on values that it does not show, such as "3 beyond the axis". It
// returns "" if n is 0.
func CountNote(n int, reason string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s", n, reason)
}

// JoinNotes joins the notes that are not empty with commas.
func JoinNotes(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(note string) bool { return note == "" }), ", ")
}
