package main

import (
	"fmt"
	"slices"
)

// benchmark is one case for all engines. What a convolution has are kernels, channels
// and images.
type benchmark struct {
	Case   string `json:"case"` // a method's name and "-step", "predict", or a name of products
	Width  int    `json:"width"`
	Inputs int    `json:"inputs"`
	Rows   int    `json:"rows"` // of a step, or to predict
}

// String is what -case looks at.
func (b benchmark) String() string {
	return fmt.Sprintf("%s %d %d %d", b.Case, b.Width, b.Inputs, b.Rows)
}

// batches is of how many batches the table is that a case trains on.
func (b benchmark) batches() int { return max(5, min(20, 50_000/b.Rows)) }

// side is an engine on so many threads.
type side struct {
	Engine  string `json:"engine"`
	Threads int    `json:"threads"`
}

// The engines: two of our own, PyTorch, and PyTorch with ten networks stacked and trained
// at once, by its own dropout and by a quicker one of 16 random bits a unit.
const (
	compiled, tape               = "compiled", "tape"
	torch, stacked, stacked16    = "torch", "stacked", "stacked16"
	networks                     = 10             // of a stack
	stackedWidth, stackedNumbers = 256, 1_000_000 // up to which stacks are timed: units of a layer, and these times rows
)

// ours tells our engines from PyTorch's.
func (s side) ours() bool { return s.Engine == compiled || s.Engine == tape }

// methodsTimed are in the order of the table: those of the paper's set that have steps
// of their own, then the others.
var methodsTimed = []string{
	"sml", "mc", "pu",
	"beta-nll", "quantiles", "student-t", "evidential", "mdn", "crps", "adv-de", "w-dropout", "mc-pu", "concrete", "bayes",
}

// Threads and sizes of the SML step, beside those of the methods.
var (
	threads = []int{1, 2}
	widths  = []int{50, 256, 512, 1024}
	rows    = []int{10, 100, 500, 1000, 10_000}
)

// methodCases compare methods, at the widths of the paper, and what else there is.
func methodCases() []benchmark {
	var list []benchmark
	for _, size := range []benchmark{{Inputs: 13, Rows: 100}, {Inputs: 81, Rows: 100}, {Inputs: 90, Rows: 500}} {
		for _, m := range methodsTimed {
			if m == "sml" || size.Inputs != 81 {
				list = append(list, benchmark{m + "-step", 50, size.Inputs, size.Rows})
			}
		}
	}
	return append(list, benchmark{"predict", 50, 13, 1000}, benchmark{"convolution", 32, 16, 32}, benchmark{"conv-products", 32, 16, 32})
}

// sizeCases compare sizes of the SML step.
func sizeCases() []benchmark {
	list := []benchmark{{"sml-step", 50, 13, 100}}
	for _, w := range widths {
		for _, r := range rows {
			list = append(list, benchmark{"sml-step", w, 90, r})
		}
	}
	return list
}

// benchmarks returns all cases.
func benchmarks() []benchmark {
	list := methodCases()
	for _, b := range sizeCases() {
		if !slices.Contains(list, b) {
			list = append(list, b)
		}
	}
	return list
}

// sides are who runs a case, in their turns.
func (b benchmark) sides() []side {
	var list []side
	if slices.Contains(methodCases(), b) {
		list = []side{{compiled, 1}, {tape, 1}, {torch, 1}}
	}
	if !slices.Contains(sizeCases(), b) {
		return list
	}
	engines := []string{compiled, torch}
	if b.Width <= stackedWidth && b.Width*b.Rows <= stackedNumbers {
		engines = append(engines, stacked, stacked16)
	}
	for _, n := range threads {
		for _, e := range engines {
			if s := (side{e, n}); !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
	}
	return list
}
