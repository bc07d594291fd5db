package rowio

import (
	"fmt"
	"io"

	"sml/cmd/internal/terminal"
)

// Values of --on-error, which say what happens to a row that cannot be predicted.
const (
	Fail = "fail" // end the program
	Skip = "skip" // leave the row out
	Null = "null" // leave its predictions empty
)

// refusals counts the rows that cannot be predicted.
type refusals struct {
	rows    int
	reasons []string // reasons of the first rows, at most maxReasons
}

// maxReasons is the number of rows whose reasons are printed.
const maxReasons = 5

// add counts a row.
func (r *refusals) add(reason string) {
	r.rows++
	if len(r.reasons) < maxReasons {
		r.reasons = append(r.reasons, reason)
	}
}

// join adds the refusals of rows that come later in the file.
func (r *refusals) join(later refusals) {
	r.rows += later.rows
	room := maxReasons - len(r.reasons)
	r.reasons = append(r.reasons, later.reasons[:min(room, len(later.reasons))]...)
}

// print prints how many of all rows have been refused, and why. effect says what became of them, such
// as "left out". It prints nothing if no row was refused.
func (r *refusals) print(w io.Writer, effect string, allRows int) {
	if r.rows == 0 {
		return
	}
	fmt.Fprintf(w, "sml: %d of %s %s:\n", r.rows, terminal.Count(allRows, "row"), effect)
	for _, reason := range r.reasons {
		fmt.Fprintf(w, "  %s\n", reason)
	}
	if more := r.rows - len(r.reasons); more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}
