package preparation

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/internal/portable"
	"sml/models/distribution"
)

// drawTargets returns n quantiles of N(0, 1) through f, in a mixed order.
func drawTargets(n int, f func(z float64) float64) []float64 {
	const stride = 7919 // a prime, so that each quantile occurs once
	y := make([]float64, n)
	for i := range y {
		level := (float64(i*stride%n) + 0.5) / float64(n)
		y[i] = f(portable.NormalQuantile(level))
	}
	return y
}

func TestAutoTransform(t *testing.T) {
	square := func(z float64) float64 { return (z + 4) * (z + 4) }
	for _, c := range []struct {
		name string
		y    []float64
		want string
	}{
		{"log-normal", drawTargets(2000, math.Exp), "log"},
		{"log-normal with few rows", drawTargets(400, math.Exp), "sqrt"},
		{"log-normal with a 0", append(drawTargets(2000, math.Exp), 0), "sqrt"},
		{"squares", drawTargets(2000, square), "sqrt"},
		{"normal", drawTargets(2000, func(z float64) float64 { return z + 10 }), ""},
		{"long tail to the left", drawTargets(2000, func(z float64) float64 { return 1000 - math.Exp(z) }), ""},
		{"negative targets", drawTargets(2000, func(z float64) float64 { return math.Exp(z) - 0.5 }), ""},
		{"very few rows", drawTargets(40, math.Exp), ""},
		{"0 and 1", drawTargets(2000, func(z float64) float64 { return math.Floor(portable.NormalCDF(z) + 0.2) }), ""},
		{"constant", drawTargets(100, func(float64) float64 { return 3 }), ""},
		{"beyond float64", append(drawTargets(99, math.Exp), math.MaxFloat64, math.MaxFloat64), ""},
	} {
		got, err := fitTransform(Auto, "y", c.y)
		if err != nil || got.Name != c.want {
			t.Errorf("%s: transform %q, %v; want %q", c.name, got.Name, err, c.want)
		}
		if (got.Reason == "") != (got.Name == "") {
			t.Errorf("%s: reason %q", c.name, got.Reason)
		}
	}
}

// TestAutoKeepsRanks checks that chosen transforms and bounds never change the order of two values: neither of
// targets nor of predictions.
func TestAutoKeepsRanks(t *testing.T) {
	for _, y := range [][]float64{drawTargets(2000, math.Exp), drawTargets(300, math.Exp), append(drawTargets(99, math.Exp), 0)} {
		tr, err := fitTransform(Auto, "y", y)
		if err != nil || tr.Name == "" {
			t.Fatalf("%+v, %v", tr, err)
		}
		checkAscends(t, tr.Name+" of targets", tr.Apply, []float64{-1e300, -1, 0, 1e-300, 1e-9, 0.001, 0.5, 1, 7, 1e9, 1e300})
		checkAscends(t, tr.Name+" of predictions", tr.Invert, []float64{-1e300, -800, -3, -1e-9, 0, 1e-9, 1, 2, 5, 800, 1e300})
		low, high := chooseSupport(y).Limits()
		for _, z := range []float64{-1e300, -3, 0, 3, 1e300} {
			if v := tr.Invert(z); !(v >= low && v <= high) {
				t.Errorf("%s: %v comes back as %v, outside of %v to %v", tr.Name, z, v, low, high)
			}
		}
	}
}

// checkAscends checks that f never descends over ascending arguments, and that its values are finite.
func checkAscends(t *testing.T, name string, f func(float64) float64, arguments []float64) {
	t.Helper()
	before := math.Inf(-1)
	for _, x := range arguments {
		value := f(x)
		if math.IsNaN(value) || math.IsInf(value, 0) || value < before {
			t.Errorf("%s: %v at %v, after %v", name, value, x, before)
		}
		before = value
	}
}

// TestAutoLogStaysBelowCeiling checks that an extrapolated logarithm does not become an astronomic prediction.
func TestAutoLogStaysBelowCeiling(t *testing.T) {
	tr := expect.Must(fitTransform(Auto, "y", drawTargets(2000, math.Exp)))
	limit := maxTimesHighest * tr.Range.High
	nodes, weights := distribution.NormalNodes()
	mean, std := tr.Moments(50, 0.5, nodes, weights)
	if tr.Invert(50) != limit || mean > limit*(1+1e-12) || std > limit {
		t.Errorf("%v, %v ± %v; want at most %v", tr.Invert(50), mean, std, limit)
	}
}

func TestAutoSupport(t *testing.T) {
	for _, c := range []struct {
		name string
		y    []float64
		want string
	}{
		{"positive", drawTargets(100, math.Exp), "0 or more"},
		{"with zeros", append(drawTargets(100, math.Exp), 0, 0), "0 or more"},
		{"negative", append(drawTargets(100, math.Exp), -1e-9), "any number"},
		{"few rows", drawTargets(49, math.Exp), "any number"},
	} {
		s, err := fitSupport(Auto, "y", c.y)
		if err != nil || s.String() != c.want {
			t.Errorf("%s: %v, %v; want %s", c.name, s, err, c.want)
		}
	}
}

func TestSupports(t *testing.T) {
	y := []float64{0, 0.5, 1}
	for _, c := range []struct{ name, want string }{
		{"", "any number"},
		{"none", "any number"},
		{"non-negative", "0 or more"},
		{"0..1", "0 to 1"},
		{"-2.5..1e3", "-2.5 to 1000"},
		{"..1", "1 or less"},
		{"-1..", "-1 or more"},
		{"positive", `the target "y" is 0 in a training row, outside of the support positive; choose another support`},
		{"0..0.5", `the target "y" is 1 in a training row, outside of the support 0..0.5; choose another support`},
		{"0.5..", `the target "y" is 0 in a training row, outside of the support 0.5..; choose another support`},
		{"1..0", "the bounds 1 and 0 of the targets do not ascend"},
		{"0..0", "the bounds 0 and 0 of the targets do not ascend"},
		{"NaN..1", "the bound NaN of the targets is not finite"},
		{"0..Inf", "the bound +Inf of the targets is not finite"},
		{"..", `unknown support ".."; want auto, none, positive, non-negative or bounds such as 0..1`},
		{"a..b", `unknown support "a..b"; want auto, none, positive, non-negative or bounds such as 0..1`},
		{"1e999..", `unknown support "1e999.."; want auto, none, positive, non-negative or bounds such as 0..1`},
	} {
		s, err := fitSupport(c.name, "y", y)
		got := s.String()
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: %s; want %s", c.name, got, c.want)
		}
	}
}

// TestFitTargets checks that only targets with a transform or bounds have them, and that a preparation comes back from
// its JSON.
func TestFitTargets(t *testing.T) {
	skewed := drawTargets(100, math.Exp)
	table := &data.Table{Name: "t", Columns: []string{"x"}, Targets: []string{"skewed", "free"}}
	for i, y := range skewed {
		table.X = append(table.X, float64(i%7))
		table.Y = append(table.Y, y, float64(i)-50)
	}
	p := expect.Must(Fit(table, nil, Options{Transform: Auto, Support: Auto}))
	if p.Targets[0].Name != "sqrt" || p.Targets[1].Name != "" || !p.Supports[0].IsBounded() || p.Supports[1].IsBounded() {
		t.Errorf("%+v %+v", p.Targets, p.Supports)
	}
	transformed, _, err := p.Table(table)
	if err != nil || transformed.Y[1] != table.Y[1] || transformed.Y[0] != math.Sqrt(table.Y[0]) {
		t.Errorf("%v, %v", transformed.Y[:2], err)
	}
	text := expect.Must(json.Marshal(p))
	again := new(Preparation)
	if err := json.Unmarshal(text, again); err != nil || !reflect.DeepEqual(again, p) {
		t.Errorf("%+v, %v; want %+v", again, err, p)
	}
	none, err := Fit(table, nil, Options{Transform: None, Support: None})
	if err != nil || none.Targets != nil || none.Supports != nil {
		t.Errorf("%+v, %v", none, err)
	}
}

// FuzzAuto checks that any targets give a transform and bounds that are valid and contain the targets.
func FuzzAuto(f *testing.F) {
	f.Add(1.0, 0.5, 100.0, uint16(60))
	f.Add(0.0, 0.0, 1e308, uint16(1200))
	f.Add(-1.0, 3.0, 5e-324, uint16(51))
	f.Fuzz(func(t *testing.T, low, middle, high float64, rows uint16) {
		values := []float64{low, middle, high, middle}
		for i, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				values[i] = float64(i) // a table has only finite targets: a reader refuses all others
			}
		}
		var y []float64
		for i := range int(rows)%1500 + 1 {
			y = append(y, values[i%len(values)])
		}
		tr := chooseTransform(y)
		s := chooseSupport(y)
		lowest, highest := s.Limits()
		for _, v := range y {
			if z := tr.Apply(v); math.IsNaN(z) || math.IsInf(z, 0) || v < lowest || v > highest {
				t.Fatalf("%v becomes %v, with bounds %v to %v", v, z, lowest, highest)
			}
		}
	})
}
