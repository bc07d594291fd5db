package split

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"testing"

	"sml/data"
	"sml/data/read"
	"sml/internal/expect"
)

var ctx = context.Background()

// tableWithTargets returns a table with one meaningless input and the given targets.
func tableWithTargets(y ...float64) *data.Table {
	t := &data.Table{Name: "labelled", Columns: []string{"x"}, Targets: []string{"y"}, Y: y}
	for i := range y {
		t.X = append(t.X, float64(i*i%7))
	}
	return t
}

// splitRows returns the rows of one fold of the named kind of split.
func splitRows(table *data.Table, kind string, o Options) (Rows, error) {
	k, err := Lookup(kind)
	if err != nil {
		return Rows{}, err
	}
	return k.Rows(ctx, table, o)
}

// mustRows returns the rows of a fold that exists. It checks that every row is trained on or tested
// on, and that row numbers ascend.
func mustRows(t *testing.T, table *data.Table, kind string, o Options) Rows {
	t.Helper()
	rows := expect.Must(splitRows(table, kind, o))
	both := slices.Concat(rows.Train, rows.Test)
	if !slices.IsSorted(rows.Train) || !slices.IsSorted(rows.Test) {
		t.Errorf("%s, fold %d: rows do not ascend", kind, o.Fold)
	}
	slices.Sort(both)
	for i, r := range both {
		if i != r || len(both) != table.Rows() {
			t.Fatalf("%s, fold %d: train and test together are not the rows", kind, o.Fold)
		}
	}
	return rows
}

// countTests counts how often the ten folds test each row.
func countTests(t *testing.T, table *data.Table, kind string, protocol data.Protocol) []int {
	t.Helper()
	times := make([]int, table.Rows())
	for fold := range folds {
		for _, r := range mustRows(t, table, kind, Options{Fold: fold, Protocol: protocol, Seed: 1}).Test {
			times[r]++
		}
	}
	return times
}

func TestRandomFolds(t *testing.T) {
	for _, n := range []int{10, 11, 19, 100, 308, 1599} {
		table := data.Friedman(n, 1)
		for fold := range folds {
			if got := len(mustRows(t, table, "random", Options{Fold: fold, Protocol: data.Paper, Seed: 1}).Test); got != n/10 {
				t.Errorf("%d rows, paper: fold %d tests %d rows, want %d", n, fold, got, n/10)
			}
			if got := len(mustRows(t, table, "random", Options{Fold: fold, Protocol: data.Sound, Seed: 1}).Test); got != n/10 && got != n/10+1 {
				t.Errorf("%d rows, sound: fold %d tests %d rows", n, fold, got)
			}
		}
		never := 0
		for _, times := range countTests(t, table, "random", data.Paper) {
			if times == 0 {
				never++
			} else if times != 1 {
				t.Errorf("%d rows, paper: a row is tested %d times", n, times)
			}
		}
		if never != n%10 {
			t.Errorf("%d rows, paper: %d are never tested, want %d", n, never, n%10)
		}
		for r, times := range countTests(t, table, "random", data.Sound) {
			if times != 1 {
				t.Errorf("%d rows, sound: row %d is tested %d times", n, r, times)
			}
		}
	}
}

func TestSeeds(t *testing.T) {
	table := data.Friedman(200, 1)
	for _, kind := range []string{"random", "single-random"} {
		a, b, c := mustRows(t, table, kind, Options{Protocol: data.Paper, Seed: 7}), mustRows(t, table, kind, Options{Protocol: data.Paper, Seed: 7}), mustRows(t, table, kind, Options{Protocol: data.Paper, Seed: 8})
		if !slices.Equal(a.Test, b.Test) || slices.Equal(a.Test, c.Test) {
			t.Errorf("%s: the permutation must follow from the seed", kind)
		}
		if a.Test[len(a.Test)-1]-a.Test[0] == len(a.Test)-1 {
			t.Errorf("%s: rows %v are not shuffled", kind, a.Test)
		}
	}
	for _, kind := range []string{"pca", "label", "single-pca", "single-label"} {
		if a, b := mustRows(t, table, kind, Options{Protocol: data.Paper, Seed: 7}), mustRows(t, table, kind, Options{Protocol: data.Paper, Seed: 8}); !slices.Equal(a.Test, b.Test) {
			t.Errorf("%s must not depend on the seed", kind)
		}
	}
}

// Worked by hand: of the 21 labels 0, 1, …, 20 the quantile k/10 is 2k, so that
// fold k holds 2k, 2k+1 and, with both ends, 2k+2.
func TestLabelFolds(t *testing.T) {
	var y []float64
	for i := range 21 {
		y = append(y, float64(i*8%21)) // a permutation
	}
	table := tableWithTargets(y...)
	for fold := range folds {
		for _, protocol := range []data.Protocol{data.Paper, data.Sound} {
			k := float64(fold)
			want := []float64{2 * k, 2*k + 1}
			if protocol == data.Paper || fold == 9 {
				want = append(want, 2*k+2)
			}
			s := mustRows(t, table, "label", Options{Fold: fold, Protocol: protocol, Seed: 1})
			if got := slices.Sorted(slices.Values(table.TargetsOf(s.Test))); !slices.Equal(got, want) {
				t.Errorf("%s, fold %d tests %v, want %v", protocol, fold, got, want)
			}
		}
	}
	if got := table.TargetsOf(mustRows(t, table, "single-label", Options{Protocol: data.Paper, Seed: 1}).Test); slices.Min(got) != 11 || len(got) != 10 {
		t.Errorf("single-label tests %v; the median 10 is trained on", got)
	}
}

// Worked by hand: 7 of the 12 labels are 3. The quantiles are 0 (0/10), 1.1, 2.2,
// 3 (3/10) to 3 (8/10), 3.9 (9/10) and 4, so that folds 3 to 7 share one edge.
func TestLabelFoldsWithTies(t *testing.T) {
	table := tableWithTargets(3, 0, 3, 1, 4, 3, 2, 3, 3, 4, 3, 3)
	for _, c := range []struct {
		fold         int
		paper, sound []float64
	}{
		{0, []float64{0, 1}, []float64{0, 1}},
		{1, []float64{2}, []float64{2}},
		{2, []float64{3, 3, 3, 3, 3, 3, 3}, nil},
		{3, []float64{3, 3, 3, 3, 3, 3, 3}, nil},
		{7, []float64{3, 3, 3, 3, 3, 3, 3}, nil},
		{8, []float64{3, 3, 3, 3, 3, 3, 3}, []float64{3, 3, 3, 3, 3, 3, 3}},
		{9, []float64{4, 4}, []float64{4, 4}},
	} {
		for protocol, want := range map[data.Protocol][]float64{data.Paper: c.paper, data.Sound: c.sound} {
			s, err := splitRows(table, "label", Options{Fold: c.fold, Protocol: protocol, Seed: 1})
			if want == nil {
				if !errors.Is(err, ErrEmptyFold) {
					t.Errorf("%s, fold %d: got %v, want ErrEmptyFold", protocol, c.fold, err)
				}
			} else if got := slices.Sorted(slices.Values(table.TargetsOf(s.Test))); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, fold %d tests %v, %v; want %v", protocol, c.fold, got, err, want)
			}
		}
	}
	same := tableWithTargets(slices.Repeat([]float64{5}, 12)...)
	for _, kind := range []string{"label", "single-label"} {
		if _, err := splitRows(same, kind, Options{Protocol: data.Paper, Seed: 1}); !errors.Is(err, ErrEmptyFold) {
			t.Errorf("%s of equal labels: got %v", kind, err)
		}
	}
}

// Half-open bins test every row once, with ties and without, at any number of rows.
func TestSoundBinsPartition(t *testing.T) {
	for _, n := range []int{10, 11, 13, 99, 308, 1000} {
		table := data.Friedman(n, uint64(n))
		for i := range table.Y {
			table.Y[i] = math.Round(table.Y[i]*2) / 2
		}
		times := make([]int, n)
		for fold := range folds {
			s, err := splitRows(table, "label", Options{Fold: fold, Protocol: data.Sound, Seed: 1})
			if err != nil && !errors.Is(err, ErrEmptyFold) {
				t.Fatal(err)
			}
			for _, r := range s.Test {
				times[r]++
			}
		}
		for _, times := range [][]int{times, countTests(t, table, "pca", data.Sound)} {
			if slices.Min(times) != 1 || slices.Max(times) != 1 {
				t.Errorf("%d rows are tested %v times", n, times)
			}
		}
	}
}

// Bins of pca folds follow the projection: fold k lies below fold k+1.
func TestPCAFolds(t *testing.T) {
	table := data.Friedman(333, 2)
	p := expect.Must(table.PrincipalComponent(ctx))
	top := math.Inf(-1)
	for fold := range folds {
		s := mustRows(t, table, "pca", Options{Fold: fold, Protocol: data.Sound, Seed: 1})
		low := p[slices.MinFunc(s.Test, func(a, b int) int { return int(math.Copysign(1, p[a]-p[b])) })]
		if low <= top || len(s.Test) < 33 || len(s.Test) > 34 {
			t.Errorf("fold %d: %d rows from %v, the fold below ends at %v", fold, len(s.Test), low, top)
		}
		for _, r := range s.Test {
			top = max(top, p[r])
		}
	}
	s := mustRows(t, table, "single-pca", Options{Protocol: data.Sound, Seed: 1})
	var ends []float64
	for _, r := range s.Train {
		ends = append(ends, p[r])
	}
	for _, r := range s.Test {
		if p[r] <= slices.Max(ends) {
			t.Errorf("row %d is tested, though at or below the median", r)
		}
	}
	if len(s.Train) != 167 { // the middle one of 333 is the median
		t.Errorf("single-pca trains on %d rows", len(s.Train))
	}
}

func TestSingleRandom(t *testing.T) {
	for n, want := range map[int]int{2: 1, 5: 4, 10: 8, 11: 8, 308: 246, 506: 404} { // ⌊0.8 n⌋
		if got := len(mustRows(t, data.Friedman(n, 1), "single-random", Options{Protocol: data.Paper, Seed: 1}).Train); got != want {
			t.Errorf("%d rows: trains on %d, want %d", n, got, want)
		}
	}
}

func TestSplitErrors(t *testing.T) {
	table := data.Friedman(20, 1)
	two := &data.Table{Name: "two", Columns: []string{"x"}, Targets: []string{"u", "v"}, X: table.X[:20], Y: table.X[:40]}
	bare := &data.Table{Name: "bare", Columns: []string{"x"}, X: table.X[:20]}
	for _, c := range []struct {
		name     string
		table    *data.Table
		kind     string
		fold     int
		protocol data.Protocol
		want     string
	}{
		{"unknown kind", table, "labels", 0, data.Paper, `"labels"; want one of random, pca, label, single-random, single-pca, single-label, stratified, uci, group, time, folds, file`},
		{"unknown protocol", table, "label", 0, "", "want paper or sound"},
		{"fold 10", table, "random", 10, data.Paper, "no fold 10; folds are 0 to 9"},
		{"fold -1", table, "pca", -1, data.Paper, "no fold -1"},
		{"single fold 1", table, "single-random", 1, data.Paper, "no fold 1; folds are 0 to 0"},
		{"9 rows", data.Friedman(9, 1), "random", 0, data.Paper, "9 rows are too few; at least 10"},
		{"9 rows, sound pca", data.Friedman(9, 1), "pca", 0, data.Sound, "9 rows are too few; at least 10"},
		{"1 row", data.Friedman(1, 1), "single-label", 0, data.Paper, "1 rows are too few; at least 2"},
		{"two targets", two, "label", 0, data.Paper, "2 targets; splitting by the label needs exactly one"},
		{"no target", bare, "single-label", 0, data.Paper, "0 targets"},
	} {
		_, err := splitRows(c.table, c.kind, Options{Fold: c.fold, Protocol: c.protocol, Seed: 1})
		expect.Error(t, err, c.want)
	}
	for _, kind := range []string{"random", "pca"} {
		mustRows(t, two, kind, Options{Protocol: data.Paper, Seed: 1}) // these need no label
		mustRows(t, bare, kind, Options{Protocol: data.Paper, Seed: 1})
	}
}

// numpy.quantile(y, k/10) of NumPy 1.24.2, to the last bit. In the second row many
// quantiles fall on a value, which rounding must not miss.
func TestQuantile(t *testing.T) {
	y := []float64{3.7, -1.2, 0.5, 8.25, 2, 2, 9.1, -4.4, 6.6, 1.3, 7.7, 0.1, 5.5}
	sevenths := make([]float64, 11)
	for i := range sevenths {
		sevenths[i] = float64(i) / 7
	}
	for _, c := range []struct{ values, want []float64 }{
		{y, []float64{-4.4, -0.9399999999999997, 0.2600000000000001, 0.9799999999999998, 1.8600000000000005, 2.0,
			4.059999999999999, 5.939999999999999, 7.260000000000002, 8.14, 9.1}},
		{sevenths, []float64{0.0, 0.14285714285714285, 0.2857142857142857, 0.42857142857142855, 0.5714285714285714,
			0.7142857142857143, 0.8571428571428571, 1.0, 1.1428571428571428, 1.2857142857142858, 1.4285714285714286}},
		{[]float64{4}, slices.Repeat([]float64{4}, 11)}, // one value is every quantile
	} {
		sorted := slices.Sorted(slices.Values(c.values))
		for k, want := range c.want {
			if got := quantile(sorted, float64(k)/10); got != want {
				t.Errorf("quantile %d/10: %v, want %v", k, got, want)
			}
		}
	}
}

// Rows tested by each label fold of the files, counted with NumPy 1.24.2:
// ((y >= q[k]) & (y <= q[k+1])).sum() with q = quantile(y, k/10); in the sound protocol
// y < q[k+1] except in the last fold.
func TestLabelFoldsOfFiles(t *testing.T) {
	if os.Getenv("SML_DATA") == "" {
		t.Skip("SML_DATA is not set to a folder with the data sets' files")
	}
	for _, c := range []struct {
		name     string
		protocol data.Protocol
		want     []int
	}{
		{"yacht", data.Paper, []int{32, 33, 31, 30, 31, 32, 31, 31, 31, 31}},
		{"yacht", data.Sound, []int{29, 33, 31, 30, 31, 30, 31, 31, 31, 31}},
		{"boston", data.Paper, []int{51, 51, 52, 53, 55, 53, 52, 51, 51, 51}},
		{"boston", data.Sound, []int{51, 50, 49, 51, 50, 51, 52, 50, 51, 51}},
		{"wine-red", data.Paper, []int{744, 681, 681, 681, 1319, 638, 638, 638, 837, 217}},
		{"wine-red", data.Sound, []int{63, 0, 0, 0, 681, 0, 0, 0, 638, 217}},
	} {
		table := expect.Must(read.Dataset(ctx, c.name, "", c.protocol, 1, read.Options{}))
		for fold, want := range c.want {
			s, err := splitRows(table, "label", Options{Fold: fold, Protocol: c.protocol, Seed: 1})
			if len(s.Test) != want || errors.Is(err, ErrEmptyFold) != (want == 0) {
				t.Errorf("%s, %s, fold %d: %d rows, %v; want %d", c.name, c.protocol, fold, len(s.Test), err, want)
			}
		}
	}
}

// Only the split "file" can use the rows of a test file.
func TestTestFile(t *testing.T) {
	table := data.Friedman(5, 1)
	table.TestRows = 2
	if rows := mustRows(t, table, TestFile, Options{Protocol: data.Sound}); !slices.Equal(rows.Test, []int{3, 4}) {
		t.Errorf("tests %v", rows.Test)
	}
	_, err := splitRows(table, "single-random", Options{Protocol: data.Sound, Seed: 1})
	expect.Error(t, err, "only the file split can use them")
}

// Squares of numbers beyond 1e154 overflow, and those below 1e-154 are 0: a
// column's unit does not matter all the same.
func TestPCAFoldsInAnyUnit(t *testing.T) {
	for _, unit := range []float64{0x1p1000, 0x1p-900} {
		plain, scaled := data.Friedman(50, 1), data.Friedman(50, 1)
		for i := range scaled.X {
			if i%10 < 2 {
				scaled.X[i] *= unit
			}
		}
		for fold := range 10 {
			want := expect.Must(splitRows(plain, "pca", Options{Fold: fold, Protocol: data.Sound, Seed: 1}))
			if got, err := splitRows(scaled, "pca", Options{Fold: fold, Protocol: data.Sound, Seed: 1}); err != nil || !slices.Equal(got.Test, want.Test) {
				t.Errorf("unit %g, fold %d: %v, %v, want %v", unit, fold, got.Test, err, want.Test)
			}
		}
	}
}
