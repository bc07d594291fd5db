package shift

import (
	"math"

	"sml/internal/linear"
	"sml/internal/portable"
)

// labelledRows are rows of two classes, to tell them apart.
type labelledRows struct {
	x       [][]float64 // features of each row, the first of them 1
	label   []float64   // 1 or −1 for each row
	weights []float64   // weight of each row; their sum is 1
}

// Limits of the iterations. Newton's method with a penalty converges in about ten steps, and conjugate gradients in
// as many as there are features at most.
const (
	maxNewtonSteps = 100
	maxHalvings    = 40
	maxGradient    = 1e-8 // largest component of the gradient at the minimum
)

// fitLogistic returns the coefficients b that minimise Σ w·log(1 + exp(−label·(x·b))) + penalty/2·Σ b², without the
// first coefficient in the second sum, by Newton's method from the coefficients start. Steps that do not lower the
// loss are halved.
func (r labelledRows) fitLogistic(penalty float64, start []float64) []float64 {
	b := append([]float64(nil), start...)
	loss := r.penalisedLoss(b, penalty)
	for range maxNewtonSteps {
		gradient, curvature := r.derivatives(b, penalty)
		if largestSize(gradient) <= maxGradient {
			break
		}
		step := r.solveNewton(gradient, curvature, penalty)
		lowered := false
		for range maxHalvings {
			next := subtractMultiple(b, 1, step)
			nextLoss := r.penalisedLoss(next, penalty)
			if nextLoss < loss {
				b, loss = next, nextLoss
				lowered = true
				break
			}
			scaleInPlace(step, 0.5)
		}
		if !lowered { // rounding hides any further progress
			break
		}
	}
	return b
}

// loss returns Σ w·log(1 + exp(−label·(x·b))).
func (r labelledRows) loss(b []float64) float64 {
	loss := 0.0
	for i, x := range r.x {
		margin := r.label[i] * linear.Dot(x, b)
		loss += float64(r.weights[i] * portable.Softplus(-margin))
	}
	return loss
}

// penalisedLoss returns the loss with the penalty on all coefficients but the first.
func (r labelledRows) penalisedLoss(b []float64, penalty float64) float64 {
	return r.loss(b) + float64(penalty/2*linear.Dot(b[1:], b[1:]))
}

// derivatives returns the gradient of the penalised loss, and the second derivative of each row's loss with respect
// to x·b.
func (r labelledRows) derivatives(b []float64, penalty float64) (gradient, curvature []float64) {
	gradient = make([]float64, len(b))
	curvature = make([]float64, len(r.x))
	for i, x := range r.x {
		margin := r.label[i] * linear.Dot(x, b)
		wrong := portable.Sigmoid(-margin) // probability of the other class
		curvature[i] = float64(r.weights[i]*wrong) * (1 - wrong)
		addMultiple(gradient, -r.weights[i]*wrong*r.label[i], x)
	}
	for j := 1; j < len(b); j++ {
		gradient[j] += float64(penalty * b[j])
	}
	return gradient, curvature
}

// solveNewton returns the solution d of H·d = gradient by conjugate gradients, where H is the matrix of the second
// derivatives of the penalised loss. It needs only products with H, so that its memory does not grow with the square
// of the number of features.
func (r labelledRows) solveNewton(gradient, curvature []float64, penalty float64) []float64 {
	const relativeError = 1e-4 // of the gradient: the next Newton step corrects the rest
	d := make([]float64, len(gradient))
	residual := append([]float64(nil), gradient...)
	direction := append([]float64(nil), gradient...)
	square := linear.Dot(residual, residual)
	smallest := relativeError * relativeError * square
	for range len(gradient) + 10 { // rounding may take some more
		if square <= smallest {
			break
		}
		product := r.multiplyHessian(direction, curvature, penalty)
		bend := linear.Dot(direction, product)
		if bend <= 0 { // only by rounding
			break
		}
		length := square / bend
		addMultiple(d, length, direction)
		addMultiple(residual, -length, product)
		nextSquare := linear.Dot(residual, residual)
		ratio := nextSquare / square
		for j, v := range residual {
			direction[j] = v + float64(ratio*direction[j])
		}
		square = nextSquare
	}
	return d
}

// multiplyHessian returns the product of the matrix of second derivatives and v.
func (r labelledRows) multiplyHessian(v, curvature []float64, penalty float64) []float64 {
	product := make([]float64, len(v))
	for i, x := range r.x {
		addMultiple(product, curvature[i]*linear.Dot(x, v), x)
	}
	for j := 1; j < len(v); j++ {
		product[j] += float64(penalty * v[j])
	}
	return product
}

// addMultiple adds factor·v to dst.
func addMultiple(dst []float64, factor float64, v []float64) {
	for j, x := range v {
		dst[j] += float64(factor * x)
	}
}

// subtractMultiple returns b − factor·v.
func subtractMultiple(b []float64, factor float64, v []float64) []float64 {
	difference := append([]float64(nil), b...)
	addMultiple(difference, -factor, v)
	return difference
}

// scaleInPlace multiplies v by a factor.
func scaleInPlace(v []float64, factor float64) {
	for j := range v {
		v[j] *= factor
	}
}

// largestSize returns the largest absolute value of v.
func largestSize(v []float64) float64 {
	largest := 0.0
	for _, x := range v {
		largest = max(largest, math.Abs(x))
	}
	return largest
}
