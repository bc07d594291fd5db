// Program bench times training steps, and the sampling of a prediction, on the compiled
// engine, on Gorgonia's tape machine and, where a python3 has torch, in PyTorch, one network
// at a time and ten of them stacked: the same work, which is checked first, in turns
// within one run, on as many threads each. It prints the medians, writes all times as
// JSON, and makes of them the tables of docs/explanation/performance.md.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"

	"sml/graph"
)

// The files that are written, from the root of the repository.
const (
	resultsFile = "bench/results.json"
	pageFile    = "docs/explanation/performance.md"
)

// options are the program's flags.
type options struct {
	out  string
	only string
}

func main() {
	var o options
	flag.StringVar(&o.out, "out", "", "JSON file for the times, which replace earlier times of the same cases; default: they are only printed")
	flag.StringVar(&o.only, "case", "", `regular expression: only cases whose "name width inputs rows" it matches, as "^mdn|13 100$"`)
	page := flag.Bool("table", false, "measure nothing: write the tables of "+pageFile+" from "+resultsFile)
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

func (o options) run() error {
	chosen, err := regexp.Compile(o.only)
	if err != nil {
		return fmt.Errorf("-case: %w", err)
	}
	cases := slices.DeleteFunc(benchmarks(), func(b benchmark) bool { return !chosen.MatchString(b.String()) })
	if len(cases) == 0 {
		return fmt.Errorf("no case matches %q: there is %v", o.only, benchmarks())
	}
	found := report{Machine: machine()}
	torches, err := startAll()
	if err != nil {
		return err
	}
	for _, t := range torches {
		defer t.close()
		if found.BLAS, err = t.BLAS(); err != nil {
			return err
		}
		found.PyTorch = t.version
		if err := agree(t, benchmark{"sml-step", 50, 13, 100}); err != nil {
			return fmt.Errorf("PyTorch and we do not do the same work: %w", err)
		}
	}
	if o.out != "" { // what is wrong with it is said before the work
		if found, err = found.into(o.out, cases); err != nil {
			return err
		}
	}
	fmt.Println(found.title())
	for _, b := range cases {
		results, err := usualPlan.measure(b, torches)
		if err != nil {
			return fmt.Errorf("%v: %w", b, err)
		}
		found.put(results)
		fmt.Println(summary(results))
		if o.out != "" { // a run that is cut short leaves what it has
			if err := found.write(o.out); err != nil {
				return err
			}
		}
	}
	return nil
}

// startAll starts PyTorch once for each number of threads, or not at all if there is no torch.
func startAll() ([]*pytorch, error) {
	var all []*pytorch
	for _, n := range threads {
		if n > runtime.NumCPU() {
			continue
		}
		t, err := startPyTorch("bench/torch_steps.py", n)
		if err != nil && n == threads[0] {
			fmt.Fprintf(os.Stderr, "without PyTorch: %v\n", err)
			return nil, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// sidesOf returns the sides of a benchmark that this machine can time: it needs a core for each
// thread, and PyTorch for PyTorch's sides.
func sidesOf(b benchmark, torches []*pytorch) []side {
	return slices.DeleteFunc(b.sides(), func(s side) bool {
		return s.Threads > runtime.NumCPU() || !s.ours() && len(torches) == 0
	})
}

// prepareCase prepares a case to run on an engine of this project.
func prepareCase(b benchmark, s side) (work, error) {
	engine := graph.Engine(s.Engine)
	switch b.Case {
	case "predict":
		return predictor(b, engine)
	case "convolution":
		return convolution(b, engine)
	case "conv-products":
		return products(b, engine)
	}
	t, err := newTraining(b, engine, 1)
	if err != nil {
		return work{}, err
	}
	if err := t.startPool(s.Threads); err != nil {
		t.Close()
		return work{}, err
	}
	return work{t.next, operations(t.Runner), t.Close}, nil
}

// measure times a case on all its sides.
func (p plan) measure(b benchmark, torches []*pytorch) ([]result, error) {
	runtime.GC() // of the tables of the case before
	var results []result
	var timers []timer
	for _, s := range sidesOf(b, torches) {
		made := result{benchmark: b, side: s}
		if s.ours() {
			w, err := prepareCase(b, s)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.Engine, err)
			}
			defer w.close()
			made.Operations = w.operations
			timers = append(timers, w.timer(s.Threads))
		} else {
			i := slices.IndexFunc(torches, func(t *pytorch) bool { return t.threads == s.Threads })
			timers = append(timers, torches[i].timer(b, s.Engine))
		}
		results = append(results, made)
	}
	times, err := p.time(timers)
	for i := range results {
		results[i].Times = times[i]
	}
	return results, err
}
