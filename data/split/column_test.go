package split

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/data/read"
	"sml/internal/expect"
)

// tableWithSplitValues returns a table with the given values in the column that rows are split by.
func tableWithSplitValues(f data.Field, values ...float64) *data.Table {
	t := data.Friedman(len(values), 1)
	t.SplitColumn, t.SplitField, t.SplitValues = "by", f, values
	return t
}

// readWithSplitColumn reads a table of the columns x, by and y.
func readWithSplitColumn(t *testing.T, o read.Options, rows ...string) (*data.Table, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	expect.NoError(t, os.WriteFile(path, []byte("x,by,y\n"+strings.Join(rows, "\n")+"\n"), 0o666))
	if o.SplitColumn == "" {
		o.SplitColumn = "by"
	}
	o.Raw = true
	return read.File(ctx, path, o)
}

// No group is on both sides, every row is tested on once, and folds are as even as whole groups
// allow: the sizes of two folds differ by at most the size of the largest group.
func TestGroupFolds(t *testing.T) {
	for _, c := range []struct{ groups, rows, folds int }{{2, 10, 2}, {7, 40, 7}, {10, 200, 10}, {50, 578, 10}, {300, 300, 10}} {
		r := rand.New(rand.NewPCG(1, 2))
		values, sizes := make([]float64, c.rows), make(map[float64]int)
		for i := range values {
			values[i] = float64(r.IntN(1+r.IntN(c.groups))) * 3
			if i < c.groups {
				values[i] = float64(i) * 3
			}
			sizes[values[i]]++
		}
		table, largest := tableWithSplitValues(data.Field{Kind: data.Number}, values...), 0
		for _, n := range sizes {
			largest = max(largest, n)
		}
		k, _ := Lookup("group")
		if folds, err := k.CountFolds(table); folds != c.folds || err != nil {
			t.Fatalf("%d groups: %d folds, %v", c.groups, folds, err)
		}
		var tests []int
		times := make([]int, c.rows)
		for fold := range c.folds {
			s := mustRows(t, table, "group", Options{Fold: fold, Protocol: data.Sound, Seed: 5})
			tested := make(map[float64]bool)
			for _, row := range s.Test {
				tested[values[row]] = true
				times[row]++
			}
			for _, row := range s.Train {
				if tested[values[row]] {
					t.Fatalf("%d groups, fold %d: group %v is on both sides", c.groups, fold, values[row])
				}
			}
			if paper := mustRows(t, table, "group", Options{Fold: fold, Protocol: data.Paper, Seed: 5}); !slices.Equal(paper.Test, s.Test) {
				t.Errorf("fold %d: the protocols differ", fold)
			}
			tests = append(tests, len(s.Test))
		}
		if slices.Min(times) != 1 || slices.Max(times) != 1 {
			t.Errorf("%d groups: rows are tested %d to %d times", c.groups, slices.Min(times), slices.Max(times))
		}
		if slices.Max(tests)-slices.Min(tests) > largest {
			t.Errorf("%d groups, the largest of %d rows: folds of %v rows", c.groups, largest, tests)
		}
	}
	values := make([]float64, 100)
	for i := range values {
		values[i] = float64(i % 20)
	}
	table := tableWithSplitValues(data.Field{Kind: data.Number}, values...)
	if a, b := mustRows(t, table, "group", Options{Protocol: data.Sound, Seed: 1}), mustRows(t, table, "group", Options{Protocol: data.Sound, Seed: 2}); slices.Equal(a.Test, b.Test) {
		t.Error("groups do not follow from the seed")
	}
}

// Worked by hand.
func TestTimeSplit(t *testing.T) {
	for _, c := range []struct {
		share float64
		times []float64
		want  []int
	}{
		{0, []float64{9, 1, 8, 2, 7, 3, 6, 4, 5, 0}, []int{0, 2}}, // a fifth
		{0.5, []float64{1, 2, 3, 4}, []int{2, 3}},
		{0.2, []float64{1, 2, 3, 3, 3}, []int{2, 3, 4}}, // rows of one time stay together
		{0.2, []float64{1, 1, 1, 1, 2}, []int{4}},
		{0.5, []float64{1, 1, 1, 1, 2}, []int{4}}, // the rows of time 1 are needed for training
		{0.01, []float64{1, 3, 2}, []int{1}},
		{0.99, []float64{1, 3, 2}, []int{1, 2}},
		{0.2, []float64{-5, -7, math.MaxFloat64, 0}, []int{2}},
	} {
		s, err := splitRows(tableWithSplitValues(data.Field{Kind: data.Number}, c.times...), "time", Options{TestFraction: c.share, Protocol: data.Sound})
		if !slices.Equal(s.Test, c.want) || err != nil {
			t.Errorf("%v of %v tests %v, %v; want %v", c.share, c.times, s.Test, err, c.want)
		}
		for _, trained := range s.Train {
			for _, tested := range s.Test {
				if c.times[trained] >= c.times[tested] {
					t.Errorf("%v: %v is trained on and %v is tested on", c.times, c.times[trained], c.times[tested])
				}
			}
		}
	}
	same := tableWithSplitValues(data.Field{Kind: data.Date, Layout: "2006"}, 1, 1, 1)
	if _, err := splitRows(same, "time", Options{Protocol: data.Sound, Seed: 1}); !errors.Is(err, ErrEmptyFold) {
		t.Errorf("of one time: %v", err)
	}
}

// Two folds differ by at most one in their numbers of rows from each tenth of the target.
func TestStratifiedFolds(t *testing.T) {
	for _, n := range []int{10, 57, 100, 333} {
		table := data.Friedman(n, 3)
		if n == 333 { // ties
			for i := range table.Y {
				table.Y[i] = math.Round(table.Y[i] / 5)
			}
		}
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return int(math.Copysign(1, table.Y[a]-table.Y[b])) })
		tenth := make([]int, n) // tenth of each row, with ties in the order of the file
		for k := range folds {
			for _, row := range order[k*n/folds : (k+1)*n/folds] {
				tenth[row] = k
			}
		}
		var sizes []int
		var counts [folds][]int
		for fold := range folds {
			s := mustRows(t, table, "stratified", Options{Fold: fold, Protocol: data.Sound, Seed: 4})
			var of [folds]int
			for _, row := range s.Test {
				of[tenth[row]]++
			}
			for k, count := range of {
				counts[k] = append(counts[k], count)
			}
			sizes = append(sizes, len(s.Test))
			if paper := mustRows(t, table, "stratified", Options{Fold: fold, Protocol: data.Paper, Seed: 4}); !slices.Equal(paper.Test, s.Test) {
				t.Errorf("fold %d: the protocols differ", fold)
			}
		}
		if slices.Max(sizes)-slices.Min(sizes) > 1 {
			t.Errorf("%d rows: folds of %v", n, sizes)
		}
		for k, count := range counts {
			if slices.Max(count)-slices.Min(count) > 1 && n != 333 {
				t.Errorf("%d rows: the folds have %v rows of tenth %d of the target", n, count, k)
			}
		}
		for row, times := range countTests(t, table, "stratified", data.Sound) {
			if times != 1 {
				t.Errorf("%d rows: row %d is tested %d times", n, row, times)
			}
		}
		if a, b := mustRows(t, table, "stratified", Options{Protocol: data.Sound, Seed: 1}), mustRows(t, table, "stratified", Options{Protocol: data.Sound, Seed: 2}); n > 10 && slices.Equal(a.Test, b.Test) {
			t.Error("folds do not follow from the seed")
		}
	}
}

// Folds from a column of numbers, of texts, of dates, and of the words train and test.
func TestColumnFolds(t *testing.T) {
	for _, c := range []struct {
		column string
		folds  int
		fold   int
		want   []int // test rows; nil if the fold is empty
	}{
		{"0 1 2 0 1 2", 3, 1, []int{1, 4}},
		{"2.0 1 00 2 1 0", 3, 2, []int{0, 3}},
		{"10 20 10 20 30 9", 4, 0, []int{5}}, // ascending by number, not by text
		{"10 20 10 20 30 9", 4, 1, []int{0, 2}},
		{"0 1 3 0 1 3", 4, 3, []int{2, 5}}, // a gap does not renumber the folds
		{"0 1 3 0 1 3", 4, 2, nil},
		{"0 50 100 0 50 100", 3, 1, []int{1, 4}}, // more folds than rows: these are other values
		{"b a c b a c", 3, 1, []int{0, 3}},
		{"test train train test train train", 1, 0, []int{0, 3}},
		{"Training TEST Training TEST TEST TEST", 1, 0, []int{1, 3, 4, 5}},
		{"train valid train valid train valid", 2, 1, []int{1, 3, 5}}, // no test: each is a fold
		{"2024-01-02 2024-01-01 2024-01-02 2024-01-01 2024-01-01 2024-01-01", 2, 0, []int{1, 3, 4, 5}},
		{"1 1 1a 1 1 1 1 1 1 1 1 1", 2, 1, []int{2}},
	} {
		var rows []string
		for i, v := range strings.Fields(c.column) {
			rows = append(rows, fmt.Sprintf("%d,%s,%d", i, v, i*i))
		}
		table := expect.Must(readWithSplitColumn(t, read.Options{SplitColumnIsNoInput: true}, rows...))
		if !slices.Equal(table.Columns, []string{"x"}) {
			t.Errorf("inputs %v", table.Columns)
		}
		k, _ := Lookup("folds")
		if n, err := k.CountFolds(table); n != c.folds || err != nil {
			t.Errorf("%s: %d folds, %v; want %d", c.column, n, err, c.folds)
		}
		s, err := splitRows(table, "folds", Options{Fold: c.fold, Protocol: data.Sound, Seed: 1})
		if !slices.Equal(s.Test, c.want) || errors.Is(err, ErrEmptyFold) != (c.want == nil) {
			t.Errorf("%s: fold %d tests %v, %v; want %v", c.column, c.fold, s.Test, err, c.want)
		}
	}
}

func TestOwnSplitErrors(t *testing.T) {
	for _, c := range []struct {
		kind string
		fold int
		o    read.Options
		rows string // of by alone
		want string
	}{
		{"group", 0, read.Options{SplitColumnIsNoInput: true}, "a a a", `column "by" has one group, a; at least 2 are needed`},
		{"group", 2, read.Options{SplitColumnIsNoInput: true}, "a b a", "there is no fold 2; folds are 0 to 1"},
		{"folds", 0, read.Options{SplitColumnIsNoInput: true}, "5 5 5", `column "by" is 5 in every row; at least 2 folds are needed, or train and test`},
		{"folds", 2, read.Options{SplitColumnIsNoInput: true}, "0 1 1", "there is no fold 2; folds are 0 to 1"},
		{"folds", 1, read.Options{SplitColumnIsNoInput: true}, "0 2 2", `no row has 1 in column "by"`},
		{"folds", 0, read.Options{SplitColumnIsNoInput: true}, "train test validation", `column "by" has validation beside train and test; want only these two`},
		{"time", 0, read.Options{}, "spring autumn spring", `column "by" holds texts, such as "autumn"; want numbers or dates`},
		{"time", 0, read.Options{}, "7 7 7", "too many rows have the same value"},
		{"file", 0, read.Options{SplitColumnIsNoInput: true}, "a b", "no rows from a test file"},
	} {
		var rows []string
		for i, v := range strings.Split(c.rows, " ") {
			rows = append(rows, fmt.Sprintf("%d,%s,%d", i, v, i*i))
		}
		table, err := readWithSplitColumn(t, c.o, rows...)
		if err == nil {
			_, err = splitRows(table, c.kind, Options{Fold: c.fold, Protocol: data.Sound, Seed: 1})
		}
		expect.Error(t, err, c.want)
	}
	for _, share := range []float64{-0.1, 1, 1.5, math.NaN(), math.Inf(1)} {
		if err := latestRows.CheckTestFraction(share); err == nil || !strings.Contains(err.Error(), "want more than 0 and less than 1") {
			t.Errorf("share %v: %v", share, err)
		}
	}
	expect.Error(t, pcaFolds.CheckTestFraction(0.3), "a pca split does not let you choose")
}

// Whatever stands in a column that rows are split by, there is an error or a split.
func FuzzSplitBy(f *testing.F) {
	for _, text := range []string{"x,by,y\n1,a,2\n2,b,3\n3,a,1\n", "x,by,y\n1,0,2\n2,3,3\n3,1,1\n", "x,by,y\n1,train,2\n2,Test,3\n",
		"x,by,y\n1,2024-01-01,2\n2,2024-01-03,3\n3,2024-01-02,\n", "x,by,y\n1,,2\n", "x,by,y\n1,1e300,2\n2,-0,3\n3,0,1\n", "x,by,y\n1,1e9,2\n2,0,3\n"} {
		for kind := range 4 {
			f.Add([]byte(text), kind, 0, uint64(1))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, kind, fold int, seed uint64) {
		k := expect.Must(Lookup([]string{"group", "time", "folds", "stratified"}[uint(kind)%4]))
		o := read.Options{Raw: true, SplitColumn: "by", SplitColumnIsNoInput: k.ColumnIsNoInput, Targets: []string{"y"}}
		if k.Column == "" {
			o.SplitColumn = ""
		}
		table, err := read.All(ctx, bytes.NewReader(text), "fuzz", o)
		if err != nil {
			return
		}
		if slices.ContainsFunc(table.SplitValues, math.IsNaN) {
			t.Fatalf("a row without a value: %+v", table)
		}
		folds, err := k.CountFolds(table)
		if err == nil && (folds < 1 || folds > max(10, table.Rows())) {
			t.Fatalf("%d folds of %d rows", folds, table.Rows())
		}
		s, err := k.Rows(ctx, table, Options{Fold: fold, Protocol: data.Sound, Seed: seed})
		if err != nil {
			return
		}
		if fold < 0 || fold >= folds || len(s.Train)+len(s.Test) != table.Rows() || len(s.Train) == 0 || len(s.Test) == 0 {
			t.Fatalf("fold %d of %d: %+v", fold, folds, s)
		}
		for _, a := range s.Train {
			for _, b := range s.Test {
				if k.Column != "" && table.SplitValues[a] == table.SplitValues[b] || k.Name == "time" && table.SplitValues[a] > table.SplitValues[b] {
					t.Fatalf("%s: %v is trained on and %v tested on", k.Name, table.SplitValues[a], table.SplitValues[b])
				}
			}
		}
	})
}
