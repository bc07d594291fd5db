package check

import (
	"math"
	"math/rand/v2"
	"slices"

	"sml/data"
	"sml/internal/portable"
	"sml/models"
)

// madeRows are rows whose distribution is known: the targets of a row follow from
// u = Σx/√inputs, which is N(0, 1). Networks that treat all inputs alike, such as
// convolutions with a global mean, can learn it too.
type madeRows struct {
	data.Subset
	u       []float64 // of each row
	classes int       // classes of a target; 0 if targets are numbers
}

// makeRows draws n rows for a spec. All extra columns that the objective asks for are
// equal to extra.
func makeRows(s models.Spec, m models.Method, n int, extra float64, rnd *rand.Rand) (madeRows, error) {
	inputs, targets := s.Architecture.Inputs, s.Architecture.Targets
	r := madeRows{Subset: data.Subset{X: make([]float64, n*inputs), Y: make([]float64, n*targets)}, u: make([]float64, n), classes: s.Architecture.Classes}
	for row := range n {
		for j := range inputs {
			x := portable.NormFloat64(rnd)
			r.X[row*inputs+j] = x
			r.u[row] += x / math.Sqrt(float64(inputs))
		}
		for target := range targets {
			r.Y[row*targets+target] = r.target(m, row, target)(uniform(rnd))
		}
	}
	var err error
	if r.Extras, err = s.Columns(); err != nil {
		return r, err
	}
	r.E = slices.Repeat([]float64{extra}, n*len(r.Extras))
	return r, nil
}

// target returns the quantile function of a row's target. Odd targets mirror even ones.
func (r madeRows) target(m models.Method, row, target int) func(level float64) float64 {
	if target%2 == 1 {
		return targetQuantile(m, r.classes, -r.u[row])
	}
	return targetQuantile(m, r.classes, r.u[row])
}

// moments returns the mean and the standard deviation of a row's target, from quantiles
// at evenly spaced levels.
func (r madeRows) moments(m models.Method, row, target int) (mean, std float64) {
	const levels = 200
	quantile := r.target(m, row, target)
	square := 0.0
	for k := range levels {
		q := quantile((float64(k) + 0.5) / levels)
		mean += q / levels
		square += float64(q*q) / levels
	}
	return mean, math.Sqrt(max(0, square-float64(mean*mean)))
}

// uniform returns a number above 0 and below 1.
func uniform(rnd *rand.Rand) float64 { return (float64(rnd.Uint64()>>12) + 0.5) / (1 << 52) }

// targetQuantile returns the quantile function of a made target in its own unit, in the
// method's support. Where the target is any number, its standard deviation changes with u
// by a factor of five, and is well below 1, so that a variance cannot pass for it.
func targetQuantile(m models.Method, classes int, u float64) func(level float64) float64 {
	noise := 0.1 + float64(0.4*portable.Sigmoid(float64(-2*u)))
	normal := portable.NormalQuantile
	switch {
	case classes > 0:
		return func(level float64) float64 {
			for class, q := range classProbabilities(classes, u) {
				if level -= q; level < 0 {
					return float64(class)
				}
			}
			return float64(classes - 1)
		}
	case m.Support == models.Counts:
		return func(level float64) float64 { return poissonQuantile(portable.Exp(1+float64(0.4*u)), level) }
	case m.Support == models.Positive, m.Support == models.NonNegative:
		return func(level float64) float64 { return portable.Exp(float64(0.5*u) + float64(noise*normal(level))) }
	case m.Support == models.UnitInterval:
		return func(level float64) float64 { return portable.Sigmoid(float64(0.7*u) + float64(noise*normal(level))) }
	}
	return func(level float64) float64 {
		standard := u + float64(0.3*(float64(u*u)-1)) + float64(noise*normal(level))
		return 10 + float64(2*standard)
	}
}

// classProbabilities returns the softmax of 1.5·k·u, with classes k counted from the middle.
func classProbabilities(classes int, u float64) []float64 {
	p, sum := make([]float64, classes), 0.0
	for k := range p {
		p[k] = portable.Exp(float64(float64(1.5*(float64(k)-float64(float64(classes-1)/2))) * u))
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

func poissonQuantile(rate, level float64) float64 {
	mass := portable.Exp(-rate)
	k := 0.0
	for ; level > mass && k < 1000; k++ {
		level -= mass
		mass *= rate / (k + 1)
	}
	return k
}
