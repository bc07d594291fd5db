package portable

import (
	"math"
	"testing"
)

// Sines and cosines of large angles. One of them is the float64 that is nearest to a multiple of ½π
// (Muller et al., Handbook of Floating-Point Arithmetic, 2010, table 11.1). Source:
// mpmath with 3000 bits.
func TestLargeAngles(t *testing.T) {
	for _, c := range [][3]float64{
		{1000000.5, 0.141954699000744, 0.9898731552232378},
		{1e7, 0.4205477931907825, -0.9072703861817396},
		{-3e9, -0.9870048864743554, -0.16069024262768705},
		{1e22, -0.8522008497671888, 0.523214785395139},
		{1e100, -0.3806377310050287, 0.9247242387519338},
		{0x1p500, 0.42925739234242827, 0.9031822026143886},
		{6381956970095103 * 0x1p797, 1.0, -4.687165924254628e-19},
		{math.MaxFloat32, -0.5218765233336585, 0.8530210398303042},
		{1e300, -0.8178819121159085, -0.5753861119575491},
		{-math.MaxFloat64, -0.004961954789184062, -0.9999876894265599},
	} {
		for i, f := range []func(float64) float64{Sin, Cos} {
			if got, want := f(c[0]), c[1+i]; !(math.Abs(got-want) <= math.Abs(want)*0x1p-52) {
				t.Errorf("%s of %v is %v, want %v", []string{"sine", "cosine"}[i], c[0], got, want)
			}
		}
	}
}

// quadrant and farQuadrant agree for angles that both can reduce.
func TestQuadrants(t *testing.T) {
	for i := range 10000 {
		x := 1 + float64(float64(i)*99.99)
		n, r, d := quadrant(x)
		m, s, e := farQuadrant(x)
		if difference := (r - s) + (d - e); (n-m)%4 != 0 || !(math.Abs(difference) <= 1e-26) {
			t.Errorf("%v is %d quarters, %v and %v; or %d, %v and %v", x, n, r, d, m, s, e)
		}
	}
}
