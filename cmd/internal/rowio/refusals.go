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

// refusals are the rows that cannot be predicted.
type refusals struct {
	rows    int
	reasons []string // reasons of the first rows
}

const maxReasons = 5

func (r *refusals) add(reason string) {
	r.rows++
	if len(r.reasons) < maxReasons {
		r.reasons = append(r.reasons, reason)
	}
}

// join adds the refusals of later rows.
func (r *refusals) join(later refusals) {
	r.rows += later.rows
	r.reasons = append(r.reasons, later.reasons[:min(len(later.reasons), maxReasons-len(r.reasons))]...)
}

// print prints how many of the rows have been refused, and why; effect says what that means
// for the result.
func (r *refusals) print(w io.Writer, effect string, rows int) {
	if r.rows == 0 {
		return
	}
	fmt.Fprintf(w, "sml: %d of %s %s:\n", r.rows, terminal.Count(rows, "row"), effect)
	for _, reason := range r.reasons {
		fmt.Fprintf(w, "  %s\n", reason)
	}
	if more := r.rows - len(r.reasons); more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}
