package main

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sml/graph"
	"sml/internal/expect"
)

// TestTablesAreOfResults checks that the page has the tables that results.json gives, and that all results are of sides that are timed.
func TestTablesAreOfResults(t *testing.T) {
	r := expect.Must(readReport("results.json"))
	page := expect.Must(os.ReadFile("../" + pageFile))
	want := expect.Must(replaceTables(string(page), r))
	if string(page) != want {
		t.Errorf("%s is not what %s has: go run ./bench -table writes it", pageFile, resultsFile)
	}
	for _, one := range r.Results {
		if !slices.Contains(one.benchmark.sides(), one.side) {
			t.Errorf("%s has %v on %v, which is not timed", resultsFile, one.benchmark, one.side)
		}
	}
}

func TestReplaceTablesNeedsMarks(t *testing.T) {
	for _, page := range []string{"", tablesBegin, tablesEnd + tablesBegin} {
		if _, err := replaceTables(page, report{}); err == nil {
			t.Errorf("%q has no place for tables", page)
		}
	}
}

// A row [inputs]·[inputs w]·[w w]·[w 1] is multiplied, in two passes that share the first
// layer; backwards by each weight but the first, and for each weight's gradient in both
// passes, but once for the first's.
func TestOperationsOfSML(t *testing.T) {
	for _, b := range []benchmark{{"sml-step", 50, 13, 100}, {"sml-step", 40, 90, 10}} {
		s := expect.Must(newTraining(b, graph.Compiled, 1))
		defer s.Close()
		want := int64(2 * b.Rows * (2*b.Inputs*b.Width + 6*b.Width*b.Width + 6*b.Width))
		if got := countOperations(s.Runner); got != want {
			t.Errorf("%v: %d operations, want %d", b, got, want)
		}
	}
}

// scripted returns a timer that reports the same time for each repetition, and appends the repetitions of each call to called.
func scripted(us float64, called *[]int) timer {
	return func(repetitions int) (float64, error) {
		*called = append(*called, repetitions)
		return us, nil
	}
}

func TestTurns(t *testing.T) {
	var quick, slow []int
	times, err := plan{maxRounds: 3, turn: 10 * time.Millisecond}.measureRounds([]timer{scripted(20, &quick), scripted(40_000, &slow)})
	if err != nil || !reflect.DeepEqual(times, [][]float64{{20, 20, 20}, {40_000, 40_000, 40_000}}) {
		t.Errorf("%v, %v", times, err)
	}
	if want := []int{1, 1, 8, 64, 500, 500, 500}; !slices.Equal(quick[:2], want[:2]) || !slices.Equal(quick[len(quick)-3:], want[4:]) {
		t.Errorf("repetitions %v, want 1 at first and 500 in each of three rounds", quick)
	}
	if want := []int{1, 1, 1, 1, 1}; !slices.Equal(slow, want) {
		t.Errorf("repetitions %v, want %v", slow, want)
	}
}

// Every case has our own compiled engine and PyTorch, and the sizes have all their sides.
func TestSides(t *testing.T) {
	for _, b := range benchmarks() {
		sides := b.sides()
		if len(sides) < 3 || !slices.Contains(sides, side{compiled, 1}) || !slices.Contains(sides, side{torch, 1}) {
			t.Errorf("%v: %v", b, sides)
		}
	}
	for b, want := range map[benchmark]int{{"sml-step", 50, 13, 100}: 7, {"sml-step", 50, 90, 10_000}: 6, {"sml-step", 1024, 90, 10}: 4, {"mc-step", 50, 90, 500}: 3} {
		if got := b.sides(); len(got) != want {
			t.Errorf("%v: %v, want %d sides", b, got, want)
		}
	}
}

func TestQuartiles(t *testing.T) {
	if low, median, high := quartiles([]float64{5, 1, 4, 2, 3}); low != 2 || median != 3 || high != 4 {
		t.Error(low, median, high)
	}
	if low, median, high := quartiles([]float64{1, 2}); low != 1.25 || median != 1.5 || high != 1.75 {
		t.Error(low, median, high)
	}
}

func TestTables(t *testing.T) {
	b := benchmark{"sml-step", 50, 13, 100}
	r := report{Machine: "a machine", PyTorch: "1.13", BLAS: "OpenBLAS"}
	r.Results = append(r.Results, []result{
		{benchmark: b, side: side{compiled, 1}, Operations: 4_000_000, Times: []float64{40, 41, 39}},
		{benchmark: b, side: side{torch, 1}, Times: []float64{400, 820, 780}},
		{benchmark: b, side: side{compiled, 2}, Operations: 4_000_000, Times: []float64{20, 20.5, 19.5}},
		{benchmark: b, side: side{stacked, 2}, Times: []float64{50, 41, 39}},
	}...)
	wide := benchmark{"sml-step", 50, 90, 100}
	r.Results = append(r.Results, []result{
		{benchmark: wide, side: side{compiled, 1}, Operations: 4_000_000, Times: []float64{40, 41, 39}},
		{benchmark: wide, side: side{torch, 1}, Times: []float64{400, 820, 780}},
		{benchmark: wide, side: side{compiled, 2}, Operations: 4_000_000, Times: []float64{20, 20.5, 19.5}},
	}...)
	large := benchmark{"sml-step", 1024, 90, 10}
	r.Results = append(r.Results, result{benchmark: large, side: side{torch, 2}, Times: []float64{3}}, result{benchmark: large, side: side{stacked, 2}, Times: []float64{1e6}})
	text := tables(r)
	if strings.Contains(text, "| 1024 |") {
		t.Errorf("a row of a case that the compiled engine did not run:\n%s", text)
	}
	for _, want := range []string{
		"On a machine; PyTorch 1.13 with OpenBLAS. Medians of 1 to 3 rounds.",
		"| sml step | 13, 100 | 40.0 µs | – | 20.0 |",
		"| 50 | 100 | 40.0 µs | 100 | 2.00 | 20.0 | – |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
}

// Results read back with four digits.
func TestResultsReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.json")
	b := benchmark{"mc-step", 50, 13, 100}
	r := report{Machine: "here", PyTorch: "1.13", BLAS: "OpenBLAS", Results: []result{
		{benchmark: b, side: side{compiled, 1}, Operations: 7, Times: []float64{12.34567}},
		{benchmark: b, side: side{torch, 1}, Times: []float64{123.4567}},
	}}
	expect.NoError(t, r.write(path))
	r.Results[0].Times[0] = 12.35
	r.Results[1].Times[0] = 123.5
	if read, err := readReport(path); err != nil || !reflect.DeepEqual(read, r) {
		t.Errorf("%v, %v, want %v", read, err, r)
	}
}
