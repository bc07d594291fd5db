package models

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"sml/graph"
)

// Range is the numbers from Min to Max, both included.
type Range struct{ Min, Max float64 }

// Has tells whether v is in the range. NaN is in none.
func (r Range) Has(v float64) bool { return v >= r.Min && v <= r.Max }

func (r Range) String() string {
	if r.Min == r.Max {
		return number(r.Min)
	}
	return number(r.Min) + " to " + number(r.Max)
}

// Check returns an error that names the range if v is not in it. what is what
// v is a number of, such as epochs.
func (r Range) Check(what string, v int) error {
	if !r.Has(float64(v)) {
		return fmt.Errorf("%s is %d: want %v", what, v, r)
	}
	return nil
}

// number writes whole numbers up to a billion in full.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e9 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Limits bound what is trained and what is loaded, the same for both: what a
// training can write, a reader takes, and what no training can have written, it
// refuses before it asks for memory. They are far above what regression
// networks are trained with, and low enough that products of them neither
// overflow nor ask for more memory than a large machine has.
var Limits = struct {
	Inputs  Range // columns; as many as a layer has units
	Targets Range // columns
	Outputs Range // of the network, over all targets
	Layers  Range // that are hidden; a graph is built and compiled layer by layer
	Units   Range // of one layer: two such layers have 16 GiB of weights between them already
	Members Range // networks of an ensemble, each with a graph of its own
	Epochs  Range // each is a line of the history
	Batch   Range // rows of a step; a larger table still makes several
	Samples Range // sub-networks: 2 have a spread, a million know it to a thousandth

	InnerFolds Range // number of folds into which training rows are divided
}{
	Inputs:  Range{1, 1 << 16},
	Targets: Range{1, 1 << 16},
	Outputs: Range{1, 1 << 16},
	Layers:  Range{0, 1000},
	Units:   Range{1, 1 << 16},
	Members: Range{1, 1000},
	Epochs:  Range{1, 1_000_000},
	Batch:   Range{1, 1 << 20},
	Samples: Range{2, 1_000_000},

	InnerFolds: Range{2, 100},
}

// Bounds of what comes of several settings together.
const (
	// maxDropped bounds the hidden layers of a network that drops units: masks
	// tell 256 layers apart (graph.Builder.Dropout).
	maxDropped = 256

	// maxUnits bounds the units of all layers and members together, inputs and
	// outputs among them: a row of a batch has a few values for each.
	maxUnits = 1 << 20

	// MaxWeights bounds the weights of all members together: 1 GiB of float32.
	// A training holds them about eight times over, with gradients, moments,
	// snapshots and the checkpoint.
	MaxWeights = 1 << 28

	// maxActivations bounds the units of all layers and members times the rows
	// of a batch: 1 GiB for each time that a graph keeps them.
	maxActivations = 1 << 28

	// maxHistory bounds members times epochs, the lines of a history: about
	// half a GiB of memory.
	maxHistory = 5_000_000
)

// dropoutRange is that of a rate which is not 0: masks are drawn with 16 bits,
// so a smaller one would drop nothing, and a larger one everything.
var dropoutRange = Range{1.0 / (1 << 16), 1 - 1.0/(1<<16)}

// units returns the number of units of a network, inputs and outputs among them.
func (a Architecture) units() int {
	n := a.Inputs + a.Outputs
	for _, width := range a.Hidden {
		n += width
	}
	return n
}

// weights is the number of weights of a fully connected network.
func (a Architecture) weights() int {
	n, inputs := 0, a.Inputs
	for _, width := range a.Hidden {
		n += (inputs + 1) * width // no overflow: 1000 layers of 2³²
		inputs = width
	}
	return n + (inputs+1)*a.Outputs
}

// checkSize returns an error that names the bound if so many members of the
// architecture, in batches of so many rows, would be too large: in units, in
// weights, or in the values of a step. Each number is within its limits.
func (a Architecture) checkSize(members, batch int) error {
	of := ""
	if members > 1 {
		of = fmt.Sprintf(" in its %d members", members)
	}
	units := members * a.units()
	switch {
	case units > maxUnits:
		return fmt.Errorf("the network has %d units%s, inputs and outputs among them: want at most %d", units, of, maxUnits)
	case members*a.weights() > MaxWeights:
		return fmt.Errorf("the network has %d weights%s: want at most %d; choose narrower or fewer layers", members*a.weights(), of, MaxWeights)
	case batch*units > maxActivations:
		return fmt.Errorf("a batch of %d rows of a network with %d units%s holds %d values: want at most %d; choose a batch of at most %d rows",
			batch, units, of, batch*units, maxActivations, maxActivations/units)
	}
	return nil
}

// CheckHistory returns an error that names the bound if so many members and
// epochs would make too long a history.
func CheckHistory(members, epochs int) error {
	if err := Limits.Members.Check("the number of members", members); err != nil {
		return err
	}
	if err := Limits.Epochs.Check("epochs", epochs); err != nil {
		return err
	}
	if members*epochs > maxHistory {
		return fmt.Errorf("%d members times %d epochs are %d: want at most %d", members, epochs, members*epochs, maxHistory)
	}
	return nil
}

// CheckHistoryColumns returns an error if a history of a loss, its terms and watched nodes could
// not be read again: if there are too many columns, or two of one name.
func CheckHistoryColumns(columns []string) error {
	if len(columns) > maxHistoryColumns {
		return fmt.Errorf("a history of the loss, its terms and watched nodes has %d columns: want at most %d; add up some of the terms, or watch fewer nodes", len(columns), maxHistoryColumns)
	}
	for i, name := range columns {
		if name == "" || name == "member" || name == "epoch" || slices.Contains(columns[:i], name) {
			return fmt.Errorf("a term of the objective, or what is logged of a watched node, is called %q, as another column of the history is, or nothing: give each a name of its own", name)
		}
	}
	return nil
}

// checkWeights holds the parameters that a network and its objective have
// declared, in so many members, to the bound.
func checkWeights(params *graph.Params, members int) error {
	n := 0.0 // of objectives from outside, whose parameters are of any size
	for _, p := range params.List() {
		n += float64(float64(p.Rows) * float64(p.Columns))
	}
	if n *= float64(members); n > MaxWeights {
		return fmt.Errorf("the network has %.0f weights in %d members: want at most %d", n, members, MaxWeights)
	}
	return nil
}
