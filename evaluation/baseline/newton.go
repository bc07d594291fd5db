package baseline

import (
	"math"
	"slices"

	"sml/internal/linear"
)

// convex is a convex function of many numbers, which returns its value and derivatives at x.
type convex func(x []float64) point

// point is a point with the derivatives of a function there.
type point struct {
	x        []float64
	value    float64
	gradient []float64
	multiply func(v []float64) []float64 // returns the product of the Hessian and v
}

const (
	maxNewtonSteps   = 30
	maxConjugates    = 60   // steps of conjugate gradients in each Newton step
	maxHalvings      = 30   // of the length of a Newton step
	gradientAccuracy = 1e-9 // largest derivative at the minimum; losses and features are of the order of 1
)

// minimise returns a point near the minimum of f, from a start. It stops early at a point without a better neighbour on
// the line of the Newton step, where rounding ends all progress.
//
// Source: Nocedal and Wright (2006), Numerical Optimization, algorithm 7.1 (line search Newton–CG).
func minimise(f convex, start []float64) []float64 {
	p := f(start)
	for range maxNewtonSteps {
		if maxMagnitude(p.gradient) < gradientAccuracy {
			break
		}
		next, isBetter := searchLine(f, p, newtonStep(p))
		if !isBetter {
			break
		}
		p = next
	}
	return p.x
}

// newtonStep returns an approximate solution s of H s = −gradient by conjugate gradients. It is more exact near the
// minimum, where Newton's method converges in a few steps.
func newtonStep(p point) []float64 {
	step := make([]float64, len(p.x))
	residual := make([]float64, len(p.x)) // H s + gradient
	direction := make([]float64, len(p.x))
	for i, g := range p.gradient {
		residual[i] = g
		direction[i] = -g
	}
	square := linear.Dot(residual, residual)
	norm := math.Sqrt(square)
	accuracy := min(0.5, math.Sqrt(norm)) * norm
	for range maxConjugates {
		product := p.multiply(direction)
		curvature := linear.Dot(direction, product)
		if curvature <= 0 { // only by rounding: f is convex
			break
		}
		addScaled(step, square/curvature, direction)
		addScaled(residual, square/curvature, product)
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
func searchLine(f convex, p point, step []float64) (next point, isBetter bool) {
	const sufficient = 1e-4 // usual fraction of the decrease that the slope promises
	slope := linear.Dot(p.gradient, step)
	length := 1.0
	for range maxHalvings {
		x := slices.Clone(p.x)
		addScaled(x, length, step)
		next = f(x)
		if next.value <= p.value+float64(sufficient*length*slope) {
			return next, true
		}
		length /= 2
	}
	return p, false
}

// addScaled adds factor·v to dst.
func addScaled(dst []float64, factor float64, v []float64) {
	for i := range dst {
		dst[i] += float64(factor * v[i])
	}
}

// maxMagnitude returns the largest absolute value.
func maxMagnitude(v []float64) float64 {
	largest := 0.0
	for _, x := range v {
		largest = max(largest, math.Abs(x))
	}
	return largest
}
