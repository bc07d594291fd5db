package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// What becomes of a row that cannot be predicted.
const (
	failOnError = "fail"
	skipOnError = "skip"
	nullOnError = "null"
)

func onErrorFlag() cli.Flag {
	all := []string{failOnError, skipOnError, nullOnError}
	return &cli.StringFlag{
		Name: "on-error", Value: failOnError, Usage: "`WHAT` to do with a row that cannot be predicted: fail (end the program), skip (leave the row out) or null (leave its predictions empty and write the reason into the column error)",
		Action: func(_ *cli.Context, v string) error {
			if !slices.Contains(all, v) {
				return usage("--on-error %q: there is %s", v, strings.Join(all, ", "))
			}
			return nil
		},
	}
}

// refusals are rows that cannot be predicted.
type refusals struct {
	rows    int
	reasons []string // of the first of them
}

const mostReasons = 5

func (r *refusals) add(why string) {
	if r.rows++; len(r.reasons) < mostReasons {
		r.reasons = append(r.reasons, why)
	}
}

// join adds those of rows further down.
func (r *refusals) join(more refusals) {
	r.rows += more.rows
	r.reasons = append(r.reasons, more.reasons[:min(len(more.reasons), mostReasons-len(r.reasons))]...)
}

// tell says how many rows there are of so many, and why.
func (r *refusals) tell(w io.Writer, what string, of int) {
	if r.rows == 0 {
		return
	}
	fmt.Fprintf(w, "sml: %d of %s %s:\n", r.rows, count(of, "row"), what)
	for _, why := range r.reasons {
		fmt.Fprintf(w, "  %s\n", why)
	}
	if more := r.rows - len(r.reasons); more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}
