package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"

	"sml/internal/kernels"
	"sml/internal/safefile"
	"sml/internal/statistics"
)

// result has the times of a case on one side. It is a line of results.json.
type result struct {
	benchmark
	side

	// Operations is the number of multiplications and additions in the matrix products of one
	// repetition. It is 0 for other engines than the compiled one.
	Operations int64 `json:"operations,omitempty"`

	// Times has the mean time of a repetition in microseconds, by round. The same round of all sides
	// was measured at about the same time.
	Times []float64 `json:"us"`
}

// median returns the median of the times, in microseconds.
func (r result) median() float64 {
	_, median, _ := quartiles(r.Times)
	return median
}

// gigaflops returns the operations per second of the median time, in thousands of millions.
func (r result) gigaflops() float64 {
	const operationsPerMicrosecond = 1e3 // of one GFLOP/s
	return float64(r.Operations) / r.median() / operationsPerMicrosecond
}

// report is the content of results.json.
type report struct {
	Machine string   `json:"machine"`
	PyTorch string   `json:"pytorch"` // version of PyTorch; "" without PyTorch
	BLAS    string   `json:"blas"`    // library of PyTorch's matrix products; "" without PyTorch
	Results []result `json:"results"` // in the order of benchmarks
}

// describeMachine describes the processor, its number of cores, our kernels and the Go version.
func describeMachine() string {
	processor := runtime.GOARCH
	if cpuInfo, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		text := string(cpuInfo)
		processor = fmt.Sprintf("%s (family %s, model %s)", cpuField(text, "model name"), cpuField(text, "cpu family"), cpuField(text, "model"))
	}
	return fmt.Sprintf("%s, %d cores, kernels %s, %s", processor, runtime.NumCPU(), kernels.Implementation(), runtime.Version())
}

// cpuField returns the value of the first line "NAME : VALUE" of /proc/cpuinfo, "?" if there is none.
func cpuField(cpuInfo, name string) string {
	for line := range strings.Lines(cpuInfo) {
		key, value, ok := strings.Cut(line, ":")
		if ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return "?"
}

// title describes the machine and the program that we compare with.
func (r report) title() string {
	if r.PyTorch == "" {
		return r.Machine + "; without PyTorch"
	}
	return fmt.Sprintf("%s; PyTorch %s with %s", r.Machine, r.PyTorch, r.BLAS)
}

// readReport reads a file of results.
func readReport(path string) (r report, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(text, &r)
}

// find returns the result of a case on one side, and whether there is one with times.
func (r report) find(b benchmark, s side) (_ result, ok bool) {
	for _, found := range r.Results {
		if found.benchmark == b && found.side == s && len(found.Times) > 0 {
			return found, true
		}
	}
	return result{}, false
}

// write writes the report to a file, with one result in each line, so that a new time changes one line.
func (r report) write(path string) error {
	var lines []string
	for _, one := range r.Results {
		one.Times = slices.Clone(one.Times)
		for i, microseconds := range one.Times {
			one.Times[i] = roundDigits(microseconds)
		}
		line, err := json.Marshal(one)
		if err != nil {
			return err
		}
		lines = append(lines, string(line))
	}
	// Without results, the report ends in `"results": null` and a brace: write the lines instead.
	r.Results = nil
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	head, _, _ := strings.Cut(string(text), "null")
	return safefile.Write(path, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s[\n%s\n]}\n", head, strings.Join(lines, ",\n"))
		return err
	})
}

// roundDigits rounds a positive number to four significant digits.
func roundDigits(v float64) float64 {
	const digits = 4
	scale := math.Pow(10, digits-1-math.Floor(math.Log10(v)))
	return math.Round(v*scale) / scale
}

// quartiles returns the lower quartile, the median and the upper quartile of values, of which there must
// be at least one. It interpolates linearly between two values.
func quartiles(values []float64) (low, median, high float64) {
	sorted := slices.Sorted(slices.Values(values))
	return statistics.Quantile(sorted, 0.25), statistics.Quantile(sorted, 0.5), statistics.Quantile(sorted, 0.75)
}

// timeRatios returns the ratio of the other side's time to the time of r in each round.
func (r result) timeRatios(other result) []float64 {
	var ratios []float64
	for i := range min(len(r.Times), len(other.Times)) {
		ratios = append(ratios, other.Times[i]/r.Times[i])
	}
	return ratios
}
