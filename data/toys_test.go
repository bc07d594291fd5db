package data

import (
	"math"
	"slices"
	"testing"

	"sml/internal/expect"
)

func generate(t *testing.T, name string, seed uint64) *Table {
	t.Helper()
	d := expect.Must(Lookup(name))
	return expect.Must(d.Make(ctx, seed))
}

// Sizes and ranges as in the protocol, "Toy data".
func TestToyShapes(t *testing.T) {
	want := []struct {
		name          string
		rows, columns int
		low, top      float64
	}{
		{"toy", 1000, 1, -15, 20},
		{"toy-hf", 1000, 1, -15, 20},
		{"toy-modulated", 20000, 1, -15, 15},
		{"toy-uniform", 20000, 1, -15, 30},
		{"toy-noise", 10000, 1, -15, 30},
		{"toy-noise-strong", 20000, 1, -15, 30},
		{"friedman", 1000, 10, 0, 1},
	}
	for i, toy := range toys {
		c := want[i]
		got := generate(t, toy.Name, 1)
		if toy.Name != c.name || toy.Meaning == "" || len(got.Columns) != c.columns ||
			got.Rows() != c.rows || len(got.Y) != c.rows || !slices.Equal(got.Targets, []string{"y"}) {
			t.Errorf("%+v: %d rows of %v to %v", toy.Name, got.Rows(), got.Columns, got.Targets)
		}
		if low, top := slices.Min(got.X), slices.Max(got.X); c.columns == 1 && (low != c.low || top != c.top) || low < c.low || top > c.top {
			t.Errorf("%s: x from %v to %v, want %v to %v", toy.Name, low, top, c.low, c.top)
		}
	}
	if len(toys) != len(want) {
		t.Errorf("%d toys, want %d", len(toys), len(want))
	}
}

func TestToysFollowTheSeed(t *testing.T) {
	for _, toy := range toys {
		a, b, c := generate(t, toy.Name, 1), generate(t, toy.Name, 1), generate(t, toy.Name, 2)
		if !slices.Equal(a.X, b.X) || !slices.Equal(a.Y, b.Y) {
			t.Errorf("%s: one seed, two tables", toy.Name)
		}
		noisy := toy.Name != "toy" && toy.Name != "toy-hf"
		if slices.Equal(a.Y, c.Y) == noisy {
			t.Errorf("%s: noisy is %v, but the seeds 1 and 2 say otherwise", toy.Name, noisy)
		}
	}
}

// NumPy 1.24.2, x = linspace(-15, 20, 1000):
// 0.01*((5*x)**2 - x**3 + 4000*exp(-(x+1)**2/200)*sin(w*x)) for w = 1 and 3.
func TestToyValues(t *testing.T) {
	for name, want := range map[string][4]float64{
		"toy":    {80.23759024563716, 79.29583229419941, 23.396599251656276, 24.02610773867824},
		"toy-hf": {77.22585852762285, 77.56701190069604, 37.33003820645525, 18.65577875620377},
	} {
		got := generate(t, name, 1)
		for i, row := range []int{0, 1, 500, 999} {
			if math.Abs(got.Y[row]-want[i]) > 1e-11 {
				t.Errorf("%s, row %d: %v, want %v", name, row, got.Y[row], want[i])
			}
		}
	}
	if x := generate(t, "toy", 1).X[500]; math.Abs(x-2.5175175175175184) > 1e-14 { // the same linspace
		t.Errorf("x of row 500: %v", x)
	}
}

// All noise is Gaussian about a known mean: standardised by mean and σ it must have
// mean 0, variance 1 and no fourth cumulant, within five standard errors.
func TestToyNoise(t *testing.T) {
	zero := func(float64) float64 { return 0 }
	bumpAt := func(x, c, s, a, w float64) float64 {
		return a * math.Exp(-math.Pow(x-c, 2)/2/s/s) * math.Sin(w*x)
	}
	for name, c := range map[string]struct{ mean, sigma func(x float64) float64 }{
		"toy-modulated": {zero, func(x float64) float64 { return math.Exp(-0.02 * x * x) }},
		"toy-uniform":   {zero, func(float64) float64 { return 1 }},
		"toy-noise": {
			func(x float64) float64 { return 0.01 * (25*x*x - x*x*x + bumpAt(x, -1, 1, 4000, 2)) },
			func(x float64) float64 { return 0.01 * math.Abs(bumpAt(x, 12, 5, 1200, 0.1)) },
		},
		"toy-noise-strong": {
			func(x float64) float64 { return 0.01 * (25*x*x - x*x*x + bumpAt(x, -5, 2, 4000, 2)) },
			func(x float64) float64 { return 0.01 * (math.Abs(bumpAt(x, 12, 5, 2000, 0.1)) + 80) },
		},
	} {
		got := generate(t, name, 3)
		var n, sum, squares, fourths float64
		for i, x := range got.X {
			if i%10 > 0 && x != got.X[i-1] {
				t.Fatalf("%s: rows %d and %d should share one x", name, i-1, i)
			}
			if c.sigma(x) < 1e-5 { // here y − mean is mostly rounding
				continue
			}
			z := (got.Y[i] - c.mean(x)) / c.sigma(x)
			n, sum, squares, fourths = n+1, sum+z, squares+z*z, fourths+z*z*z*z
		}
		// Of a standard normal: variance of z², 2; of z⁴, 96.
		if math.Abs(sum/n) > 5/math.Sqrt(n) || math.Abs(squares/n-1) > 5*math.Sqrt(2/n) || math.Abs(fourths/n-3) > 5*math.Sqrt(96/n) {
			t.Errorf("%s: moments %v, %v, %v of %v residuals", name, sum/n, squares/n, fourths/n, n)
		}
	}
}

// y without the function is N(0,1); the inputs are U(0,1), of variance 1/12.
func TestFriedman(t *testing.T) {
	got := Friedman(20000, 5)
	n := float64(got.Rows())
	var sum, squares float64
	for i, y := range got.Y {
		x := got.X[10*i : 10*i+10]
		z := y - 10*math.Sin(math.Pi*x[0]*x[1]) - 20*math.Pow(x[2]-0.5, 2) - 10*x[3] - 5*x[4]
		sum, squares = sum+z, squares+z*z
	}
	if math.Abs(sum/n) > 5/math.Sqrt(n) || math.Abs(squares/n-1) > 5*math.Sqrt(2/n) {
		t.Errorf("residuals of mean %v, mean square %v", sum/n, squares/n)
	}
	s := FitScalers(got.X, got.Columns, nil)
	for j := range 10 {
		// The variance of (x − ½)² is 1/180.
		if math.Abs(s[j].Mean-0.5) > 5*math.Sqrt(1/12.0/n) || math.Abs(s[j].Std*s[j].Std-1/12.0) > 5*math.Sqrt(1/180.0/n) {
			t.Errorf("input %d: mean %v, std %v", j+1, s[j].Mean, s[j].Std)
		}
	}
	if a, b := Friedman(1000, 7), generate(t, "friedman", 7); !slices.Equal(a.X, b.X) || !slices.Equal(a.Y, b.Y) {
		t.Error("Friedman and the data set differ")
	}
}
