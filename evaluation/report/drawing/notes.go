package drawing

import (
	"fmt"
	"slices"
	"strings"
)

// Note is "3 where" for a panel's note, or nothing for none.
func Note(n int, where string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s", n, where)
}

// JoinNotes joins the notes, without empty ones.
func JoinNotes(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}
