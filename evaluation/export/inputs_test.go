package export

import (
	"math"
	"testing"

	"sml/data"
	"sml/data/preparation"
	"sml/evaluation/export/onnx"
	"sml/evaluation/export/onnx/ort"
	"sml/internal/expect"
)

// What predict refuses is NaN.
func TestRequiredColumns(t *testing.T) {
	ort.RequireRuntime(t)
	w := &writer{File: onnx.NewFile("columns")}
	columns := []preparation.Column{
		{Name: "n", Field: data.Field{Kind: data.Number}, Required: true},
		{Name: "c", Field: data.Field{Kind: data.Category, Categories: []string{"7", "b"}}, Required: true, OtherRows: 1},
		{Name: "o", Field: data.Field{Kind: data.Category, Categories: []string{"a", "b", "c"}}, Required: true, Ordered: true},
	}
	var all []onnx.Value
	for _, c := range columns {
		features := expect.Must(w.columnFeatures(&c, w.declareColumn(&c)))
		all = append(all, features...)
	}
	w.Output("x", w.Concat(1, all...), "", onnx.Dim{Name: "rows"}, onnx.Dim{Size: 5})
	file := expect.Must(w.Bytes())
	texts := func(of ...string) ort.Tensor { return ort.Tensor{Type: "string", Dims: []int{4}, Texts: of} }
	got := ort.Run(t, file, map[string]ort.Tensor{"n": {Type: "float64", Dims: []int{4}, Numbers: []float64{1, 2, math.NaN(), 4}}, "c": texts("b", "NA", "7", "7.0"), "o": texts("b", "None", "a", "Z")})["x"].Numbers
	nan := math.NaN()
	for i, want := range []float64{1, 0, 1, 0, 1, 2, nan, nan, nan, nan, nan, 1, 0, 0, 0, 4, 0, 0, 1, 1} {
		if got[i] != want && !(math.IsNaN(got[i]) && math.IsNaN(want)) {
			t.Errorf("feature %d of row %d is %v, want %v", i%5+1, i/5+1, got[i], want)
		}
	}
}
