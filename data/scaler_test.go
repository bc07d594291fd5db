package data

import (
	"math"
	"slices"
	"testing"
)

// NumPy 1.24.2: v.mean(0), v.std(0) of the columns 1, 2, 4, 8 and 1e9 more.
func TestFitScalers(t *testing.T) {
	v := []float64{1, 1e9 + 1, 2, 1e9 + 2, 4, 1e9 + 4, 8, 1e9 + 8}
	s := FitScalers(v, []string{"a", "b"}, nil)
	want := Scalers{{"a", 3.75, 2.680951323690902}, {"b", 1000000003.75, 2.680951323690902}}
	for j := range 2 {
		if math.Abs(s[j].Mean-want[j].Mean) > 1e-15*want[j].Mean || math.Abs(s[j].Std-want[j].Std) > 1e-15 {
			t.Errorf("column %d: %v, %v; want %v, %v", j, s[j].Mean, s[j].Std, want[j].Mean, want[j].Std)
		}
	}
}

// NaN, an unknown target, counts for no column: a has 1 and 3, b has 10 alone, and c has no value.
func TestFitScalersOfUnknownValues(t *testing.T) {
	unknown := math.NaN()
	v := []float64{1, unknown, unknown, unknown, 10, unknown, 3, unknown, unknown}
	got := FitScalers(v, []string{"a", "b", "c"}, nil)
	want := Scalers{{"a", 2, 1}, {"b", 10, 1}, {"c", 0, 1}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Sums of 0.1 and the like are rounded; the deviation must count as 1 all the same,
// also where the values themselves differ in their last bits.
func TestFitScalersConstantColumns(t *testing.T) {
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
	s := FitScalers(v, make([]string, len(constants)), nil)
	for j, c := range constants {
		if s[j].Std != 1 || math.Abs(s[j].Mean-c) > 3e-16*math.Abs(c) {
			t.Errorf("column of %v: mean %v, std %v", c, s[j].Mean, s[j].Std)
		}
	}
	for i, x := range v {
		j := i % len(constants)
		if z := (x - s[j].Mean) / s[j].Std; math.Abs(z) > 1e-15 {
			t.Fatalf("value %d, %v, is scaled to %v", i, x, z)
		}
	}
}

// A small deviation that is real is kept: 1, 1 + 2e-9 has deviation 1e-9.
func TestFitScalersKeepsSmallDeviations(t *testing.T) {
	if s := FitScalers([]float64{1, 1 + 2e-9}, []string{"a"}, nil); math.Abs(s[0].Std-1e-9) > 1e-16 {
		t.Errorf("std %v", s[0].Std)
	}
}

func TestFitScalersWithoutRows(t *testing.T) {
	names := []string{"a", "b"}
	for _, s := range []Scalers{FitScalers(nil, names, nil), FitScalers([]float64{5, 6}, names, []int{})} {
		if !slices.Equal(s, Scalers{{"a", 0, 1}, {"b", 0, 1}}) {
			t.Errorf("got %+v", s)
		}
	}
	if s := FitScalers(nil, nil, nil); len(s) != 0 {
		t.Error("no columns: a scale from nowhere")
	}
}

// The scale of a column in another unit, a power of 2, is the same in that unit,
// to the last bit, up to the limits of float64.
func TestFitScalersInAnyUnit(t *testing.T) {
	table := Friedman(40, 1)
	want := FitScalers(table.Y, table.Targets, nil)
	for _, exponent := range []int{-1060, -600, -300, 300, 600, 1015} {
		y := make([]float64, len(table.Y))
		for i, v := range table.Y {
			y[i] = math.Ldexp(v, exponent)
		}
		got := FitScalers(y, table.Targets, nil)
		tolerance := 0.0
		if exponent == -1060 { // values of few bits
			tolerance = 0.01
		}
		if m, s := math.Ldexp(got[0].Mean, -exponent), math.Ldexp(got[0].Std, -exponent); math.Abs(m/want[0].Mean-1) > tolerance || math.Abs(s/want[0].Std-1) > tolerance {
			t.Errorf("2^%d: mean %v and std %v, want %v and %v", exponent, m, s, want[0].Mean, want[0].Std)
		}
	}
	most := FitScalers([]float64{math.MaxFloat64, -math.MaxFloat64}, []string{"a"}, nil)
	if most[0].Mean != 0 || most[0].Std != math.MaxFloat64 {
		t.Errorf("the largest numbers: %+v", most)
	}
}

// The population standard deviation of s and −s is s, wherever in float64 that lies.
func TestMomentsOfAnySize(t *testing.T) {
	for _, s := range []float64{1, 3e200, math.MaxFloat64, 1e-200, math.SmallestNonzeroFloat64} {
		if means, stds := Moments([]float64{s, -s}, 1, nil); means[0] != 0 || stds[0] != s {
			t.Errorf("of %g and %g: mean %g, std %g", s, -s, means, stds)
		}
		if means, stds := Moments([]float64{s, s, s}, 1, nil); means[0] != s || stds[0] != 0 {
			t.Errorf("of %g alone: mean %g, std %g", s, means, stds)
		}
	}
}
