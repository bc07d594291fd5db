package explain

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"sml/data"
	"sml/evaluation"
	"sml/internal/expect"
	"sml/internal/portable"
)

// The mean of twoRoles is 2·x1 and its σ softplus(x2): the curves follow from these formulas.
func TestPartialDependence(t *testing.T) {
	const n = 500
	m, rows, truth := twoRoles(t, n)
	table := &data.Table{Name: "made", Columns: []string{"x1", "x2", "x3"}, Targets: []string{"y"}, X: rows.X, Y: truth.Y}
	depend := func(column string) *Dependence {
		t.Helper()
		d := expect.Must(PartialDependence(t.Context(), decoded(t, m), table, table, nil, column, evaluation.Sampling{}, nil))
		if d.Rows != maxDependenceRows || len(d.Curves) != 1 || len(d.Values) != maxDependenceValues || len(d.Curves[0].Single) != maxDependenceCurves {
			t.Fatalf("%s: %d rows, %d curves, %d values", column, d.Rows, len(d.Curves), len(d.Values))
		}
		return d
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-5 { // networks are float32
			t.Errorf("%s is %v; want %v", what, got, want)
		}
	}
	predicted := spread(rangeOf(n), maxDependenceRows)
	meanOf := func(f func(row int) float64) float64 {
		sum := 0.0
		for _, row := range predicted {
			sum += f(row) / float64(len(predicted))
		}
		return sum
	}
	z := portable.NormalQuantile(0.95)
	d := depend("x1")
	meanStd := meanOf(func(row int) float64 { return portable.Softplus(rows.X[3*row+1]) })
	for i, v := range d.Values {
		near("the mean over x1", d.Curves[0].Mean[i], 2*v)
		near("the upper end over x1", d.Curves[0].Upper[i], 2*v+z*meanStd)
		near("the mean of a row", d.Curves[0].Single[7][i], 2*v)
	}
	d = depend("x2")
	mean := meanOf(func(row int) float64 { return 2 * rows.X[3*row] })
	for i, v := range d.Values {
		near("the mean over x2", d.Curves[0].Mean[i], mean)
		near("the lower end over x2", d.Curves[0].Lower[i], mean-z*portable.Softplus(v))
		near("the mean of the last row with a curve", d.Curves[0].Single[39][i], 2*rows.X[3*(d.Curves[0].Numbers[39]-1)])
	}
	var text bytes.Buffer
	expect.NoError(t, d.WriteCSV(&text))
	if lines := strings.Count(text.String(), "\n"); lines != 1+41*maxDependenceValues {
		t.Errorf("%d lines", lines)
	}
	_, err := PartialDependence(t.Context(), decoded(t, m), table, table, nil, "x4", evaluation.Sampling{}, nil)
	expect.Error(t, err, `no column "x4"; want one of x1, x2, x3`)
}

// rangeOf returns 0, 1, …, n−1.
func rangeOf(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

func TestChooseValues(t *testing.T) {
	var many []float64
	for i := range 1000 {
		many = append(many, float64(i))
	}
	got := chooseValues(many, data.Number)
	if len(got) > maxDependenceValues || got[0] != 10 || got[len(got)-1] != 989 {
		t.Errorf("of 0 to 999: %v", got)
	}
	categories := append(many[:60:60], 30, 30, 45)
	got = chooseValues(categories, data.Category)
	if len(got) != maxDependenceValues || got[0] != 30 || got[1] != 45 {
		t.Errorf("of 60 categories: %v", got)
	}
}
