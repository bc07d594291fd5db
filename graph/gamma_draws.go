package graph

import "errors"

// gammaProposals is the number of proposals for each draw from a gamma distribution. A proposal is rejected
// with a probability of at most 0.049, and all six are with 1.4·10⁻⁸, less than the rounding of a float32.
const gammaProposals = 6

// Gamma returns random numbers from the gamma distributions with the given shapes [rows, columns] and scale
// 1. Draws follow from noise as in Normal, and take 13 normal numbers each. They are NaN unless the shape is
// above 0.
//
// No gradient flows to the shapes: the derivative of a draw with respect to its shape has no closed form.
// To train a shape, differentiate an expectation of log-densities, or multiply by the gradient of
// the log-density.
func (b *Builder) Gamma(noise Noise, shape *Node) *Node {
	return b.Exp(b.logGammaDraws("Gamma", noise, shape))
}

// Beta returns random numbers from the beta distributions with the shapes alpha and beta, [rows, columns]
// each. All else is as in Gamma: a draw is X/(X + Y) for draws X and Y from the gamma distributions with
// these shapes.
func (b *Builder) Beta(noise Noise, alpha, beta *Node) *Node {
	logs := b.logGammaDraws("Beta", noise, b.Concat(alpha, beta))
	halves := b.Split(logs, 2)
	return b.Sigmoid(b.Sub(halves[0], halves[1])) // X/(X + Y), also where both are too small for a float32
}

// logGammaDraws returns the logarithms of draws from gamma distributions, without gradient. name is the
// builder's method, for errors.
//
// For a shape α ≥ 1, d = α − ⅓ and a normal number x, a proposal is d·v with v = (1 + x/√(9d))³. It is
// accepted if log u < x²/2 + d·(1 − v + log v) for a uniform number u. For α < 1, a draw for α + 1 times
// u^(1/α) is a draw for α.
//
// Source: Marsaglia and Tsang 2000, A simple method for generating gamma variables.
func (b *Builder) logGammaDraws(name string, noise Noise, shape *Node) *Node {
	b.apply(name, Nodes{shape}, func() (*Node, error) {
		if !shape.IsMatrix() {
			return nil, errors.New("want shapes [rows columns]")
		}
		return shape, nil
	})
	if b.err != nil {
		return b.standIn(Nodes{shape})
	}
	shape = b.StopGradient(shape)
	rows, columns := shape.Shape()[0], shape.Shape()[1]
	width := gammaProposals * columns
	numbers := b.Normal(noise, rows, 2*width+columns)
	uniforms := b.Log(b.NormalCDF(b.Columns(numbers, width, 2*width+columns))) // their logarithms

	isSmall := b.Greater(b.Const(1), shape)
	d := b.Shift(b.Add(shape, isSmall), -1.0/3)
	proposals := gammaProposal{
		d:    b.repeatColumns(d, gammaProposals),
		x:    b.Columns(numbers, 0, width),
		logU: b.Columns(uniforms, 0, width),
	}
	isAccepted, logV := b.proposeGamma(proposals)
	result := b.Const(0) // v = 1, near the mode, if every proposal is rejected
	parts := b.Split(logV, gammaProposals)
	for i, accepted := range b.Split(isAccepted, gammaProposals) {
		result = b.Where(accepted, parts[i], result)
	}
	// The square of the root is NaN for negative shapes, which have no distribution.
	power := b.Div(b.Columns(uniforms, width, width+columns), b.Square(b.Sqrt(shape)))
	return b.Add(b.Add(b.Log(d), result), b.Where(isSmall, power, b.Const(0)))
}

// gammaProposal is the numbers of several proposals for each draw, side by side.
type gammaProposal struct {
	d    *Node // shape − ⅓
	x    *Node // normal numbers
	logU *Node // logarithms of uniform numbers
}

// proposeGamma returns 1 for each proposal of logGammaDraws that is accepted, and 0 for the others, and
// log v.
func (b *Builder) proposeGamma(p gammaProposal) (isAccepted, logV *Node) {
	const smallest = -0.99999                // keeps the logarithm finite where v is not above 0
	t := b.Div(p.x, b.Sqrt(b.Scale(9, p.d))) // v = (1 + t)³
	logRoot := b.Log1p(b.ClampMin(t, smallest))
	// 1 − v + log v = 3·(log(1 + t) − t) − t²·(3 + t), which cancels little, also for large d.
	excess := b.Sub(b.Scale(3, b.Sub(logRoot, t)), b.Mul(b.Square(t), b.Shift(t, 3)))
	bound := b.Add(b.Scale(0.5, b.Square(p.x)), b.Mul(p.d, excess))
	isPositive := b.Greater(t, b.Const(smallest))
	return b.Mul(isPositive, b.Greater(bound, p.logU)), b.Scale(3, logRoot)
}

// repeatColumns returns n copies of x [rows, columns] side by side.
func (b *Builder) repeatColumns(x *Node, n int) *Node {
	copies := make(Nodes, n)
	for i := range copies {
		copies[i] = x
	}
	return b.Concat(copies...)
}
