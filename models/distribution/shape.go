package distribution

import (
	"math"
	"math/rand/v2"
	"sort"
)

// WithMoments returns the distribution d, shifted and scaled so that it has the given mean and
// standard deviation. It returns a normal distribution if d or the result has no spread. Counts remain counts: they are
// then distributed like rounded normal numbers, since shifted and scaled counts would lie between counts.
func WithMoments(d Distribution, mean, std float64) Distribution {
	if IsNormal(d) || d.Std() == 0 || std == 0 {
		return normal{mean, std}
	}
	if d, isDiscrete := d.(discrete); isDiscrete {
		return d.withMoments(mean, std)
	}
	scale := std / d.Std()
	shift := mean - float64(scale*d.Mean())
	return d.Affine(scale, shift)
}

// Shape is a distribution of residuals Z, which a network places and scales: y is distributed like
// location + scale·Z. Make one with NewShape.
type Shape struct {
	quantile  func(level float64) float64
	mean, std float64
	midpoints []float64 // quantiles at MidpointLevels
	z         []float64 // midpoints in standard deviations from the mean
}

// NewShape returns the shape with a quantile function, which ascends and is finite between the levels 0 and 1.
func NewShape(quantile func(level float64) float64) *Shape {
	s := &Shape{quantile: quantile}
	for _, level := range MidpointLevels() {
		s.midpoints = append(s.midpoints, quantile(level))
	}
	s.mean, s.std = s.moments()
	for _, quantile := range s.midpoints {
		s.z = append(s.z, (quantile-s.mean)/s.std)
	}
	return s
}

// Mean returns the mean.
func (s *Shape) Mean() float64 { return s.mean }

// Std returns the standard deviation.
func (s *Shape) Std() float64 { return s.std }

// Quantile returns the quantile at a level.
func (s *Shape) Quantile(level float64) float64 { return s.quantile(level) }

// Midpoints returns the quantiles at MidpointLevels in standard deviations from the mean.
func (s *Shape) Midpoints() []float64 { return s.z }

// moments returns the mean and the standard deviation. Both are sums over parts of the levels, each represented by
// the quantile in its middle. Each part is as wide as the distance between two MidpointLevels, but the outermost two are halved again
// and again towards 0 and 1, because the tails are a large part of a standard deviation.
func (s *Shape) moments() (mean, std float64) {
	const halvings = 30 // the rest of the levels is below 1e-11
	n := len(s.midpoints)
	values := s.midpoints[1 : n-1]
	weights := make([]float64, n-2)
	for i := range weights {
		weights[i] = 1 / float64(n)
	}
	width := 1 / float64(n)
	for range halvings {
		width /= 2
		values = append(values[:len(values):len(values)], s.quantile(float64(1.5*width)), s.quantile(1-float64(1.5*width)))
		weights = append(weights, width, width)
	}
	total := 0.0
	for i, v := range values {
		mean += float64(weights[i] * v)
		total += weights[i]
	}
	mean /= total
	variance := 0.0
	for i, v := range values {
		variance += float64(weights[i]*float64((v-mean)*(v-mean))) / total
	}
	return mean, math.Sqrt(variance)
}

// level returns the largest level with a quantile up to z.
func (s *Shape) level(z float64) float64 {
	levels := MidpointLevels()
	above := sort.Search(len(levels), func(i int) bool { return s.midpoints[i] > z })
	low, high := 0.0, 1.0
	if above > 0 {
		low = levels[above-1]
	}
	if above < len(levels) {
		high = levels[above]
	}
	const bisections = 45 // leave 1e-16 of the distance between two levels
	for range bisections {
		middle := low + float64((high-low)/2)
		if s.quantile(middle) <= z {
			low = middle
		} else {
			high = middle
		}
	}
	return low + float64((high-low)/2)
}

// WithShape returns the distribution of location + scale·Z, where Z has the given shape. A shape has no density:
// LogDensity takes d, shifted and scaled to the same mean and standard deviation.
func WithShape(d Distribution, location, scale float64, shape *Shape) Distribution {
	mean := location + float64(scale*shape.mean)
	return shaped{WithMoments(d, mean, scale*shape.std), location, scale, shape}
}

// shaped is a distribution that WithShape returns.
type shaped struct {
	Distribution // for the density; it has the same mean and standard deviation
	location     float64
	scale        float64
	shape        *Shape
}

// CDF returns the shape's level of the residual of y in units of scale.
func (d shaped) CDF(y float64) float64 {
	if d.scale == 0 {
		return normal{d.location, 0}.CDF(y)
	}
	return d.shape.level((y - d.location) / d.scale)
}

// Quantile returns location + scale·z for the shape's quantile z. Without spread it is the location, even where z is
// infinite.
func (d shaped) Quantile(level float64) float64 {
	if d.scale == 0 {
		return d.location
	}
	return d.location + float64(d.scale*d.shape.quantile(level))
}

// CRPS returns twice the mean pinball loss of the quantiles at MidpointLevels (see inverted.CRPS).
func (d shaped) CRPS(y float64) float64 {
	levels := MidpointLevels()
	n := float64(len(levels))
	meanLoss := 0.0
	for i, z := range d.shape.midpoints {
		meanLoss += pinballLoss(levels[i], y-(d.location+float64(d.scale*z))) / n
	}
	return float64(2 * meanLoss)
}

func (d shaped) Sample(r *rand.Rand) float64 { return sampleByQuantile(d, r) }

// Affine returns the distribution of scale·Y + shift. Residuals in units of scale, and thus the shape, stay the same.
func (d shaped) Affine(scale, shift float64) Distribution {
	return shaped{
		Distribution: d.Distribution.Affine(scale, shift),
		location:     float64(d.location*scale) + shift,
		scale:        d.scale * scale,
		shape:        d.shape,
	}
}
