package shift

import (
	"sml/internal/linear"
	"sml/internal/newton"
	"sml/internal/portable"
)

// labelledRows are the rows that a logistic regression classifies.
type labelledRows struct {
	x       [][]float64 // 1, for the constant, and then the features of each row
	label   []float64   // 1 or −1 for each row
	weights []float64   // weight of each row; their sum is 1
}

// fitLogistic returns the coefficients b that minimise Σ w·log(1 + exp(−label·(x·b))) + penalty/2·Σ b². The second sum
// leaves out the constant. The search starts from the coefficients start.
func (r labelledRows) fitLogistic(penalty float64, start []float64) []float64 {
	return newton.Minimise(func(b []float64) newton.Point { return r.penalisedLoss(b, penalty) }, start)
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

// penalisedLoss returns the loss with the penalty on all coefficients but the constant, and its derivatives.
func (r labelledRows) penalisedLoss(b []float64, penalty float64) newton.Point {
	gradient := make([]float64, len(b))
	curvature := make([]float64, len(r.x)) // second derivative of each row's loss with respect to x·b
	for i, x := range r.x {
		margin := r.label[i] * linear.Dot(x, b)
		wrong := portable.Sigmoid(-margin) // predicted probability of the other class
		curvature[i] = float64(r.weights[i]*wrong) * (1 - wrong)
		linear.AddScaled(gradient, -r.weights[i]*wrong*r.label[i], x)
	}
	linear.AddScaled(gradient[1:], penalty, b[1:])
	return newton.Point{
		X:        b,
		Value:    r.loss(b) + float64(penalty/2*linear.Dot(b[1:], b[1:])),
		Gradient: gradient,
		Multiply: func(v []float64) []float64 { return r.multiplyHessian(v, curvature, penalty) },
	}
}

// multiplyHessian returns the product of the matrix of second derivatives with v, for rows with these second derivatives
// of their losses.
func (r labelledRows) multiplyHessian(v, curvature []float64, penalty float64) []float64 {
	product := make([]float64, len(v))
	for i, x := range r.x {
		linear.AddScaled(product, curvature[i]*linear.Dot(x, v), x)
	}
	linear.AddScaled(product[1:], penalty, v[1:])
	return product
}
