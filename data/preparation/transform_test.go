package preparation

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sml/data"
)

var targets = []float64{0.5, 1, 1, 2, 4, 9, 100}

func TestTransformsComeBack(t *testing.T) {
	for _, name := range TransformNames() {
		tr, err := fitTransform(name, "y", targets)
		if err != nil {
			t.Fatal(err)
		}
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

// Expected values from SciPy 1.10: lognorm(0.7, scale=exp(0.3)), and quad over the
// normal density for the square of a normal number, 0 below 0. Sums over equally
// likely quantiles lack some of the tails.
func TestTransformedMoments(t *testing.T) {
	for _, c := range []struct {
		name               string
		mean, std          float64
		wantMean, wantStd  float64
		within, withinStds float64
	}{
		{"log", 0.3, 0.7, 1.7246083823764355, 1.3713795020614707, 1e-12, 1e-12},
		{"log1p", 0.3, 0.7, 0.7246083823764355, 1.3713795020614707, 1e-12, 1e-12},
		{"sqrt", 3, 0.5, 9.25, 3.0207615, 2e-3, 2e-2},
		{"sqrt", 0.1, 1, 0.5849213703978621, 1.2282782183163785, 6e-3, 3e-2},
	} {
		m, s := Transform{Name: c.name}.Moments(c.mean, c.std)
		if math.Abs(m-c.wantMean) > c.within*c.wantMean || math.Abs(s-c.wantStd) > c.withinStds*c.wantStd {
			t.Errorf("%s of N(%v, %v²): %v ± %v, want %v ± %v", c.name, c.mean, c.std, m, s, c.wantMean, c.wantStd)
		}
	}
}

// The ranks of seven targets, two of them equal, by hand: a value at 1.5 has 2 of 7 below it.
func TestQuantileNormal(t *testing.T) {
	tr, err := fitTransform("quantile-normal", "y", targets)
	if err != nil {
		t.Fatal(err)
	}
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
		says string
	}{
		{"log", []float64{1, 0}, `the target "y" is 0 in a training row, and log is of numbers above 0 alone`},
		{"log1p", []float64{-1, 0}, "log1p is of numbers above −1 alone"},
		{"sqrt", []float64{-0.5, 0}, "sqrt is of 0 and more alone"},
		{"quantile-normal", []float64{2, 2}, "is 2 in every training row, and has no quantiles"},
	} {
		if _, err := fitTransform(c.name, "y", c.y); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if err := (Options{Transform: "cube"}).Check(); err == nil || !slices.Contains(strings.Fields(err.Error()), "sqrt,") {
		t.Errorf("%v", err)
	}
}

// Several targets are put through a transform each, fitted by itself.
func TestTransformsOfSeveralTargets(t *testing.T) {
	table := &data.Table{Name: "t", Columns: []string{"x"}, X: []float64{1, 2, 3}, Targets: []string{"a", "b"}, Y: []float64{1, 10, 2, 30, 3, 20}}
	p, err := Fit(table, nil, Options{Transform: "quantile-normal"})
	if err != nil {
		t.Fatal(err)
	}
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
	if _, err := Fit(table, nil, Options{Transform: "log"}); err == nil || strings.Count(err.Error(), "log is of numbers above 0") != 2 {
		t.Errorf("%v", err)
	}
}
