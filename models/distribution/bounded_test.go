package distribution_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"sml/models/distribution"
)

// positive are the bounds of a target that is 0 or more.
var positive = distribution.Bounds{Low: 0, High: math.Inf(1)}

// Expected scores: the midpoint rule with two million steps for ∫(F(x) − 1[x ≥ y])² dx over the bounds,
// where F is the distribution function of the normal distribution. 200 quantiles stand for all.
func TestBoundedCRPS(t *testing.T) {
	for _, c := range []struct {
		mean, std float64
		bounds    distribution.Bounds
		y, want   float64
	}{
		{1, 2, positive, 0.5, 0.4482225352850699},
		{1, 2, positive, 0, 0.594029971995894},
		{-3, 1, positive, 0.2, 0.19960445451318026},
		{0.5, 1, distribution.Bounds{Low: 0, High: 1}, 0.25, 0.18972272238777377},
		{5, 1, positive, 4, 0.6024427230056268},
	} {
		d := distribution.Bound(distribution.NewNormal(c.mean, c.std), c.bounds)
		if got := d.CRPS(c.y); math.Abs(got-c.want) > 2e-3*c.std {
			t.Errorf("N(%v, %v²) in %v at %v: CRPS %v; want %v", c.mean, c.std, c.bounds, c.y, got, c.want)
		}
		below := -1.5
		wantBelow := d.CRPS(c.bounds.Low) + c.bounds.Low - below
		if got := d.CRPS(below); got != wantBelow {
			t.Errorf("N(%v, %v²) in %v at %v: CRPS %v; want %v", c.mean, c.std, c.bounds, below, got, wantBelow)
		}
	}
}

// TestBoundNeverWorsens checks for all families that, for targets within the bounds, the error of the mean, the CRPS and
// the distance of quantiles from the target do not grow, and that all values are within the bounds.
func TestBoundNeverWorsens(t *testing.T) {
	for _, f := range distribution.Examples {
		for _, p := range f.Examples {
			for _, b := range []distribution.Bounds{positive, {Low: -0.5, High: 0.5}, {Low: math.Inf(-1), High: 2}} {
				checkBound(t, f.Name, f.New(p), b)
			}
		}
	}
}

// clip returns the number within the bounds that is nearest to y.
func clip(b distribution.Bounds, y float64) float64 { return math.Min(math.Max(y, b.Low), b.High) }

// checkBound checks one distribution and its copy in the bounds.
func checkBound(t *testing.T, name string, free distribution.Distribution, b distribution.Bounds) {
	t.Helper()
	d := distribution.Bound(free, b)
	if _, isClasses := free.(distribution.Classes); isClasses {
		if _, isClasses := d.(distribution.Classes); !isClasses {
			t.Errorf("%s: classes have bounds", name)
		}
		return
	}
	isInside := func(x float64) bool { return math.IsNaN(x) || b.Low <= x && x <= b.High }
	if !isInside(d.Mean()) {
		t.Errorf("%s in %v: mean %v", name, b, d.Mean())
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		if x := d.Sample(r); !isInside(x) {
			t.Errorf("%s in %v: sample %v", name, b, x)
		}
	}
	for _, y := range []float64{clip(b, -7), clip(b, 0), clip(b, 0.3), clip(b, 1.9), clip(b, 40)} {
		if before, after := math.Abs(free.Mean()-y), math.Abs(d.Mean()-y); after > before {
			t.Errorf("%s in %v: the error of the mean grows from %v to %v", name, b, before, after)
		}
		before, after := free.CRPS(y), d.CRPS(y)
		if after > before || after < 0 || math.IsNaN(after) != math.IsNaN(before) {
			t.Errorf("%s in %v at %v: CRPS %v; before %v", name, b, y, after, before)
		}
		for _, level := range []float64{0.001, 0.05, 0.5, 0.9, 0.9999} {
			before, after := free.Quantile(level), d.Quantile(level)
			if !isInside(after) || math.Abs(after-y) > math.Abs(before-y) {
				t.Errorf("%s in %v: quantile %v at level %v; before %v", name, b, after, level, before)
			}
		}
	}
}

// TestBoundedFunction compares the distribution function, the standard deviation and the density with those of
// the distribution before, and the affine map with the values that it maps.
func TestBoundedFunction(t *testing.T) {
	free := distribution.NewNormal(1, 2)
	d := distribution.Bound(free, distribution.Bounds{Low: 0, High: 3})
	for y, want := range map[float64]float64{-1: 0, 0: free.CDF(0), 2: free.CDF(2), 3: 1, 9: 1} {
		if got := d.CDF(y); got != want {
			t.Errorf("CDF(%v) = %v; want %v", y, got, want)
		}
	}
	if d.Std() != free.Std() || d.LogDensity(0) != free.LogDensity(0) {
		t.Errorf("std %v and log density %v differ from the unbounded distribution's", d.Std(), d.LogDensity(0))
	}
	moved := d.Affine(2, -5)
	for _, level := range []float64{0.01, 0.4, 0.99} {
		if got, want := moved.Quantile(level), 2*d.Quantile(level)-5; math.Abs(got-want) > 1e-14*math.Abs(want) {
			t.Errorf("quantile %v of the affine map is %v; want %v", level, got, want)
		}
	}
}

// TestBoundedPoint checks that numbers without uncertainty are clipped, too.
func TestBoundedPoint(t *testing.T) {
	d := distribution.Bound(distribution.NewPoint(-2), positive)
	if !distribution.IsPoint(d) || d.Mean() != 0 {
		t.Errorf("%v", d)
	}
	one := distribution.Bound(distribution.Quantiles(0.5).New([]float64{-2}), positive)
	if one.Mean() != 0 {
		t.Errorf("the only quantile is %v; want 0", one.Mean())
	}
}
