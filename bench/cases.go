package main

import (
	"fmt"
	"slices"
)

// benchmark is one case: work of a certain size, which all engines do.
type benchmark struct {
	Case   string `json:"case"`   // METHOD-step, predict, convolution or conv-products
	Width  int    `json:"width"`  // units of each hidden layer; kernels of a convolution
	Inputs int    `json:"inputs"` // features; channels of a convolution
	Rows   int    `json:"rows"`   // rows of a step's batch, or rows to predict; images of a convolution
}

// String returns the text that the regular expression of -case has to match.
func (b benchmark) String() string {
	return fmt.Sprintf("%s %d %d %d", b.Case, b.Width, b.Inputs, b.Rows)
}

// batches returns the number of batches of the table that a case trains on: as many as 50,000 rows have,
// but from 5 to 20.
func (b benchmark) batches() int {
	const minBatches, maxBatches, usualRows = 5, 20, 50_000
	return max(minBatches, min(maxBatches, usualRows/b.Rows))
}

// side is an engine with a number of threads.
type side struct {
	Engine  string `json:"engine"`
	Threads int    `json:"threads"`
}

// Engines that are timed.
const (
	compiled = "compiled" // our engine
	tape     = "tape"     // Gorgonia's tape machine
	torch    = "torch"    // PyTorch, one network at a time
	stacked  = "stacked"  // PyTorch, several networks stacked in one tensor and trained at once
)

// stackedNetworks is the number of networks in a stack.
const stackedNetworks = 10

// Largest sizes for which stacks are timed.
const (
	maxStackedWidth = 256       // units of a layer
	maxStackedUnits = 1_000_000 // units of a layer times rows
)

// isOurs reports whether the engine belongs to this project, not to PyTorch.
func (s side) isOurs() bool { return s.Engine == compiled || s.Engine == tape }

// timedMethods lists methods in the order of the table: first the methods of the paper that have a
// training step of their own, then the others.
var timedMethods = []string{
	"sml", "mc", "pu",
	"beta-nll", "quantiles", "student-t", "evidential", "mdn", "crps", "adv-de", "w-dropout", "mc-pu", "concrete", "bayes",
}

// Numbers of threads, and sizes of the step of sml.
var (
	timedThreads = []int{1, 2}
	timedWidths  = []int{50, 256, 512, 1024}
	timedRows    = []int{10, 100, 500, 1000, 10_000}
)

// methodCases returns the cases that compare methods at the paper's width, and the cases that are not
// training steps.
func methodCases() []benchmark {
	const width = 50
	sizes := []benchmark{
		{Inputs: 13, Rows: 100},
		{Inputs: 81, Rows: 100},
		{Inputs: 90, Rows: 500},
	}
	var cases []benchmark
	for _, size := range sizes {
		for _, method := range timedMethods {
			if size.Inputs == 81 && method != "sml" {
				continue
			}
			cases = append(cases, benchmark{method + "-step", width, size.Inputs, size.Rows})
		}
	}
	return append(cases,
		benchmark{"predict", width, 13, 1000},
		benchmark{"convolution", 32, 16, 32},
		benchmark{"conv-products", 32, 16, 32})
}

// sizeCases returns the cases that compare sizes of the step of sml.
func sizeCases() []benchmark {
	cases := []benchmark{{"sml-step", 50, 13, 100}}
	for _, width := range timedWidths {
		for _, rows := range timedRows {
			cases = append(cases, benchmark{"sml-step", width, 90, rows})
		}
	}
	return cases
}

// benchmarks returns all cases, each once.
func benchmarks() []benchmark {
	cases := methodCases()
	for _, b := range sizeCases() {
		if !slices.Contains(cases, b) {
			cases = append(cases, b)
		}
	}
	return cases
}

// sides returns the sides on which a case is timed, in the order of their turns: cases that compare
// methods on one thread of each engine, cases that compare sizes on each number of threads.
func (b benchmark) sides() []side {
	var sides []side
	if slices.Contains(methodCases(), b) {
		sides = []side{{compiled, 1}, {tape, 1}, {torch, 1}}
	}
	if !slices.Contains(sizeCases(), b) {
		return sides
	}
	engines := []string{compiled, torch}
	if b.Width <= maxStackedWidth && b.Width*b.Rows <= maxStackedUnits {
		engines = append(engines, stacked)
	}
	for _, threads := range timedThreads {
		for _, engine := range engines {
			s := side{engine, threads}
			if !slices.Contains(sides, s) {
				sides = append(sides, s)
			}
		}
	}
	return sides
}
