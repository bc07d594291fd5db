package check

import (
	"math"
	"math/rand/v2"
	"slices"

	"sml/data"
	"sml/internal/portable"
	"sml/models"
)

// inventedRows are rows whose targets have a known distribution, which depends on u = Σx/√inputs
// alone. u is N(0, 1). Networks that treat all inputs alike, such as convolutions with a global
// mean, can learn it too.
type inventedRows struct {
	data.Subset
	u       []float64 // by row
	classes int       // number of classes of a target; 0 if targets are numbers
}

// inventRows draws n rows for a spec. All extra columns that the objective reads are equal to extra.
func inventRows(s models.Spec, m models.Method, n int, extra float64, rnd *rand.Rand) (inventedRows, error) {
	inputs := s.Architecture.Inputs
	targets := s.Architecture.Targets
	r := inventedRows{
		Subset: data.Subset{
			X: make([]float64, n*inputs),
			Y: make([]float64, n*targets),
		},
		u:       make([]float64, n),
		classes: s.Architecture.Classes,
	}
	for row := range n {
		for j := range inputs {
			x := portable.NormFloat64(rnd)
			r.X[row*inputs+j] = x
			r.u[row] += x / math.Sqrt(float64(inputs))
		}
		for target := range targets {
			quantile := r.targetQuantile(m, row, target)
			r.Y[row*targets+target] = quantile(drawLevel(rnd))
		}
	}
	var err error
	r.Extras, err = s.Columns()
	if err != nil {
		return r, err
	}
	r.E = slices.Repeat([]float64{extra}, n*len(r.Extras))
	return r, nil
}

// drawLevel draws a number between 0 and 1, both excluded, from the uniform distribution: the middle of
// one of 2⁵² equal parts, of which a float64 holds each exactly.
func drawLevel(rnd *rand.Rand) float64 {
	const bits = 52
	part := rnd.Uint64() >> (64 - bits)
	return (float64(part) + 0.5) / (1 << bits)
}

// targetQuantile returns the quantile function of the distribution of a row's target. Odd targets
// mirror even targets.
func (r inventedRows) targetQuantile(m models.Method, row, target int) func(level float64) float64 {
	u := r.u[row]
	if target%2 == 1 {
		u = -u
	}
	return inventedQuantile(m, r.classes, u)
}

// moments returns the mean and the standard deviation of the distribution of a row's target: the mean and
// the standard deviation of its quantiles at 200 evenly spaced levels.
func (r inventedRows) moments(m models.Method, row, target int) (mean, std float64) {
	const levels = 200
	quantile := r.targetQuantile(m, row, target)
	meanSquare := 0.0
	for k := range levels {
		q := quantile((float64(k) + 0.5) / levels)
		mean += q / levels
		meanSquare += float64(q*q) / levels
	}
	return mean, math.Sqrt(max(0, meanSquare-float64(mean*mean)))
}

// inventedQuantile returns the quantile function of a target given u, a standard normal number, in the
// target's unit and within the method's support. The distribution is categorical, Poisson, log-normal,
// logit-normal or normal. If targets may be any number, their standard deviation changes with u by a
// factor of five, and is well below 1, so that a variance differs from it.
func inventedQuantile(m models.Method, classes int, u float64) func(level float64) float64 {
	noise := 0.1 + float64(0.4*portable.Sigmoid(float64(-2*u))) // standard deviation, from 0.1 to 0.5
	normal := portable.NormalQuantile
	switch {
	case classes > 0:
		return func(level float64) float64 { return classQuantile(classProbabilities(classes, u), level) }
	case m.Support == models.Counts:
		return func(level float64) float64 { return poissonQuantile(portable.Exp(1+float64(0.4*u)), level) }
	case m.Support == models.Positive, m.Support == models.NonNegative:
		return func(level float64) float64 { return portable.Exp(float64(0.5*u) + float64(noise*normal(level))) }
	case m.Support == models.UnitInterval:
		return func(level float64) float64 { return portable.Sigmoid(float64(0.7*u) + float64(noise*normal(level))) }
	}
	mean := u + float64(0.3*(float64(u*u)-1)) // not linear, and 0 on average
	return func(level float64) float64 {
		standardised := mean + float64(noise*normal(level))
		return 10 + float64(2*standardised) // in the unit of batchScaler
	}
}

// classProbabilities returns the softmax of 1.5·k·u, with classes k counted from the middle.
func classProbabilities(classes int, u float64) []float64 {
	p := make([]float64, classes)
	sum := 0.0
	for class := range p {
		k := float64(class) - float64(float64(classes-1)/2)
		p[class] = portable.Exp(float64(float64(1.5*k) * u))
		sum += p[class]
	}
	for class := range p {
		p[class] /= sum
	}
	return p
}

// classQuantile returns the first class at which the sum of the probabilities is above level, or the
// last class if rounding keeps the sum below it.
func classQuantile(probabilities []float64, level float64) float64 {
	remaining := level
	for class, p := range probabilities {
		remaining -= p
		if remaining < 0 {
			return float64(class)
		}
	}
	return float64(len(probabilities) - 1)
}

// poissonQuantile returns the quantile of the Poisson distribution with the given rate: it subtracts the
// probabilities of 0, 1, 2, … from the level while something remains. It returns maxCount if the
// quantile is larger.
func poissonQuantile(rate, level float64) float64 {
	const maxCount = 1000              // far above the rates of invented targets; bounds the loop if rounding leaves a rest
	probability := portable.Exp(-rate) // of count
	remaining := level
	count := 0.0
	for remaining > probability && count < maxCount {
		remaining -= probability
		probability *= rate / (count + 1) // P(k+1) = P(k) · rate/(k+1)
		count++
	}
	return count
}
