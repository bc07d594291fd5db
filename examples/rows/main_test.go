package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

// losses returns the loss of each epoch of the saved model in dir, which has the inputs of the source.
func losses(t *testing.T, source trainers.Source, dir string) []float64 {
	t.Helper()
	m := expect.Must(models.Load(dir))
	if len(m.Inputs) != len(source.XScale) {
		t.Errorf("the model has %d inputs", len(m.Inputs))
	}
	history := expect.Must(models.LoadHistory(dir))
	var values []float64
	for _, e := range history.Rows {
		values = append(values, e.Values[0])
	}
	return values
}

// A model of generated rows learns. The negative log-likelihood of the standardised target, up to a constant, is 0 for a
// constant prediction with the standard deviation 1.
func TestGenerated(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "model")
	expect.NoError(t, run(t.Context(), []string{"generated", dir}))
	if l := losses(t, generatedRows(), dir); !(l[len(l)-1] < -0.8) {
		t.Errorf("losses %v", l)
	}
}

// A file that was made is trained on: the scalers are those of the whole table, an epoch has each row after the
// validation rows once, in an order that follows from the seed, and the model is saved.
func TestFile(t *testing.T) {
	const rows = validationRows + 3500
	path := filepath.Join(t.TempDir(), "rows.parquet")
	expect.NoError(t, makeFile(path, rows))
	source, err := fileRows(t.Context(), path)
	if err != nil || source.Rows != rows-validationRows || len(source.Validation.Y) != validationRows {
		t.Fatalf("%d rows and %d for validation: %v", source.Rows, len(source.Validation.Y), err)
	}
	var all []float64
	for block, err := range blocksOf(t.Context(), path) {
		expect.NoError(t, err)
		all = append(all, block.Y...)
	}
	want := data.FitScalers(all, []string{"y"}, nil)[0]
	if got := source.YScale[0]; got.Name != "y" || !near(got.Mean, want.Mean) || !near(got.Std, want.Std) {
		t.Errorf("scaler %+v, want %+v", got, want)
	}
	first, again, other := targets(t, source, 1), targets(t, source, 1), targets(t, source, 2)
	if !slices.Equal(first, again) || slices.Equal(first, other) {
		t.Error("the order does not follow from the seed")
	}
	slices.Sort(first)
	if trained := slices.Sorted(slices.Values(all[validationRows:])); !slices.Equal(first, trained) {
		t.Errorf("an epoch has %d rows of the %d", len(first), len(trained))
	}
	dir := filepath.Join(t.TempDir(), "model")
	expect.NoError(t, run(t.Context(), []string{"file", path, dir}))
	losses(t, source, dir)
}

// near reports whether two numbers differ by rounding only.
func near(a, b float64) bool { return (a-b)*(a-b) < 1e-18*b*b }

// targets returns the targets of an epoch in their order.
func targets(t *testing.T, source trainers.Source, seed uint64) (all []float64) {
	t.Helper()
	for block, err := range source.Epoch(context.Background(), 0, seed) {
		expect.NoError(t, err)
		all = append(all, block.Y...)
	}
	return all
}

// Wrong arguments and files are errors.
func TestRowsMistakes(t *testing.T) {
	short := filepath.Join(t.TempDir(), "short.csv")
	expect.NoError(t, os.WriteFile(short, []byte("a,y\n1,2\n"), 0o600))
	for _, args := range [][]string{nil, {"make", "f", "many"}, {"file", "none.parquet", "m"}, {"file", short, "m"}} {
		if run(t.Context(), args) == nil {
			t.Errorf("%q is no error", args)
		}
	}
}
