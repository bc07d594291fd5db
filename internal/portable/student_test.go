package portable

import (
	"fmt"
	"math"
	"testing"
)

func TestStudentQuantile(t *testing.T) {
	degrees := []float64{1, 2, 3, 4, 5, 8, 9, 30, 101, 1000}
	// SciPy 1.10.1: scipy.stats.t.ppf(q, degrees).
	for q, want := range map[float64][]float64{
		0.6:    {0.32491969623407446, 0.2886751346880066, 0.27667066230490933, 0.2707222947059493, 0.2671808657039658, 0.26192109674883074, 0.26095533647391045, 0.2556053644420514, 0.2540154882110171, 0.25341451583949864},
		0.95:   {6.313751514800932, 2.919985580355516, 2.3533634348018264, 2.13184678133629, 2.015048372669157, 1.8595480375228424, 1.8331129326536335, 1.6972608943617378, 1.6600806303931508, 1.6463788172854639},
		0.975:  {12.706204736432095, 4.302652729911275, 3.182446305284263, 2.7764451051977987, 2.5705818366147395, 2.3060041350333704, 2.2621571627409915, 2.0422724563012373, 1.983731002885281, 1.9623390808264074},
		0.995:  {63.65674116287399, 9.92484320091807, 5.84090929975643, 4.604094871415897, 4.032142983557536, 3.3553873313333957, 3.2498355440153697, 2.7499956535670305, 2.6253859638581507, 2.580754698065942},
		0.9999: {3183.0987571537103, 70.70007107496886, 22.203742266780633, 13.033671721107503, 9.677566300886502, 6.4419998226048065, 6.010132129355483, 4.233985956584213, 3.8601409424958337, 3.7328516045751114},
	} {
		for i, d := range degrees {
			for _, x := range [][2]float64{{StudentQuantile(q, d), want[i]}, {StudentQuantile(1-q, d), -want[i]}} {
				if math.Abs(x[0]-x[1]) > 5e-9*math.Abs(x[1]) { // about as good as the tables are: see two degrees below
					t.Errorf("at %v or 1 − it, %v degrees: %v; want %v", q, d, x[0], x[1])
				}
			}
		}
	}
	// By hand: of one degree it is tan(π(q − ½)), of two (2q−1)/√(2q(1−q)).
	for _, q := range []float64{1e-3, 0.01, 0.3, 0.5, 0.77, 0.999} {
		if got, want := StudentQuantile(q, 1), math.Tan(math.Pi*(q-0.5)); math.Abs(got-want) > 1e-11*math.Abs(want) {
			t.Errorf("at %v, 1 degree: %v; want %v", q, got, want)
		}
		if got, want := StudentQuantile(q, 2), (2*q-1)/math.Sqrt(2*q*(1-q)); math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("at %v, 2 degrees: %v; want %v", q, got, want)
		}
	}
	got := fmt.Sprint(StudentQuantile(0, 3), StudentQuantile(1, 3), StudentQuantile(-0.1, 3), StudentQuantile(math.NaN(), 3), StudentQuantile(0.5, 0), StudentQuantile(0.5, 3))
	if want := "-Inf +Inf NaN NaN NaN 0"; got != want { // by the definition
		t.Errorf("%s; want %s", got, want)
	}
}

// Source: mpmath 1.3.0, betainc(nu/2, 1/2, 0, nu/(nu+t²), regularized=True)/2 with 40 digits. The error in the tail is that
// of NormalCDF, about t² units.
func TestStudentCDFOfManyDegrees(t *testing.T) {
	at := []float64{-0.5, -2, -8}
	for degrees, want := range map[float64][]float64{
		2e7:   {0.30853754147649724, 0.022750138697050182, 6.2212889798647837e-16},
		1e9:   {0.3085375387809971, 0.022750132083156624, 6.2209671422273817e-16},
		1e12:  {0.30853753872604191, 0.022750131948314185, 6.2209605808397365e-16},
		1e300: {NormalCDF(-0.5), NormalCDF(-2), NormalCDF(-8)},
	} {
		for i, x := range at {
			if got := StudentCDF(x, degrees); math.Abs(got-want[i]) > 3e-14*want[i] {
				t.Errorf("%v degrees: the probability of %v is %v; want %v", degrees, x, got, want[i])
			}
		}
	}
	for _, x := range []float64{-1e200, -40, -3, -1e-9} { // the two formulas meet
		below, above := StudentCDF(x, manyDegrees), StudentCDF(x, math.Nextafter(manyDegrees, 2e7))
		if math.Abs(above-below) > 1e-9*below {
			t.Errorf("the probability of %v is %v up to %v degrees, and %v above", x, below, manyDegrees, above)
		}
	}
}
