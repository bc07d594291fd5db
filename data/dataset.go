package data

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sml/internal/registry"
)

// Dataset is a table that is known by its name. It is read from a file, a CSV with
// a header, or made.
type Dataset struct {
	Name     string `json:"name"`     // also of its file, NAME.csv
	Rows     int    `json:"rows"`     // samples of the whole table
	Features int    `json:"features"` // inputs
	Target   string `json:"target"`   // name of the target's column
	Meaning  string `json:"-"`        // of the target, with its unit
	Source   string `json:"source"`
	Licence  string `json:"licence"`
	Remarks  string `json:"-"` // what the table leaves out of its source; may be empty

	// Checksum is Table.Checksum of the whole table, of a file in any dialect. A
	// file of other names or values is read all the same, and Table.Differs says
	// so. "": it is not known.
	Checksum string `json:"-"`

	// Make makes the table, the same of the same seed; nil: it is read from a file.
	Make func(ctx context.Context, seed uint64) (*Table, error) `json:"-"`

	PaperSkips int `json:"-"` // first rows of the file that the paper's reading lost
}

var datasets = registry.New("data set", func(d Dataset) string { return d.Name }, "")

func init() {
	for _, d := range slices.Concat(benchmarks, toys) {
		Register(d)
	}
}

// Register adds a data set. It panics when the data set has no shape or its name
// is taken, which is a mistake in the program.
func Register(d Dataset) {
	if d.Rows < 1 || d.Features < 1 || d.Target == "" || d.PaperSkips < 0 || d.PaperSkips >= d.Rows {
		panic(fmt.Sprintf("data: data set %q needs rows, features and a target", d.Name))
	}
	datasets.Add(d)
}

// Datasets returns every data set: those of the paper, the toys, and others in the
// order in which they were registered.
func Datasets() []Dataset { return datasets.All() }

// Lookup returns the data set of that name.
func Lookup(name string) (Dataset, error) { return datasets.Lookup(name) }

// RemarksUnder are the remarks, with what reading under the given protocol leaves out.
func (d Dataset) RemarksUnder(protocol Protocol) string {
	if d.RowsUnder(protocol) == d.Rows {
		return d.Remarks
	}
	return strings.TrimPrefix(d.Remarks+"; the first row is lost, read as a header", "; ")
}

// RowsUnder is the number of samples that Load returns under the given protocol.
func (d Dataset) RowsUnder(protocol Protocol) int {
	if protocol == Paper {
		return d.Rows - d.PaperSkips
	}
	return d.Rows
}
