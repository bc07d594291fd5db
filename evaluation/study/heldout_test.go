package study

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"sml/data"
	"sml/data/split"
	"sml/evaluation/experiment"
)

// What a cell learns, and its scores on the rows that it learnt from, do not
// depend on what stands in the rows that are held out, be it NetCDF's fill value.
func TestHeldOutRowsDoNotReachTraining(t *testing.T) {
	config := small
	config.Datasets, config.Splits, config.Fold = []string{"aa"}, []string{"random"}, []int{1}
	trained := func(change func(t *data.Table, test []int)) map[string][]byte {
		source := func(ctx context.Context, s experiment.Source, mode data.Protocol) (*data.Table, error) {
			table, err := readSmallTable(ctx, s, mode)
			if err != nil {
				return nil, err
			}
			rows, err := randomSplit(ctx, table, split.Options{Fold: 1, Protocol: mode, Seed: 1})
			if err != nil {
				return nil, err
			}
			change(table, rows.Test)
			return table, nil
		}
		p, err := NewPlan(t.Context(), config, testVersion, source, false)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := p.Write(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), dir, p, testVersion, source, Options{}); err != nil {
			t.Fatal(err)
		}
		found := make(map[string][]byte)
		for _, c := range p.Cells {
			r, state, err := Load(dir, p, c)
			if err != nil || state != Done {
				t.Fatalf("%s: %s, %v, %s", c.Name, state, err, r.Failed)
			}
			r.Test, r.Files = nil, nil
			if found[c.Label], err = json.Marshal(r); err != nil {
				t.Fatal(err)
			}
		}
		return found
	}
	want := trained(func(*data.Table, []int) {})
	for name, change := range map[string]func(*data.Table, []int){
		"other numbers": func(t *data.Table, test []int) {
			r := rand.New(rand.NewPCG(5, 6))
			for _, row := range test {
				t.Y[row] = 30 * r.NormFloat64()
				for j := range t.Columns {
					t.X[row*len(t.Columns)+j] = 10 * r.NormFloat64()
				}
			}
		},
		"a fill value": func(t *data.Table, test []int) { t.X[test[3]*len(t.Columns)+2] = 9.969209968386869e36 },
	} {
		for label, got := range trained(change) {
			if !bytes.Equal(got, want[label]) {
				t.Errorf("%s in the test rows changed %s:\n%s\n%s", name, label, want[label], got)
			}
		}
	}
}

// randomSplit returns the rows of a fold of the random split.
func randomSplit(ctx context.Context, t *data.Table, o split.Options) (split.Rows, error) {
	kind, err := split.Lookup("random")
	if err != nil {
		return split.Rows{}, err
	}
	return kind.Rows(ctx, t, o)
}
