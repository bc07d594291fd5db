package drawing

import (
	"fmt"
	"slices"
	"strings"
)

// CountNote returns a panel's note on the number of values that it does not show, such as "3 beyond the
// axis", or "" if count is 0.
func CountNote(count int, reason string) string {
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s", count, reason)
}

// JoinNotes joins the notes with commas and skips empty ones.
func JoinNotes(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(note string) bool { return note == "" }), ", ")
}
