package data

import (
	"math"
	"slices"
	"testing"
)

// NumPy 1.24.2: v.mean(0), v.std(0) of the columns 1, 2, 4, 8 and 1e9 more.
func TestFitScaler(t *testing.T) {
	v := []float64{1, 1e9 + 1, 2, 1e9 + 2, 4, 1e9 + 4, 8, 1e9 + 8}
	s := FitScaler(v, 2, nil)
	want := Scaler{Mean: []float64{3.75, 1000000003.75}, Std: []float64{2.680951323690902, 2.680951323690902}}
	for j := range 2 {
		if math.Abs(s.Mean[j]-want.Mean[j]) > 1e-15*want.Mean[j] || math.Abs(s.Std[j]-want.Std[j]) > 1e-15 {
			t.Errorf("column %d: %v, %v; want %v, %v", j, s.Mean[j], s.Std[j], want.Mean[j], want.Std[j])
		}
	}
}

// By hand: rows 2 and 0 hold 4 and 1 (mean 2.5, deviation 1.5).
func TestFitScalerOnRows(t *testing.T) {
	v := []float64{1, 0, 2, 0, 4, 0}
	s := FitScaler(v, 2, []int{2, 0})
	if s.Mean[0] != 2.5 || s.Std[0] != 1.5 || s.Mean[1] != 0 || s.Std[1] != 1 {
		t.Errorf("got %+v", s)
	}
}

// Sums of 0.1 and the like are rounded; the deviation must count as 1 all the same,
// also where the values themselves differ in their last bits.
func TestFitScalerConstantColumns(t *testing.T) {
	const rows = 10007
	constants := []float64{0, 0.1, -0.998, 288, 1e-300, 1e15 + 0.1, 0.3}
	var v []float64
	for i := range rows {
		v = append(v, constants...)
		if i%2 == 1 {
			v[len(v)-1] = 0.1 + 0.2 + 5e-17
		}
	}
	if v[len(constants)-1] == v[2*len(constants)-1] {
		t.Fatal("the last column should differ in its last bit")
	}
	s := FitScaler(v, len(constants), nil)
	for j, c := range constants {
		if s.Std[j] != 1 || math.Abs(s.Mean[j]-c) > 3e-16*math.Abs(c) {
			t.Errorf("column of %v: mean %v, std %v", c, s.Mean[j], s.Std[j])
		}
	}
	for i, x := range v {
		j := i % len(constants)
		if z := (x - s.Mean[j]) / s.Std[j]; math.Abs(z) > 1e-15 {
			t.Fatalf("value %d, %v, is scaled to %v", i, x, z)
		}
	}
}

// A small deviation that is real is kept: 1, 1 + 2e-9 has deviation 1e-9.
func TestFitScalerKeepsSmallDeviations(t *testing.T) {
	if s := FitScaler([]float64{1, 1 + 2e-9}, 1, nil); math.Abs(s.Std[0]-1e-9) > 1e-16 {
		t.Errorf("std %v", s.Std[0])
	}
}

func TestFitScalerWithoutRows(t *testing.T) {
	for _, s := range []Scaler{FitScaler(nil, 2, nil), FitScaler([]float64{5, 6}, 2, []int{})} {
		if !slices.Equal(s.Mean, []float64{0, 0}) || !slices.Equal(s.Std, []float64{1, 1}) {
			t.Errorf("got %+v", s)
		}
	}
	if s := FitScaler(nil, 0, nil); len(s.Mean)+len(s.Std) != 0 {
		t.Error("no columns: a scale from nowhere")
	}
}

// Standardised training values have mean 0 and mean square 1.
func TestScalerStandardises(t *testing.T) {
	table := Friedman(500, 1)
	s := FitScaler(table.Y, 1, nil)
	var sum, squares float64
	for _, v := range table.Y {
		z := (v - s.Mean[0]) / s.Std[0]
		sum, squares = sum+z, squares+z*z
	}
	if math.Abs(sum/500) > 1e-7 || math.Abs(squares/500-1) > 1e-6 {
		t.Errorf("mean %v, mean square %v", sum/500, squares/500)
	}
}

// The scale of a column in another unit, a power of 2, is the same in that unit,
// to the last bit, up to the limits of float64.
func TestFitScalerInAnyUnit(t *testing.T) {
	table := Friedman(40, 1)
	want := FitScaler(table.Y, 1, nil)
	for _, exponent := range []int{-1060, -600, -300, 300, 600, 1015} {
		y := make([]float64, len(table.Y))
		for i, v := range table.Y {
			y[i] = math.Ldexp(v, exponent)
		}
		got := FitScaler(y, 1, nil)
		tolerance := 0.0
		if exponent == -1060 { // values of few bits
			tolerance = 0.01
		}
		if m, s := math.Ldexp(got.Mean[0], -exponent), math.Ldexp(got.Std[0], -exponent); math.Abs(m/want.Mean[0]-1) > tolerance || math.Abs(s/want.Std[0]-1) > tolerance {
			t.Errorf("2^%d: mean %v and std %v, want %v and %v", exponent, m, s, want.Mean[0], want.Std[0])
		}
	}
	most := FitScaler([]float64{math.MaxFloat64, -math.MaxFloat64}, 1, nil)
	if most.Mean[0] != 0 || most.Std[0] != math.MaxFloat64 {
		t.Errorf("the largest numbers: %+v", most)
	}
}

// The population standard deviation of s and −s is s, wherever in float64 that lies.
func TestMomentsOfAnySize(t *testing.T) {
	for _, s := range []float64{1, 3e200, math.MaxFloat64, 1e-200, math.SmallestNonzeroFloat64} {
		if m := Moments([]float64{s, -s}, 1, nil); m.Mean[0] != 0 || m.Std[0] != s {
			t.Errorf("of %g and %g: mean %g, std %g", s, -s, m.Mean, m.Std)
		}
		if m := Moments([]float64{s, s, s}, 1, nil); m.Mean[0] != s || m.Std[0] != 0 {
			t.Errorf("of %g alone: mean %g, std %g", s, m.Mean, m.Std)
		}
	}
}
