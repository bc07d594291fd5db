// Package newton minimises smooth convex functions of many numbers, such as the loss of a logistic regression, by
// Newton's method. It multiplies with the matrix of second derivatives, but never stores it. Sums have one order, so
// that results are the same on every CPU.
package newton

import (
	"math"
	"slices"

	"sml/internal/linear"
)

// Function is a convex function of many numbers, which returns its value and derivatives at x. It must not change x.
type Function func(x []float64) Point

// Point is a point with the derivatives of a function there.
type Point struct {
	X        []float64
	Value    float64
	Gradient []float64
	Multiply func(v []float64) []float64 // returns the product of the Hessian and v
}

const (
	maxNewtonSteps = 100
	maxConjugates  = 60   // steps of conjugate gradients in each Newton step
	maxHalvings    = 30   // of the length of a Newton step
	maxGradient    = 1e-9 // largest derivative at the minimum, for functions and numbers of the order of 1
)

// Minimise returns a point near the minimum of f, from a start. It stops early at a point without a better neighbour on
// the line of the Newton step, where rounding ends all progress, and after 100 steps.
//
// Source: Nocedal and Wright (2006), Numerical Optimization, algorithm 7.1 (line search Newton–CG).
func Minimise(f Function, start []float64) []float64 {
	p := f(start)
	for range maxNewtonSteps {
		if maxMagnitude(p.Gradient) < maxGradient {
			break
		}
		next, isBetter := searchLine(f, p, newtonStep(p))
		if !isBetter {
			break
		}
		p = next
	}
	return p.X
}

// newtonStep returns an approximate solution s of H s = −gradient by conjugate gradients. It is more exact near the
// minimum, where Newton's method converges in a few steps.
func newtonStep(p Point) []float64 {
	step := make([]float64, len(p.X))
	residual := make([]float64, len(p.X)) // H s + gradient
	direction := make([]float64, len(p.X))
	for i, g := range p.Gradient {
		residual[i] = g
		direction[i] = -g
	}
	square := linear.Dot(residual, residual)
	norm := math.Sqrt(square)
	accuracy := min(0.5, math.Sqrt(norm)) * norm
	for range maxConjugates {
		product := p.Multiply(direction)
		curvature := linear.Dot(direction, product)
		if curvature <= 0 { // only by rounding: f is convex
			break
		}
		linear.AddScaled(step, square/curvature, direction)
		linear.AddScaled(residual, square/curvature, product)
		nextSquare := linear.Dot(residual, residual)
		if math.Sqrt(nextSquare) < accuracy {
			break
		}
		for i := range direction {
			direction[i] = float64(nextSquare/square*direction[i]) - residual[i]
		}
		square = nextSquare
	}
	return step
}

// searchLine returns the first of the points x + step, x + step/2, x + step/4, … that lowers f by enough (Armijo's
// condition), where x is the point p. It returns false if none of them does.
func searchLine(f Function, p Point, step []float64) (next Point, isBetter bool) {
	const sufficient = 1e-4 // usual fraction of the decrease that the slope promises
	slope := linear.Dot(p.Gradient, step)
	length := 1.0
	for range maxHalvings {
		x := slices.Clone(p.X)
		linear.AddScaled(x, length, step)
		next = f(x)
		if next.Value <= p.Value+float64(sufficient*length*slope) {
			return next, true
		}
		length /= 2
	}
	return p, false
}

// maxMagnitude returns the largest absolute value.
func maxMagnitude(v []float64) float64 {
	largest := 0.0
	for _, x := range v {
		largest = max(largest, math.Abs(x))
	}
	return largest
}
