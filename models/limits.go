package models

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"sml/graph"
)

// Range is the set of numbers from Min to Max, both included.
type Range struct{ Min, Max float64 }

// Contains reports whether v is in the range. NaN is in no range.
func (r Range) Contains(v float64) bool { return v >= r.Min && v <= r.Max }

// String returns a text such as "1 to 1000".
func (r Range) String() string {
	if r.Min == r.Max {
		return formatNumber(r.Min)
	}
	return formatNumber(r.Min) + " to " + formatNumber(r.Max)
}

// Check returns an error that names the range if v is outside it. name is the setting with the value v,
// such as "epochs".
func (r Range) Check(name string, v int) error {
	if !r.Contains(float64(v)) {
		return fmt.Errorf("%s is %d: want %v", name, v, r)
	}
	return nil
}

// formatNumber returns the text of a number: whole numbers below a billion without an exponent.
func formatNumber(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e9 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Limits are the allowed sizes of trainings and models. A model that is loaded has the same limits as one
// that is trained, so that every trained model can be loaded, and a damaged or malicious file is refused
// before memory is allocated for it. The limits are far above the sizes of regression networks; their
// products neither overflow nor exceed the memory of a large machine.
var Limits = struct {
	Inputs   Range // input columns
	Targets  Range // target columns
	Outputs  Range // network outputs, over all targets
	Layers   Range // hidden layers; the graph is built and compiled layer by layer
	Bins     Range // bins of one input; 0 for none
	Periodic Range // frequencies of one input; 0 for none
	Units    Range // units of one layer; the weights between two layers of the maximum take 16 GiB
	Copies   Range // networks in a network, each with units of its own
	Members  Range // networks of an ensemble, each with a graph of its own
	Epochs   Range // each is a line of the history
	Batch    Range // rows of a step; larger tables take several steps
	Samples  Range // sub-networks: 2 have a standard deviation, a million give it to a thousandth

	InnerFolds Range // folds into which the training rows are divided
}{
	Inputs:   Range{1, 1 << 16},
	Targets:  Range{1, 1 << 16},
	Outputs:  Range{1, 1 << 16},
	Layers:   Range{0, 1000},
	Bins:     Range{0, 256},
	Periodic: Range{0, 64},
	Units:    Range{1, 1 << 16},
	Copies:   Range{1, 256},
	Members:  Range{1, 1000},
	Epochs:   Range{1, 1_000_000},
	Batch:    Range{1, 1 << 20},
	Samples:  Range{2, 1_000_000},

	InnerFolds: Range{2, 100},
}

// Bounds of combinations of settings.
const (
	// maxDropped bounds the hidden layers of a network that drops units: dropout masks distinguish 256
	// layers (graph.Builder.Dropout).
	maxDropped = 256

	// maxUnits bounds the units of all layers of all members together, with inputs and outputs. A row of
	// a batch has a few values for each.
	maxUnits = 1 << 20

	// MaxWeights bounds the weights of all members together: 1 GiB of float32. A training needs about
	// eight times this memory, for gradients, moments, snapshots and the checkpoint.
	MaxWeights = 1 << 28

	// maxActivations bounds the units of all layers of all members times the rows of a batch: 1 GiB for each copy that a graph keeps.
	maxActivations = 1 << 28

	// maxHistory bounds members times epochs, the lines of a history: about half a GiB of memory.
	maxHistory = 5_000_000

	// maxHistoryColumns bounds the values of an epoch: no objective has nearly as many terms and watched nodes.
	maxHistoryColumns = 50
)

// dropoutRange is the range of a dropout rate other than 0. Masks are drawn with 16 bits: a smaller rate
// would drop nothing, and a larger one everything.
var dropoutRange = Range{1.0 / (1 << 16), 1 - 1.0/(1<<16)}

// units returns the number of units of the network and its copies, with inputs, their sines and cosines, and outputs.
func (a Architecture) units() int {
	n := a.Outputs
	for _, width := range a.Hidden {
		n += width
	}
	waves := 2 * a.Periodic * len(a.periodicInputs())
	return a.Inputs + waves + a.CopyCount()*n
}

// CountWeights returns the number of weights and biases of a fully connected network, with its embeddings. Copies share
// the weights of the hidden layers.
func (a Architecture) CountWeights() int {
	n := a.embeddedInputs() * a.EmbeddingWidth
	inputs := a.FirstLayerInputs()
	for _, width := range a.Hidden {
		n += (inputs + 1) * width // cannot overflow: at most 1000 layers with 2³² weights
		inputs = width
	}
	return n + a.CopyCount()*(inputs+1)*a.Outputs
}

// checkSize returns an error that names the bound if an ensemble of networks of the architecture,
// trained in batches of batch rows, has too many units, weights or values of a step. Each of its numbers
// has to be within Limits.
func (a Architecture) checkSize(members, batch int) error {
	inMembers := ""
	if members > 1 {
		inMembers = fmt.Sprintf(" in its %d members", members)
	}
	units := members * a.units()
	weights := members * a.CountWeights()
	switch {
	case units > maxUnits:
		return fmt.Errorf("the network has %d units%s, inputs and outputs among them: want at most %d", units, inMembers, maxUnits)
	case weights > MaxWeights:
		return fmt.Errorf("the network has %d weights%s: want at most %d; choose narrower or fewer layers", weights, inMembers, MaxWeights)
	case batch*units > maxActivations:
		return fmt.Errorf("a batch of %d rows of a network with %d units%s holds %d values: want at most %d; choose a batch of at most %d rows",
			batch, units, inMembers, batch*units, maxActivations, maxActivations/units)
	}
	return nil
}

// CheckHistory returns an error that names the bound if the history of a training would be too long.
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

// CheckHistoryColumns returns an error if a history cannot have these columns, the loss, its terms and watched nodes: if
// there are too many, or if a name is empty or repeated.
func CheckHistoryColumns(columns []string) error {
	if len(columns) > maxHistoryColumns {
		return fmt.Errorf("a history of the loss, its terms and watched nodes has %d columns: want at most %d; add up some of the terms, or watch fewer nodes", len(columns), maxHistoryColumns)
	}
	for i, name := range columns {
		if name == "" || name == "member" || name == "epoch" || slices.Contains(columns[:i], name) {
			return fmt.Errorf("a term of the objective or a watched node is named %q: want a name that is not empty, \"member\" or \"epoch\", and different from the other columns of the history", name)
		}
	}
	return nil
}

// checkWeights returns an error if the parameters of the network and the objective, in all members, are
// more than MaxWeights.
func checkWeights(params *graph.Params, members int) error {
	perMember := 0.0 // a float64 does not wrap around as an int: objectives may declare parameters of any size
	for _, p := range params.List() {
		perMember += float64(float64(p.Rows) * float64(p.Columns))
	}
	total := perMember * float64(members)
	if total > MaxWeights {
		return fmt.Errorf("the network has %.0f weights in %d members: want at most %d", total, members, MaxWeights)
	}
	return nil
}
