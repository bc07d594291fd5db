package newton

import (
	"math"
	"testing"
)

// The function x⁴/4 + y²/2 + log(1 + exp(x + y)) has its only minimum where both derivatives are 0.
func TestMinimise(t *testing.T) {
	f := func(x []float64) Point {
		e := math.Exp(x[0] + x[1])
		slope := e / (1 + e)
		bend := slope * (1 - slope)
		return Point{
			X:        x,
			Value:    math.Pow(x[0], 4)/4 + x[1]*x[1]/2 + math.Log(1+e),
			Gradient: []float64{math.Pow(x[0], 3) + slope, x[1] + slope},
			Multiply: func(v []float64) []float64 {
				return []float64{3*x[0]*x[0]*v[0] + bend*(v[0]+v[1]), v[1] + bend*(v[0]+v[1])}
			},
		}
	}
	for _, start := range [][]float64{{0, 0}, {5, -7}, {-20, 30}} {
		for i, derivative := range f(Minimise(f, start)).Gradient {
			if math.Abs(derivative) > 1e-8 {
				t.Errorf("from %v: derivative %d is %v at the minimum", start, i, derivative)
			}
		}
	}
}
