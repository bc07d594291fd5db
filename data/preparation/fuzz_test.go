package preparation

import (
	"encoding/json"
	"math"
	"testing"

	"sml/data"
	"sml/internal/strict"
)

// Check either refuses the preparation in a file, or the preparation can prepare rows: each row gets one
// number per feature, and no number is NaN.
func FuzzPreparation(f *testing.F) {
	raw := &data.Table{
		Name: "t", Columns: []string{"n", "t", "d"}, Targets: []string{"y"}, Y: []float64{1, 2, 3, 4},
		Fields: []data.Field{{Kind: data.Number}, {Kind: data.Category, Categories: []string{"a", "b"}}, {Kind: data.Date, Layout: "2006-01-02"}},
		X:      []float64{1, 0, 0, math.NaN(), 1, 86400, 3, math.NaN(), 1e9, 4, 0, math.NaN()},
	}
	for _, o := range []Options{{}, {Missing: Mean, Transform: "log1p"}, {Transform: "quantile-normal", Ordinal: []Order{{Column: "t", Categories: []string{"b", "a"}}}}} {
		p, err := Fit(raw, nil, o)
		if err != nil {
			f.Fatal(err)
		}
		text, _ := json.Marshal(p)
		f.Add(text)
	}
	f.Add([]byte(`{"columns": [], "targets": []}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p := new(Preparation)
		if strict.Unmarshal(text, p) != nil || p.Check(1) != nil {
			return
		}
		for _, c := range p.OneHots() {
			if c.First < 0 || c.Count < 1 || c.First+c.Count > len(p.Features()) {
				t.Fatalf("a column has %d indicators from feature %d on, of %d features", c.Count, c.First, len(p.Features()))
			}
		}
		prepared, _, err := p.Table(raw)
		if err != nil {
			return
		}
		if len(prepared.X) != 4*len(p.Features()) || len(prepared.Columns) != len(p.Features()) {
			t.Fatalf("%d numbers of %d features", len(prepared.X), len(p.Features()))
		}
		for _, v := range prepared.X {
			if math.IsNaN(v) {
				t.Fatalf("the rows are %v", prepared.X)
			}
		}
	})
}
