package shift

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sml/internal/expect"
)

// normalRows returns n rows of features that are normal with the given means and the standard deviation 1.
func normalRows(n int, rng *rand.Rand, means ...float64) []float64 {
	var x []float64
	for range n {
		for _, mean := range means {
			x = append(x, mean+rng.NormFloat64())
		}
	}
	return x
}

// The gradient of the penalised loss, and the products of its second derivatives, are those of finite differences.
func TestLogisticDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	r := newLabelledRows(normalRows(20, rng, 0, 0, 0), normalRows(30, rng, 1, 0, 0), 3)
	b := []float64{0.3, -0.7, 0.2, 1.1}
	const penalty, h = 0.1, 1e-5
	center := r.penalisedLoss(b, penalty)
	for j := range b {
		unit := make([]float64, len(b))
		unit[j] = 1
		above := slices.Clone(b)
		above[j] += h
		below := slices.Clone(b)
		below[j] -= h
		atAbove := r.penalisedLoss(above, penalty)
		atBelow := r.penalisedLoss(below, penalty)
		if want := (atAbove.Value - atBelow.Value) / (2 * h); math.Abs(center.Gradient[j]-want) > 1e-9 {
			t.Errorf("component %d of the gradient is %v, finite differences give %v", j, center.Gradient[j], want)
		}
		for i, got := range center.Multiply(unit) {
			if want := (atAbove.Gradient[i] - atBelow.Gradient[i]) / (2 * h); math.Abs(got-want) > 1e-9 {
				t.Errorf("second derivative %d, %d is %v, finite differences give %v", i, j, got, want)
			}
		}
	}
}

// At the minimum the gradient is 0, also with more features than rows and from a far start.
func TestFitLogisticFindsTheMinimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	means := make([]float64, 60)
	means[0] = 2
	r := newLabelledRows(normalRows(20, rng, make([]float64, 60)...), normalRows(25, rng, means...), 60)
	for _, penalty := range penalties {
		start := slices.Repeat([]float64{1}, 61)
		for j, derivative := range r.penalisedLoss(r.fitLogistic(penalty, start), penalty).Gradient {
			if math.Abs(derivative) > 1e-8 {
				t.Errorf("penalty %v: the derivative by coefficient %d is %v at the minimum", penalty, j, derivative)
			}
		}
	}
}

// Two normal densities with the means 0 and δ have the ratio exp(δx − δ²/2). The second feature has the same density
// in both.
func TestDensityRatioOfNormalRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	const delta = 1.0
	d := expect.Must(FitDensityRatio(normalRows(4000, rng, 0, 0), normalRows(4000, rng, delta, 0), 2))
	for _, x := range []float64{-1, 0, 0.5, 1, 2} {
		got := math.Log(d.at([]float64{x, 0.3}))
		want := delta*x - delta*delta/2
		if math.Abs(got-want) > 0.15 { // the slope has a standard error of about 0.03
			t.Errorf("x = %v: the logarithm of the ratio is %.3f, want %.3f", x, got, want)
		}
	}
	if far := d.at([]float64{1e9, 0}); math.Abs(far-99) > 1e-9 {
		t.Errorf("far away the ratio is %v, want its limit 99", far)
	}
}

// Rows with the same density have a ratio near 1, which is exactly 1 for most pairs of samples: 200 weighted rows count
// as at least 150, (Σw)²/Σw².
func TestDensityRatioWithoutShift(t *testing.T) {
	found := 0
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 4))
		calibration, target := normalRows(200, rng, 0, 0, 0), normalRows(200, rng, 0, 0, 0)
		d := expect.Must(FitDensityRatio(calibration, target, 3))
		if d.Found() {
			found++
		}
		sum, squares := 0.0, 0.0
		for i := 0; i < len(calibration); i += 3 {
			ratio := d.at(calibration[i : i+3])
			sum += ratio
			squares += ratio * ratio
		}
		if effective := sum * sum / squares; effective < 150 {
			t.Errorf("seed %d: 200 rows count as %.0f", seed, effective)
		}
	}
	if found > 5 {
		t.Errorf("in %d of 10 pairs of samples a shift is found", found)
	}
}

func TestDensityRatioOfFewRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	if _, err := FitDensityRatio(normalRows(100, rng, 0), normalRows(7, rng, 0), 1); err == nil {
		t.Error("7 rows are accepted")
	}
}

// The zero value says that rows are as frequent.
func TestZeroDensityRatio(t *testing.T) {
	if got := (DensityRatio{}).at([]float64{3, -2}); got != 1 {
		t.Errorf("%v", got)
	}
}
