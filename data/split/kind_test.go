package split

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

// The conformance suite covers every kind of split, and also a kind that another package could
// register.
func init() {
	Register(Kind{Name: "blocks", Folds: 5, Train: "blocks-train", Outer: "blocks-last", Extrapolates: func(fold int) bool { return fold == 4 },
		Mark: func(_ context.Context, t *data.Table, o Options) ([]bool, error) {
			tested := make([]bool, t.Rows())
			for i := range tested {
				tested[i] = i*5/len(tested) == o.Fold
			}
			return tested, nil
		}})
}

func TestEverySplit(t *testing.T) {
	ties := data.Friedman(40, 2)
	for i := range ties.Y {
		ties.Y[i] = float64(i % 3)
	}
	for _, k := range All() {
		for _, table := range []*data.Table{data.Friedman(97, 1), data.Friedman(308, 2), ties, tableWithTargets(slices.Repeat([]float64{5}, 20)...)} {
			table = withNeededParts(k, table)
			folds := expect.Must(k.CountFolds(table))
			for _, protocol := range []data.Protocol{data.Paper, data.Sound} {
				for fold := range folds {
					for _, seed := range []uint64{0, 7} {
						first, err := splitRows(table, k.Name, Options{Fold: fold, Protocol: protocol, Seed: seed})
						if errors.Is(err, ErrEmptyFold) {
							continue
						}
						expect.NoError(t, err)
						again := mustRows(t, table, k.Name, Options{Fold: fold, Protocol: protocol, Seed: seed}) // whole, ascending, no row twice
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
		if k.IgnoresValues {
			one := mustRows(t, data.Friedman(97, 1), k.Name, Options{Protocol: data.Sound, Seed: 7})
			other := mustRows(t, tableWithTargets(slices.Repeat([]float64{5}, 97)...), k.Name, Options{Protocol: data.Sound, Seed: 7})
			if !slices.Equal(one.Test, other.Test) {
				t.Errorf("%s is blind, and of another table other rows are tested on", k.Name)
			}
		}
		table := withNeededParts(k, data.Friedman(97, 1))
		folds, _ := k.CountFolds(table)
		if _, err := splitRows(table, k.Name, Options{Fold: folds, Protocol: data.Sound, Seed: 1}); err == nil {
			t.Errorf("%s has a fold %d of %d", k.Name, folds, folds)
		}
		if k.Column != "" {
			if _, err := splitRows(data.Friedman(97, 1), k.Name, Options{Protocol: data.Sound, Seed: 1}); err == nil || !strings.Contains(err.Error(), "the split needs the column with the "+k.Column+" of each row") {
				t.Errorf("%s without its column: %v", k.Name, err)
			}
		}
	}
}

// withNeededParts returns the table with the parts that a kind of split needs: a column of six values,
// 0 to 9, or test rows.
func withNeededParts(k Kind, t *data.Table) *data.Table {
	own := t.WithInputs(t.Columns, t.X)
	if k.Column != "" {
		own.SplitColumn, own.SplitField, own.SplitValues = "by", data.Field{Kind: data.Number}, make([]float64, t.Rows())
		for r := range own.SplitValues {
			own.SplitValues[r] = float64(r * r % 11)
		}
	}
	if k.Name == TestFile {
		own.TestRows = 3
	}
	return own
}

func TestScoreNames(t *testing.T) {
	want := []string{"train", "test", "pca-interpolate", "pca-extrapolate", "label-interpolate", "label-extrapolate",
		"single-random", "single-pca", "single-label", "stratified", "uci", "group", "time", "folds", "file", "blocks-train", "blocks", "blocks-last"}
	if got := ScoreNames(); !slices.Equal(got, want) {
		t.Errorf("reported are %v", got)
	}
	for _, c := range []struct {
		kind string
		fold int
		want string
	}{{"random", 0, "test"}, {"pca", 0, "pca-extrapolate"}, {"pca", 1, "pca-interpolate"}, {"label", 8, "label-interpolate"}, {"label", 9, "label-extrapolate"}, {"single-pca", 0, "single-pca"}, {"blocks", 4, "blocks-last"}} {
		if k, err := Lookup(c.kind); err != nil || k.ScoreName(c.fold) != c.want {
			t.Errorf("fold %d of %s is reported as %s, %v", c.fold, c.kind, k.ScoreName(c.fold), err)
		}
	}
}

func TestRefusedRegistrations(t *testing.T) {
	mark := func(context.Context, *data.Table, Options) ([]bool, error) { return nil, nil }
	for name, kind := range map[string]Kind{
		"the name is taken":      {Name: "random", Folds: 1, Mark: mark},
		"no folds":               {Name: "none", Mark: mark},
		"no marks":               {Name: "none", Folds: 1},
		"the scores' name taken": {Name: "mine", Folds: 1, Mark: mark, Test: "label-interpolate"},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: it is registered", name)
				}
			}()
			Register(kind)
		}()
	}
}

// A kind that marks rows wrongly is reported as an error.
func TestWrongMarks(t *testing.T) {
	short := Kind{Name: "short", Folds: 2, Mark: func(context.Context, *data.Table, Options) ([]bool, error) { return []bool{true}, nil }}
	_, err := short.Rows(ctx, data.Friedman(10, 1), Options{Protocol: data.Sound})
	expect.Error(t, err, "the split marks 1 rows; the table has 10")
	bothSides := randomFolds
	bothSides.Column = "group"
	table := tableWithSplitValues(data.Field{Kind: data.Number}, slices.Repeat([]float64{1, 2}, 20)...)
	_, err = bothSides.Rows(ctx, table, Options{Protocol: data.Sound, Seed: 1})
	expect.Error(t, err, "are trained on and tested on")
}
