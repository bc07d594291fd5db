package study

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// parquet-go reads what is written, which has more than one page.
func TestParquetIsReadByOthers(t *testing.T) {
	type row struct {
		Row     int64   `parquet:"row"`
		Target  int64   `parquet:"target"`
		Y       float64 `parquet:"y"`
		Mean    float64 `parquet:"mean"`
		Std     float64 `parquet:"std"`
		StdDrop float64 `parquet:"std_drop"`
		Offset  float64 `parquet:"offset"`
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 300, 1<<20 + 7} {
		var rows []Prediction
		var want []row
		for i := range n {
			p := Prediction{int64(i) * 1e10, int64(i % 2), rng.NormFloat64(), -1e300, math.Inf(1), float64(i), math.SmallestNonzeroFloat64}
			rows, want = append(rows, p), append(want, row(p))
		}
		file := predictionsParquet(rows)
		f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
		if err != nil || f.NumRows() != int64(n) || len(f.RowGroups()) != 1 {
			t.Fatalf("%d rows: %v", n, err)
		}
		var names []string
		for _, c := range f.Root().Columns() {
			names = append(names, c.Name())
			if c.Optional() || c.Repeated() {
				t.Errorf("%s is not required", c.Name())
			}
		}
		if want := []string{"row", "target", "y", "mean", "std", "std_drop", "offset"}; !slices.Equal(names, want) {
			t.Errorf("columns %v", names)
		}
		got, err := parquet.Read[row](bytes.NewReader(file), int64(len(file)))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d rows: read differently, %v", n, err)
		}
	}
}
