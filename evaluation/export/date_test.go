package export

import (
	"math"
	"testing"
	"time"

	"sml/data"
	"sml/data/preparation"
	"sml/evaluation/export/onnx"
	"sml/evaluation/export/onnx/ort"
	"sml/internal/expect"
)

// Every part of a date, of years 1 to 9999, is that of package preparation.
func TestDates(t *testing.T) {
	ort.RequireRuntime(t)
	c := preparation.Column{Name: "d", Field: data.Field{Kind: data.Date}, Required: true, FirstDate: 86400, DateParts: preparation.DatePartNames()}
	p := &preparation.Preparation{Columns: []preparation.Column{c}}
	e := expect.Must(p.Encoder([]string{"d"}, []data.Field{c.Field}))
	var seconds, want []float64
	for year := 1; year < 10000; year += 1 + year%7*13 {
		for month := 1; month <= 12; month++ {
			last := time.Date(year, time.Month(month+1), 0, 23, 59, 59, 0, time.UTC)
			for _, at := range []time.Time{last, last.Add(time.Second), last.Add(-301 * time.Hour)} {
				seconds = append(seconds, float64(at.Unix())+0.25)
			}
		}
	}
	for _, s := range seconds {
		want = expect.Must(e.Append(want, []float64{s}))
	}
	w := &writer{File: onnx.NewFile("dates")}
	parts := expect.Must(w.dateFeatures(&c, w.Input("d", onnx.Double, "", rowDims()...)))
	for i, part := range parts {
		w.Output(c.DateParts[i], part, "", rowDims()...)
	}
	file := expect.Must(w.Bytes())
	got := ort.Run(t, file, map[string]ort.Tensor{"d": {Type: "float64", Dims: []int{len(seconds)}, Numbers: seconds}})
	for i, part := range c.DateParts {
		for r := range seconds {
			if v := got[part].Numbers[r]; !(math.Abs(v-want[r*len(c.DateParts)+i]) <= 1e-12) {
				t.Errorf("%s of %v is %v, want %v", part, time.Unix(int64(math.Floor(seconds[r])), 0).UTC(), v, want[r*len(c.DateParts)+i])
				break
			}
		}
	}
}
