// Program bench times training steps, and the sampling of a prediction, on the compiled engine, on
// Gorgonia's tape machine and, if a Python has torch, in PyTorch, one network at a time and ten stacked.
// It first checks that our engine and PyTorch compute the same; then all sides take turns on the same
// number of threads. It prints medians, writes all times as JSON, and writes the tables of
// docs/explanation/performance.md from that file. Start reading with options.run; the cases are in
// cases.go.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"

	"sml/graph"
)

// Files of the published times, relative to the root of the repository.
const (
	resultsFile = "bench/results.json"
	pageFile    = "docs/explanation/performance.md"
)

// options holds the program's flags.
type options struct {
	out  string // path of the results; "" if times are only printed
	only string // regular expression for the names of cases
}

func main() {
	var o options
	flag.StringVar(&o.out, "out", "", "write the times of all cases to this JSON `FILE` (default: only print them)")
	flag.StringVar(&o.only, "case", "", "time only the cases whose \"name width inputs rows\" matches this `REGEXP`, such as \"^mdn|13 100$\"")
	page := flag.Bool("table", false, "measure nothing; write the tables of "+pageFile+" from "+resultsFile)
	flag.Parse()
	run := o.run
	if *page {
		run = func() error { return writeTables(pageFile, resultsFile) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run checks PyTorch, times the chosen cases, prints a line for each and writes the results.
func (o options) run() error {
	if o.out != "" && o.only != "" {
		return errors.New("-out needs the times of all cases: leave out -case")
	}
	chosen, err := regexp.Compile(o.only)
	if err != nil {
		return fmt.Errorf("-case: %w", err)
	}
	cases := slices.DeleteFunc(benchmarks(), func(b benchmark) bool { return !chosen.MatchString(b.String()) })
	if len(cases) == 0 {
		return fmt.Errorf("-case %q matches no case; want one of %v", o.only, benchmarks())
	}
	torches, err := startTorches()
	if err != nil {
		return err
	}
	for _, t := range torches {
		defer t.close()
	}
	r, err := newReport(torches)
	if err != nil {
		return err
	}
	fmt.Println(r.title())
	for _, b := range cases {
		results, err := usualPlan.measure(b, torches)
		if err != nil {
			return fmt.Errorf("%v: %w", b, err)
		}
		r.Results = append(r.Results, results...)
		fmt.Println(summary(results))
		if o.out != "" { // after each case, so that an interrupted run keeps its results
			if err := r.write(o.out); err != nil {
				return err
			}
		}
	}
	return nil
}

// startTorches starts PyTorch once for each number of threads that this machine has cores for. It prints
// a note and returns nil if no Python has torch.
func startTorches() ([]*pytorch, error) {
	var torches []*pytorch
	for _, threads := range timedThreads {
		if threads > runtime.NumCPU() {
			continue
		}
		t, err := startPyTorch("bench/torch_steps.py", threads)
		if err != nil && len(torches) == 0 {
			fmt.Fprintf(os.Stderr, "without PyTorch: %v\n", err)
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		torches = append(torches, t)
	}
	return torches, nil
}

// newReport returns a report without results. It returns an error if a PyTorch computes something else
// than our engine, or with a BLAS that no comparison should use.
func newReport(torches []*pytorch) (report, error) {
	r := report{Machine: describeMachine()}
	for _, t := range torches {
		blas, err := t.describeBLAS()
		if err != nil {
			return r, err
		}
		r.BLAS = blas
		r.PyTorch = t.version
		if err := checkSameWork(t, benchmark{"sml-step", 50, 13, 100}); err != nil {
			return r, fmt.Errorf("PyTorch does not do the same work: %w", err)
		}
	}
	return r, nil
}

// possibleSides returns the sides of a case that this machine can time: it needs a core for each
// thread, and PyTorch for PyTorch's sides.
func possibleSides(b benchmark, torches []*pytorch) []side {
	return slices.DeleteFunc(b.sides(), func(s side) bool {
		return s.Threads > runtime.NumCPU() || !s.isOurs() && len(torches) == 0
	})
}

// newWork prepares a case to run on one of our engines. The caller has to close it.
func newWork(b benchmark, s side) (work, error) {
	engine := graph.Engine(s.Engine)
	switch b.Case {
	case "predict":
		return predictionWork(b, engine)
	case "convolution":
		return convolutionWork(b, engine)
	case "conv-products":
		return convolutionProductsWork(b, engine)
	}
	const seed = 1
	t, err := newTraining(b, engine, seed)
	if err != nil {
		return work{}, err
	}
	if err := t.startPool(s.Threads); err != nil {
		t.Close()
		return work{}, err
	}
	return work{once: t.next, operations: countOperations(t.Runner), close: t.Close}, nil
}

// measure times a case on all sides that this machine can time.
func (p plan) measure(b benchmark, torches []*pytorch) ([]result, error) {
	runtime.GC() // frees the tables of the case before, so that it does not happen while this case is timed
	var results []result
	var timers []timer // of each result
	for _, s := range possibleSides(b, torches) {
		r := result{benchmark: b, side: s}
		if s.isOurs() {
			w, err := newWork(b, s)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.Engine, err)
			}
			defer w.close() // after the timing
			r.Operations = w.operations
			timers = append(timers, w.timer(s.Threads))
		} else {
			i := slices.IndexFunc(torches, func(t *pytorch) bool { return t.threads == s.Threads })
			timers = append(timers, torches[i].timer(b, s.Engine))
		}
		results = append(results, r)
	}
	times, err := p.measureRounds(timers)
	for i := range results {
		results[i].Times = times[i]
	}
	return results, err
}
