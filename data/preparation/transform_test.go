package preparation

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/models/distribution"
)

var targets = []float64{0.5, 1, 1, 2, 4, 9, 100}

func TestTransformsComeBack(t *testing.T) {
	for _, name := range TransformNames() {
		tr := expect.Must(fitTransform(name, "y", targets))
		before := math.Inf(-1)
		for _, y := range []float64{0.5, 0.7, 1, 1.5, 2, 4, 8, 9, 50, 100} {
			z := tr.Apply(y)
			if z <= before {
				t.Errorf("%s: %v at %v is not above %v", name, z, y, before)
			}
			before = z
			if back := tr.Invert(z); math.Abs(back-y) > 1e-12*y {
				t.Errorf("%s: %v comes back as %v", name, y, back)
			}
		}
		for _, z := range []float64{-30, -1, 0, 1, 5} {
			if y := tr.Invert(z); math.IsNaN(y) || name != "log1p" && y < 0 || name == "quantile-normal" && (y < 0.5 || y > 100) {
				t.Errorf("%s: %v comes back as %v", name, z, y)
			}
		}
	}
}

// Expected values of log from mpmath 1.3.0: exp(μ + σ²/2), and that times √(exp(σ²) − 1). Others from SciPy 1.10: quad over the
// normal density for the square of a normal number, 0 below 0; for log1p from the
// midpoint rule over the normal density with two million steps, exp(z) − 1 being 0 below
// 0, where the function has a kink.
func TestTransformedMoments(t *testing.T) {
	nodes, weights := distribution.NormalNodes()
	for _, c := range []struct {
		name               string
		mean, std          float64
		wantMean, wantStd  float64
		within, withinStds float64
	}{
		{"log", 0.3, 0.7, 1.7246083823764355, 1.3713795020614707, 1e-13, 1e-13},
		{"log", 0, 0.5, 1.1331484530668263, 0.60390053321088123, 1e-13, 1e-13},
		{"log", 0, 1, 1.6487212707001281, 2.1611974158950878, 1e-13, 1e-13},
		{"log", 0, 1.5, 3.0802168489180312, 8.9738172181164515, 1e-10, 1e-10},
		{"log1p", 0.3, 0.7, 0.8353213310, 1.2872070627, 2e-4, 2e-4},
		{"sqrt", 3, 0.5, 9.25, 3.0207615, 1e-7, 1e-7},
		{"sqrt", 0.1, 1, 0.5849213703978621, 1.2282782183163785, 6e-3, 3e-2},
	} {
		tr := expect.Must(fitTransform(c.name, "y", targets))
		if c.std > 1 {
			tr.Range = nil // which would move quantiles
		}
		m, s := tr.Moments(c.mean, c.std, nodes, weights)
		if math.Abs(m-c.wantMean) > c.within*c.wantMean || math.Abs(s-c.wantStd) > c.withinStds*c.wantStd {
			t.Errorf("%s of N(%v, %v²): %v ± %v, want %v ± %v", c.name, c.mean, c.std, m, s, c.wantMean, c.wantStd)
		}
	}
}

// Expected values from mpmath 1.2.1: Σ w exp(μ + σ²/2) = M, and √(Σ w exp(2μ + 2σ²) − M²). The standard deviations of the
// components are 0.25 to 2, with weights of 1e-12 and 0, a component without spread, and components 50 apart.
func TestMixtureMoments(t *testing.T) {
	tr := Transform{Name: "log"}
	for _, c := range []struct {
		weights, means, stds []float64
		wantMean, wantStd    float64
	}{
		{[]float64{0.5, 0.5}, []float64{0, 1}, []float64{0.25, 0.5}, 2.055980128208567, 1.5590916968852841},
		{[]float64{0.3, 0.7}, []float64{-1, 0.5}, []float64{1, 1.5}, 3.7368525239398468, 12.554691784320261},
		{[]float64{0.25, 0.75}, []float64{0, -2}, []float64{0.5, 2}, 1.0332871132667066, 6.3476854509411671},
		{[]float64{0.999999999999, 1e-12}, []float64{0, 3}, []float64{0.5, 1}, 1.1331484530988086, 0.60390053561759202},
		{[]float64{1, 0}, []float64{0, 50}, []float64{1, 1}, 1.6487212707001281, 2.1611974158950878},
		{[]float64{0.4, 0.6}, []float64{0.3, 1}, []float64{0, 0.7}, 2.6237044026324965, 2.3785946932212928},
		{[]float64{0.5, 0.5}, []float64{-25, 25}, []float64{0.25, 1}, 59358004566.084825, 125026666345.68618},
	} {
		var parameters []float64
		for _, weight := range c.weights {
			parameters = append(parameters, math.Log(weight))
		}
		parameters = append(append(parameters, c.means...), c.stds...)
		d := distribution.Invert(distribution.NormalMixture(len(c.weights)).New(parameters), tr)
		if math.Abs(d.Mean()/c.wantMean-1) > 1e-9 || math.Abs(d.Std()/c.wantStd-1) > 1e-9 {
			t.Errorf("%v: %v ± %v, want %v ± %v", c, d.Mean(), d.Std(), c.wantMean, c.wantStd)
		}
		moved := d.Affine(3, -2)
		if math.Abs(moved.Mean()-(3*d.Mean()-2)) > 1e-12*c.wantMean*3 || math.Abs(moved.Std()/d.Std()/3-1) > 1e-12 {
			t.Errorf("%v: 3y − 2 is %v ± %v", c, moved.Mean(), moved.Std())
		}
	}
}

// Moments of a mixture are finite, whatever its components: exponents are limited to MaxExponent.
func TestMixtureMomentsAreFinite(t *testing.T) {
	half := math.Log(0.5)
	for _, name := range []string{"log", "log1p", "sqrt"} {
		tr := expect.Must(fitTransform(name, "y", targets))
		for _, parameters := range [][]float64{
			{half, half, 0, 1e200, 1, 1e200}, {half, half, -1e300, 1e300, 0, 0}, {half, half, -800, -800, 0, 1e-300}, {0, math.Inf(-1), 0, 1e300, 1, 1},
		} {
			d := distribution.Invert(distribution.NormalMixture(2).New(parameters), tr)
			if m, s := d.Mean(), d.Std(); !(m >= 0 && m <= math.MaxFloat64 && s >= 0 && s <= math.MaxFloat64) {
				t.Errorf("%s of %v: %v ± %v", name, parameters, m, s)
			}
		}
	}
}

// heavyTailed holds targets over twelve orders of magnitude, many of them 0.
var heavyTailed = []float64{0, 0, 0, 0, 0.01, 3, 250, 1e4, 2e5, 7e6, 2.8e9}

// For a std up to 1 the mean is the mean of the log-normal distribution, exp(μ + σ²/2), // even if the median is outside of the range of the training targets.
func TestLogNormalMean(t *testing.T) {
	nodes, weights := distribution.NormalNodes()
	tr := expect.Must(fitTransform("log", "y", []float64{2, 50}))
	for _, mean := range []float64{-3, 0.7, 3.9, 8} {
		for _, std := range []float64{0.01, 0.3, 0.6, 1} {
			got, _ := tr.Moments(mean, std, nodes, weights)
			if want := math.Exp(mean + std*std/2); math.Abs(got/want-1) > 1e-12 {
				t.Errorf("the mean of N(%v, %v²) is %v, want %v", mean, std, got, want)
			}
		}
	}
}

// For all predictions, the mean in the target's unit is finite, ascends with the
// predicted mean, and is no more than √e times the larger of the largest training target
// and the median: √e is the mean of exp(z), z standard normal.
func TestMomentsStayPlausible(t *testing.T) {
	nodes, weights := distribution.NormalNodes()
	stds := []float64{0, 1e-9, 0.5, 1, 1.001, 3, 10, 300, 1e5, 1e150, math.MaxFloat64}
	means := []float64{-math.MaxFloat64, -1e200, -800, -30, -1, 0, 1, 12, 21, 25, 700, 710, 1e5, 1e160, math.MaxFloat64}
	for _, name := range []string{"log", "log1p", "sqrt", "quantile-normal"} {
		y := heavyTailed
		if name == "log" {
			y = y[4:]
		}
		tr := expect.Must(fitTransform(name, "y", y))
		for _, std := range stds {
			before := math.Inf(-1)
			for _, mean := range means {
				m, s := tr.Moments(mean, std, nodes, weights)
				if !(m >= 0) || math.IsInf(m, 0) || !(s >= 0) || math.IsInf(s, 0) {
					t.Fatalf("%s of N(%v, %v²): %v ± %v", name, mean, std, m, s)
				}
				if m < before {
					t.Errorf("%s: the mean of N(%v, %v²) is %v, below %v of a smaller mean", name, mean, std, m, before)
				}
				before = m
				if limit := math.Sqrt(math.E) * max(slices.Max(y), tr.Invert(mean)); tr.Range != nil && m > limit*(1+1e-10) { // a std of 1 attains it, plus 1 with log1p
					t.Errorf("%s: the mean of N(%v, %v²) is %v, above %v", name, mean, std, m, limit)
				}
			}
		}
	}
}

// Quantiles stay where the transform is defined: positive with log, from 0 on with sqrt,
// and with log1p if no training target is negative.
func TestInvertStaysInDomain(t *testing.T) {
	for _, c := range []struct {
		name string
		y    []float64
		low  float64 // included
	}{
		{"log", []float64{1, 2}, math.SmallestNonzeroFloat64},
		{"log1p", []float64{0, 2}, 0},
		{"log1p", []float64{-0.5, 2}, math.Nextafter(-1, 0)},
		{"sqrt", []float64{0, 2}, 0},
		{"quantile-normal", []float64{3, 7}, 3},
	} {
		tr := expect.Must(fitTransform(c.name, "y", c.y))
		for _, z := range []float64{-math.MaxFloat64, -1e6, -746, -40, -0.3, 0, 40, 710, 1e200, math.MaxFloat64} {
			if y := tr.Invert(z); !(y >= c.low) || math.IsInf(y, 0) || math.IsNaN(tr.Apply(y)) || math.IsInf(tr.Apply(y), 0) {
				t.Errorf("%s fitted on %v: %v becomes %v", c.name, c.y, z, y)
			}
		}
	}
}

// The derivative of Apply is compared with finite differences.
func TestLogSlope(t *testing.T) {
	for _, name := range []string{"log", "log1p", "sqrt"} {
		tr := Transform{Name: name}
		for _, y := range []float64{0.01, 1, 7, 1e6} {
			h := 1e-6 * y
			want := math.Log((tr.Apply(y+h) - tr.Apply(y-h)) / (2 * h))
			if got := tr.LogSlope(y); math.Abs(got-want) > 1e-7 {
				t.Errorf("%s at %v: %v, want %v", name, y, got, want)
			}
		}
	}
	if got := (Transform{Name: "sqrt"}).LogSlope(0); !math.IsInf(got, 1) {
		t.Errorf("sqrt at 0: %v", got)
	}
	if got := (Transform{Name: "quantile-normal", Knots: []float64{1, 2}}).LogSlope(1.5); !math.IsNaN(got) {
		t.Errorf("quantile-normal: %v", got)
	}
}

// The ranks of seven targets, two of them equal, by hand: a value at 1.5 has 2 of 7 below it.
func TestQuantileNormal(t *testing.T) {
	tr := expect.Must(fitTransform("quantile-normal", "y", targets))
	for _, c := range []struct{ y, rank float64 }{{0, 0.5 / 7}, {0.5, 0.5 / 7}, {1, 2. / 7}, {2, 3.5 / 7}, {3, 4. / 7}, {9, 5.5 / 7}, {100, 6.5 / 7}, {200, 6.5 / 7}} {
		if got := tr.rank(c.y); math.Abs(got-c.rank) > 1e-15 {
			t.Errorf("the rank of %v is %v, want %v", c.y, got, c.rank)
		}
	}
	if got := tr.Apply(2); math.Abs(got) > 1e-15 {
		t.Errorf("the median becomes %v", got)
	}
}

func TestTransformsRefuse(t *testing.T) {
	for _, c := range []struct {
		name string
		y    []float64
		want string
	}{
		{"log", []float64{1, 0}, `the target "y" is 0 in a training row; the transform log needs numbers above 0`},
		{"log1p", []float64{-1, 0}, "the transform log1p needs numbers above −1"},
		{"sqrt", []float64{-0.5, 0}, "the transform sqrt needs numbers from 0 on"},
		{"quantile-normal", []float64{2, 2}, "is 2 in every training row; the transform quantile-normal needs different values"},
	} {
		expect.Error(t, expect.ErrorOf(fitTransform(c.name, "y", c.y)), c.want)
	}
	if err := (Options{Transform: "cube"}).Check(); err == nil || !slices.Contains(strings.Fields(err.Error()), "sqrt,") {
		t.Errorf("%v", err)
	}
}

// Several targets are put through a transform each, fitted by itself.
func TestTransformsOfSeveralTargets(t *testing.T) {
	table := &data.Table{Name: "t", Columns: []string{"x"}, X: []float64{1, 2, 3}, Targets: []string{"a", "b"}, Y: []float64{1, 10, 2, 30, 3, 20}}
	p := expect.Must(Fit(table, nil, Options{Transform: "quantile-normal"}))
	if !slices.Equal(p.Targets[0].Knots, []float64{1, 2, 3}) || !slices.Equal(p.Targets[1].Knots, []float64{10, 20, 30}) {
		t.Errorf("%+v", p.Targets)
	}
	prepared, _, err := p.Table(table)
	if err != nil {
		t.Fatal(err)
	}
	if y := prepared.Y; y[0] != y[1] || y[2] != -y[0] && y[2] != 0 || y[5] != y[2] || y[3] != y[4] {
		t.Errorf("the targets become %v", y)
	}
	table.Y[0], table.Y[5] = -1, 0
	if _, err := Fit(table, nil, Options{Transform: "log"}); err == nil || strings.Count(err.Error(), "the transform log needs numbers above 0") != 2 {
		t.Errorf("%v", err)
	}
}
