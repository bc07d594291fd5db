package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"

	"sml/internal/kernels"
	"sml/internal/safefile"
)

// result is a line of results.json: the times of a case on one side.
type result struct {
	benchmark
	side
	Operations int64     `json:"operations,omitempty"` // of our own products in a step: multiplications and additions
	Times      []float64 `json:"us"`                   // mean microseconds of a step, round by round: a round's are of the same moment on all sides
}

// report is what results.json has.
type report struct {
	Machine string   `json:"machine"`
	PyTorch string   `json:"pytorch"` // its version, "" where there was none
	BLAS    string   `json:"blas"`    // that it multiplies by
	Results []result `json:"results"`
}

// machine names what is measured on, and by.
func machine() string {
	name := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		field := func(key string) string {
			for line := range strings.Lines(string(text)) {
				if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == key {
					return strings.TrimSpace(v)
				}
			}
			return "?"
		}
		name = fmt.Sprintf("%s (family %s, model %s)", field("model name"), field("cpu family"), field("model"))
	}
	return fmt.Sprintf("%s, %d cores, kernels %s, %s", name, runtime.NumCPU(), kernels.Implementation(), runtime.Version())
}

// title says what was measured on, and against what.
func (r report) title() string {
	if r.PyTorch == "" {
		return r.Machine + "; without PyTorch"
	}
	return fmt.Sprintf("%s; PyTorch %s with %s", r.Machine, r.PyTorch, r.BLAS)
}

func readReport(path string) (r report, err error) {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	return r, err
}

// into adds the results of a file, which are to stay where cases are not timed anew: the
// error says that they are from elsewhere.
func (r report) into(path string, cases []benchmark) (report, error) {
	old, err := readReport(path)
	if errors.Is(err, fs.ErrNotExist) || len(cases) == len(benchmarks()) {
		return r, nil
	} else if err != nil {
		return r, err
	}
	if old.title() != r.title() {
		return r, fmt.Errorf("%s is of %s, and this is %s: measure all cases, or write somewhere else", path, old.title(), r.title())
	}
	return old, nil
}

// put gives a case's results their place.
func (r *report) put(results []result) {
	if len(results) == 0 {
		return
	}
	b := results[0].benchmark
	r.Results = slices.DeleteFunc(r.Results, func(old result) bool { return old.benchmark == b })
	r.Results = append(r.Results, results...)
	all := benchmarks()
	slices.SortStableFunc(r.Results, func(a, b result) int {
		return slices.Index(all, a.benchmark) - slices.Index(all, b.benchmark)
	})
}

// of finds a side's result of a case.
func (r report) of(b benchmark, s side) (result, bool) {
	for _, found := range r.Results {
		if found.benchmark == b && found.side == s && len(found.Times) > 0 {
			return found, true
		}
	}
	return result{}, false
}

// write writes a result in each line.
func (r report) write(path string) error {
	var lines bytes.Buffer
	for i, one := range r.Results {
		one.Times = slices.Clone(one.Times)
		for j, us := range one.Times {
			digits := math.Pow(10, 3-math.Floor(math.Log10(us)))
			one.Times[j] = math.Round(us*digits) / digits
		}
		text, err := json.Marshal(one)
		if err != nil {
			return err
		}
		lines.Write(text)
		if i < len(r.Results)-1 {
			lines.WriteString(",")
		}
		lines.WriteString("\n")
	}
	r.Results = nil
	head, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return safefile.Write(path, func(w io.Writer) error {
		before, _, _ := strings.Cut(string(head), "null")
		_, err := fmt.Fprintf(w, "%s[\n%s]}\n", before, lines.String())
		return err
	})
}

// quartiles of values: a quarter, half and three quarters are below them.
func quartiles(values []float64) (low, median, high float64) {
	sorted := slices.Sorted(slices.Values(values))
	at := func(share float64) float64 {
		place := share * float64(len(sorted)-1)
		i := int(place)
		j := min(i+1, len(sorted)-1)
		return sorted[i] + (place-float64(i))*(sorted[j]-sorted[i])
	}
	return at(0.25), at(0.5), at(0.75)
}

// ratios are how many times another's time is of ours, round by round.
func (r result) ratios(other result) []float64 {
	var list []float64
	for i := range min(len(r.Times), len(other.Times)) {
		list = append(list, other.Times[i]/r.Times[i])
	}
	return list
}
