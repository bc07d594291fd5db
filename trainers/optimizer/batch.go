package optimizer

// Batch computes with the rows, dropout masks and noise of the present step again, at the present weights. Gradients
// are clipped, as the gradient of the step is. Numbers may be infinite or NaN. After an error they mean nothing, and the
// training ends after the step.
type Batch interface {
	// Loss returns the loss before the step.
	Loss() float64

	// Gradient returns the loss, and writes its gradient to grad, which has the length of all weights.
	Gradient(grad []float32) (loss float64)

	// HessianVector writes to product the Hessian of the loss times v. Both have the length of all weights.
	HessianVector(product, v []float32)
}

// BatchUser is a GradientTransform that computes with the present batch again, as SAM does. UseBatch is called once,
// before the first step. Apply may then change the weights before it calls a method of the batch, and afterwards
// sets them back. Each call takes as long as an ordinary step or longer, so it should be rare.
type BatchUser interface{ UseBatch(b Batch) }

// dotProduct returns the sum of the products of a and b, in float64.
func dotProduct(a, b []float32) float64 {
	sum := 0.0
	for i, v := range a {
		sum += float64(float64(v) * float64(b[i]))
	}
	return sum
}
