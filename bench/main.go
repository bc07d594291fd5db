// Program bench times one training step, and the sampling of a prediction, on
// the compiled engine, on Gorgonia's tape machine and, where python3 has torch, in
// PyTorch: the same work, in turns within one run, one thread each. It prints
// the medians and writes them as JSON.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"sml/data/safefile"
)

// result is one line of results.json: the median and minimum over rounds of
// the mean time of a step.
type result struct {
	Case     string  `json:"case"`
	Features int     `json:"features"`
	Batch    int     `json:"batch"`
	Engine   string  `json:"engine"`
	Median   float64 `json:"median_us"`
	Min      float64 `json:"min_us"`
}

// subject times a case on one engine: the mean microseconds of a repetition.
type subject struct {
	engine string
	time   func(b benchmark, repetitions int) (float64, error)
}

func main() {
	out := flag.String("out", "", "where the results go as JSON; none: they are printed only")
	script := flag.String("torch", "bench/torch_steps.py", "the PyTorch side")
	rounds := flag.Int("rounds", 15, "rounds over all engines for each case")
	only := flag.String("case", "", `regular expression: only cases whose "name features rows" it matches, as "^mdn|13 100"`)
	flag.Parse()
	if err := run(*out, *script, *rounds, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(out, script string, rounds int, only string) error {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-case: %w", err)
	}
	cases := slices.DeleteFunc(benchmarks(), func(b benchmark) bool { return !chosen.MatchString(b.String()) })
	if len(cases) == 0 {
		return fmt.Errorf("no case matches %q: there is %v", only, benchmarks())
	}
	runtime.GOMAXPROCS(1)
	subjects := []subject{{"compiled", ours("compiled")}, {"tape", ours("tape")}}
	torch, err := startTorch(script)
	if err != nil {
		fmt.Fprintf(os.Stderr, "without PyTorch: %v\n", err)
	} else {
		defer torch.close()
		subjects = append(subjects, subject{"torch", torch.time})
		fmt.Printf("PyTorch %s, ", torch.version)
	}
	fmt.Printf("%s, one thread each, median of %d rounds\n", runtime.Version(), rounds)

	var results []result
	for _, b := range cases {
		times := make(map[string][]float64)
		for round := range rounds + 1 {
			for _, s := range subjects {
				if b.repetitions[s.engine] == 0 {
					continue
				}
				t, err := s.time(b, b.repetitions[s.engine])
				if err != nil {
					return fmt.Errorf("%s on %s: %w", b.Case, s.engine, err)
				}
				if round > 0 { // the first warms up
					times[s.engine] = append(times[s.engine], t)
				}
			}
		}
		for _, s := range subjects {
			if t := times[s.engine]; len(t) > 0 {
				slices.Sort(t)
				results = append(results, result{b.Case, b.Features, b.Batch, s.engine, t[len(t)/2], t[0]})
			}
		}
	}
	show(results)
	if out == "" {
		return nil
	}
	return safefile.Write(out, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(results)
	})
}

func show(results []result) {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.AppendHeader(table.Row{"case", "features", "rows", "compiled", "tape", "torch", "tape/compiled", "torch/compiled"})
	var right []table.ColumnConfig
	for i := 2; i <= 8; i++ {
		right = append(right, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(right)
	for i := 0; i < len(results); {
		first := results[i]
		if i > 0 && (results[i-1].Features != first.Features || results[i-1].Batch != first.Batch) {
			t.AppendSeparator()
		}
		medians := make(map[string]float64)
		for ; i < len(results) && results[i].Case == first.Case && results[i].Features == first.Features && results[i].Batch == first.Batch; i++ {
			medians[results[i].Engine] = results[i].Median
		}
		row := table.Row{first.Case, first.Features, first.Batch}
		for _, engine := range []string{"compiled", "tape", "torch"} {
			row = append(row, microseconds(medians[engine]))
		}
		for _, engine := range []string{"tape", "torch"} {
			ratio := "–"
			if medians[engine] > 0 {
				ratio = fmt.Sprintf("%.1f", medians[engine]/medians["compiled"])
			}
			row = append(row, ratio)
		}
		t.AppendRow(row)
	}
	fmt.Println(t.Render())
}

func microseconds(us float64) string {
	switch {
	case us == 0:
		return "–"
	case us < 10_000:
		return fmt.Sprintf("%.1f µs", us)
	}
	return time.Duration(us * float64(time.Microsecond)).Round(10 * time.Microsecond).String()
}
