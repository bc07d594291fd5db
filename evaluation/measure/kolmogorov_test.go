package measure

import (
	"math"
	"testing"
)

func TestKolmogorov(t *testing.T) {
	// SciPy 1.10.1: kstest(r, 'norm').statistic
	cases := []struct {
		r    []float64
		want float64
	}{
		{[]float64{0}, 0.5},
		{[]float64{1.5}, 0.9331927987311419},
		{[]float64{-1, 1}, 0.3413447460685429},
		{[]float64{-0.5, 0.2, 4}, 0.33330166209150025},
		{[]float64{0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3}, 0.6179114221889526},
		{logistic(300), 0.04486865551189634}, // q = (arange(300)+.5)/300; 0.6*log(q/(1-q)) + 0.1
		{[]float64{math.Inf(-1), math.Inf(1)}, 0.5},
	}
	for _, c := range cases {
		near(t, "KS", kolmogorovDistance(normalCDFs(c.r), nil), c.want, 1e-14)
	}
}

// logistic is an even sample of a logistic distribution that is close to
// N(0,1), in ascending order.
func logistic(n int) []float64 {
	r := make([]float64, n)
	for i := range r {
		q := (float64(i) + 0.5) / float64(n)
		r[i] = 0.6*math.Log(q/(1-q)) + 0.1
	}
	return r
}
