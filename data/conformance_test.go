package data

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// Everything registered passes what follows, and so does what is registered from
// outside the module: here a constant, and a split into blocks.
func init() {
	Register(Dataset{Name: "flat", Rows: 50, Features: 2, Target: "one", Make: func(context.Context, uint64) (*Table, error) {
		return &Table{Columns: []string{"a", "b"}, Targets: []string{"one"}, X: make([]float64, 100), Y: slices.Repeat([]float64{1}, 50)}, nil
	}})
	RegisterSplit(SplitKind{Name: "blocks", Folds: 5, Train: "blocks-train", Outer: "blocks-last", Extrapolates: func(fold int) bool { return fold == 4 },
		Mark: func(_ context.Context, t *Table, fold int, _ Protocol, _ uint64) ([]bool, error) {
			test := make([]bool, t.Rows())
			for i := range test {
				test[i] = i*5/len(test) == fold
			}
			return test, nil
		}})
}

func TestEveryDataset(t *testing.T) {
	for _, d := range Datasets() {
		if d.Make == nil {
			if _, err := Locate(d.Name, ""); err != nil {
				t.Logf("left out: %v", err)
				continue
			}
			if testing.Short() && d.Rows > 15000 {
				continue
			}
		}
		for _, protocol := range []Protocol{Paper, Sound} {
			var sums [2]string
			for i := range sums {
				table, err := Load(ctx, d.Name, "", protocol, 3)
				if err != nil {
					t.Fatal(err)
				}
				if table.Name != d.Name || table.Rows() != d.RowsUnder(protocol) || len(table.Columns) != d.Features || !slices.Equal(table.Targets, []string{d.Target}) ||
					len(table.X) != table.Rows()*d.Features || len(table.Y) != table.Rows() {
					t.Errorf("%s, %s: %d rows of %d inputs for %v", d.Name, protocol, table.Rows(), len(table.Columns), table.Targets)
				}
				names := slices.Sorted(slices.Values(slices.Concat(table.Columns, table.Targets)))
				if len(slices.Compact(names)) != d.Features+1 {
					t.Errorf("%s: names %v", d.Name, names)
				}
				if slices.ContainsFunc(slices.Concat(table.X, table.Y), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
					t.Errorf("%s: a value is not finite", d.Name)
				}
				if table.Differs != "" {
					t.Error(table.Differs)
				}
				if sums[i], err = table.Checksum(ctx); err != nil {
					t.Fatal(err)
				}
			}
			if sums[0] != sums[1] {
				t.Errorf("%s, %s: two readings, two tables", d.Name, protocol)
			}
		}
	}
}

func TestEverySplit(t *testing.T) {
	ties := Friedman(40, 2)
	for i := range ties.Y {
		ties.Y[i] = float64(i % 3)
	}
	for _, k := range Splits() {
		for _, table := range []*Table{Friedman(97, 1), Friedman(308, 2), ties, labelled(slices.Repeat([]float64{5}, 12)...)} {
			table = asNeeded(k, table)
			folds, err := k.FoldsOf(table)
			if err != nil {
				t.Fatal(err)
			}
			for _, protocol := range []Protocol{Paper, Sound} {
				for fold := range folds {
					for _, seed := range []uint64{0, 7} {
						first, err := table.Split(ctx, k.Name, fold, protocol, seed)
						if errors.Is(err, ErrEmptyFold) {
							continue
						}
						if err != nil {
							t.Fatal(err)
						}
						again := split(t, table, k.Name, fold, protocol, seed) // whole, ascending, no row twice
						if !slices.Equal(first.Test, again.Test) || !slices.Equal(first.Train, again.Train) {
							t.Errorf("%s, fold %d: one seed, two splits", k.Name, fold)
						}
						if len(first.Train) == 0 || len(first.Test) == 0 {
							t.Errorf("%s, fold %d: trains on %d rows and tests on %d", k.Name, fold, len(first.Train), len(first.Test))
						}
					}
				}
			}
		}
		if k.CheckFold(-1) == nil || k.Folds > 0 && k.CheckFold(k.Folds) == nil {
			t.Errorf("%s has folds that it has not", k.Name)
		}
		if k.Blind {
			one := split(t, Friedman(97, 1), k.Name, 0, Sound, 7)
			other := split(t, labelled(slices.Repeat([]float64{5}, 97)...), k.Name, 0, Sound, 7)
			if !slices.Equal(one.Test, other.Test) {
				t.Errorf("%s is blind, and of another table other rows are tested on", k.Name)
			}
		}
		table := asNeeded(k, Friedman(97, 1))
		folds, _ := k.FoldsOf(table)
		if _, err := table.Split(ctx, k.Name, folds, Sound, 1); err == nil {
			t.Errorf("%s has a fold %d of %d", k.Name, folds, folds)
		}
		if k.Column != "" {
			if _, err := Friedman(97, 1).Split(ctx, k.Name, 0, Sound, 1); err == nil || !strings.Contains(err.Error(), "which "+k.Column+" a row is of is to be read from a column") {
				t.Errorf("%s without its column: %v", k.Name, err)
			}
		}
		if (k.Share > 0) != (k.AtShare != nil) {
			t.Errorf("%s: a share of %v, which is to be chosen: %v", k.Name, k.Share, k.AtShare != nil)
		}
	}
}

// asNeeded is a table with what a kind of split needs: a column of six values, 0 to 9, or
// rows for testing.
func asNeeded(k SplitKind, t *Table) *Table {
	own := t.WithInputs(t.Columns, t.X)
	if k.Column != "" {
		own.By, own.ByField, own.B = "by", Field{Kind: Number}, make([]float64, t.Rows())
		for r := range own.B {
			own.B[r] = float64(r * r % 11)
		}
	}
	if k.Name == TestFile {
		own.Held = 3
	}
	return own
}

func TestReportedSplits(t *testing.T) {
	want := []string{"train", "test", "pca-interpolate", "pca-extrapolate", "label-interpolate", "label-extrapolate",
		"single-random", "single-pca", "single-label", "stratified", "group", "time", "folds", "file", "blocks-train", "blocks", "blocks-last"}
	if got := ReportedSplits(); !slices.Equal(got, want) {
		t.Errorf("reported are %v", got)
	}
	for _, c := range []struct {
		kind string
		fold int
		want string
	}{{"random", 0, "test"}, {"pca", 0, "pca-extrapolate"}, {"pca", 1, "pca-interpolate"}, {"label", 8, "label-interpolate"}, {"label", 9, "label-extrapolate"}, {"single-pca", 0, "single-pca"}, {"blocks", 4, "blocks-last"}} {
		if k, err := LookupSplit(c.kind); err != nil || k.Reported(c.fold) != c.want {
			t.Errorf("fold %d of %s is reported as %s, %v", c.fold, c.kind, k.Reported(c.fold), err)
		}
	}
}

// What has no name of its own, or no shape, is a mistake in the program.
func TestRefusedRegistrations(t *testing.T) {
	mark := func(context.Context, *Table, int, Protocol, uint64) ([]bool, error) { return nil, nil }
	for name, register := range map[string]func(){
		"taken":            func() { Register(Dataset{Name: "yacht", Rows: 1, Features: 1, Target: "y"}) },
		"no rows":          func() { Register(Dataset{Name: "empty", Features: 1, Target: "y"}) },
		"no target":        func() { Register(Dataset{Name: "bare", Rows: 1, Features: 1}) },
		"no folds":         func() { RegisterSplit(SplitKind{Name: "none", Mark: mark}) },
		"no marks":         func() { RegisterSplit(SplitKind{Name: "none", Folds: 1}) },
		"a reported split": func() { RegisterSplit(SplitKind{Name: "mine", Folds: 1, Mark: mark, Test: "label-interpolate"}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: it is registered", name)
				}
			}()
			register()
		}()
	}
}

// What is registered may be wrong about itself: that is an error, not a panic.
func TestMadeAndMarkedWrong(t *testing.T) {
	d := Dataset{Name: "wrong", Rows: 3, Features: 1, Target: "y", Make: func(context.Context, uint64) (*Table, error) { return Friedman(3, 1), nil }}
	if _, err := d.make(ctx, 1, Options{}); err == nil {
		t.Error("a table of another shape is taken")
	}
	short := SplitKind{Name: "short", Folds: 2, Mark: func(context.Context, *Table, int, Protocol, uint64) ([]bool, error) { return []bool{true}, nil }}
	if _, err := short.Split(ctx, Friedman(10, 1), 0, Sound, 1); err == nil {
		t.Error("too few marks are taken")
	}
}
