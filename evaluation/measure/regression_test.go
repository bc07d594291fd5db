package measure

import (
	"math"
	"testing"
)

func TestRSquaredConventions(t *testing.T) {
	// The values that scikit-learn documents for r2_score with force_finite=True,
	// and its NaN for fewer than two samples.
	constant := []float64{0.1, 0.1, 0.1} // its mean is not 0.1 in floating point
	cases := []struct {
		name    string
		mean, y []float64
		want    float64
	}{
		{"exact", []float64{1, 2, 3}, []float64{1, 2, 3}, 1},
		{"mean of y", []float64{2, 2, 2}, []float64{1, 2, 3}, 0},
		{"constant y, exact", constant, constant, 1},
		{"constant y, not exact", []float64{0.1, 0.1, 0.2}, constant, 0},
		{"one row", []float64{1}, []float64{2}, math.NaN()},
		{"one row, exact", []float64{2}, []float64{2}, math.NaN()},
	}
	for _, c := range cases {
		near(t, c.name, r2.Compute(&Column{Mean: c.mean, Y: c.y}), c.want, 0)
	}
}

func TestRSquaredFarFromZero(t *testing.T) {
	// Shifting means and targets alike changes nothing. 2³⁰ is exact here.
	mean, y := []float64{2, 2, 5}, []float64{1, 2, 3}
	for i := range y {
		mean[i] += 1 << 30
		y[i] += 1 << 30
	}
	near(t, "R2", r2.Compute(&Column{Mean: mean, Y: y}), -1.5, 1e-15)
}

// By hand: errors 1, 0, 2; ȳ = 2, so Σ(y−ȳ)² = 2. A unit in which squares leave float64 changes only the scores in this
// unit, by itself.
func TestRegressionInAnyUnit(t *testing.T) {
	for _, unit := range []float64{1, 0x1p1000, 0x1p-1000} {
		mean, y := []float64{2, 2, 5}, []float64{1, 2, 3}
		for i := range y {
			mean[i] *= unit
			y[i] *= unit
		}
		near(t, "RMSE", rmse.Compute(&Column{Mean: mean, Y: y})/unit, math.Sqrt(5.0/3), 1e-15)
		near(t, "MAE", mae.Compute(&Column{Mean: mean, Y: y})/unit, 1, 1e-15)
		near(t, "R2", r2.Compute(&Column{Mean: mean, Y: y}), -1.5, 1e-15)
	}
}
