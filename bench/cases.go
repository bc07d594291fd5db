package main

import "fmt"

// benchmark is one case for all engines.
type benchmark struct {
	Case        string // a method's name and "-step", "predict", or a name of products
	Features    int    // inputs; of products channels
	Batch       int    // rows of a step, or to predict; images
	repetitions map[string]int
}

// String is what -case looks at.
func (b benchmark) String() string { return fmt.Sprintf("%s %d %d", b.Case, b.Features, b.Batch) }

// Repetitions of a round by engine; an engine that is not there is left out.
var (
	steps      = map[string]int{"compiled": 2000, "tape": 60, "torch": 150}
	largeSteps = map[string]int{"compiled": 400, "tape": 12, "torch": 60}
	sampling   = map[string]int{"compiled": 8, "tape": 1, "torch": 2}
	images     = map[string]int{"compiled": 30, "tape": 1, "torch": 20}
)

// methodsTimed are in the order of the table: those of the paper's set that have steps
// of their own, then the others.
var methodsTimed = []string{
	"sml", "mc", "pu",
	"beta-nll", "quantiles", "student-t", "evidential", "mdn", "crps", "adv-de", "w-dropout", "mc-pu", "concrete", "bayes",
}

// benchmarks returns all cases, those of one size next to each other.
func benchmarks() []benchmark {
	var list []benchmark
	of := func(features, batch int, repetitions map[string]int, methods ...string) {
		for _, m := range methods {
			list = append(list, benchmark{m + "-step", features, batch, repetitions})
		}
	}
	of(13, 100, steps, methodsTimed...)
	of(81, 100, steps, "sml")
	of(90, 500, largeSteps, methodsTimed...)
	return append(list,
		benchmark{"predict", 13, 1000, sampling},
		benchmark{"convolution", 16, 32, images},
		benchmark{"conv-products", 16, 32, images},
	)
}
