package distribution

import (
	"math"
	"sort"

	"sml/internal/portable"
)

// densityIntegral is the integral of a density, by which a distribution follows from its log density alone. With y = sinh t,
// the range of t is divided into panels, in each of which Gauss-Legendre quadrature is accurate: narrow ones at peaks,
// kinks, poles and the ends of a support.
type densityIntegral struct {
	logDensities func(y []float64) []float64 // logarithms of the density

	edges      []float64 // of the panels, in t
	cumulative []float64 // integral up to each edge
	mean, std  float64

	center        float64 // number about which moments are taken: near the mode, so that they lose no digits
	highest       float64 // highest logarithm of the density so far
	first, second float64 // integrals of (y − center) and (y − center)², times the density
}

// maxT bounds the numbers of a densityIntegral: |y| is at most sinh 16, 4.4 million.
const maxT = 16

// newDensityIntegral integrates a density.
func newDensityIntegral(logDensities func(y []float64) []float64) *densityIntegral {
	d := &densityIntegral{
		logDensities: logDensities,
		edges:        []float64{-maxT},
		cumulative:   []float64{0},
		highest:      math.Inf(-1),
	}
	var panels []panel
	for low := -maxT; low < maxT; low++ {
		p := d.panel(float64(low), float64(low+1))
		if p.highest > d.highest {
			d.highest = p.highest
			d.center = p.mode
		}
		panels = append(panels, p)
	}
	const maxDepth = 200 // in a panel at 0 that is so narrow, the density y^−0.8 has the probability 1e-12
	for _, p := range panels {
		d.add(p, maxDepth)
	}
	d.mean = d.center + d.first/d.total()
	offset := d.mean - d.center
	d.std = math.Sqrt(max(0, d.second/d.total()-float64(offset*offset)))
	return d
}

// panel has the integrals of a density between two values of t.
type panel struct {
	low, high           float64
	mass, first, second float64 // see densityIntegral

	highest  float64 // highest logarithm of the density at a point of quadrature
	steepest float64 // largest difference of this logarithm between neighbouring points with a density
	mode     float64 // y of the highest point
}

// panel integrates the density between two values of t. The density counts as 0 where its logarithm is NaN.
func (d *densityIntegral) panel(low, high float64) panel {
	points, weights := gaussLegendre()
	p := panel{low: low, high: high, highest: math.Inf(-1)}
	y := make([]float64, len(points))
	for i, point := range points {
		y[i] = portable.Sinh(low + float64((high-low)*point))
	}
	previous := math.Inf(-1)
	for i, logDensity := range d.logDensities(y) {
		if math.IsNaN(logDensity) {
			logDensity = math.Inf(-1)
		}
		if logDensity > p.highest {
			p.highest = logDensity
			p.mode = y[i]
		}
		if difference := math.Abs(logDensity - previous); difference > p.steepest && !math.IsInf(difference, 1) {
			p.steepest = difference
		}
		previous = logDensity
		dy := float64((high-low)*weights[i]) * math.Sqrt(float64(y[i]*y[i])+1) // cosh t is √(y² + 1)
		mass := dy * portable.Exp(logDensity)
		distance := y[i] - d.center
		p.mass += mass
		p.first += float64(mass * distance)
		p.second += float64(float64(mass*distance) * distance)
	}
	return p
}

// add divides a panel in two, and these again, until the integral no longer changes and no peak can hide between two points
// of quadrature, and appends the parts.
func (d *densityIntegral) add(p panel, depth int) {
	middle := p.low + float64((p.high-p.low)/2)
	left, right := d.panel(p.low, middle), d.panel(middle, p.high)
	d.highest = max(d.highest, left.highest, right.highest)
	const tolerance = 1e-13
	isAccurate := math.Abs(left.mass+right.mass-p.mass) <= tolerance && !d.mayHidePeak(left) && !d.mayHidePeak(right)
	if !isAccurate && depth > 0 && p.low < middle && middle < p.high {
		d.add(left, depth-1)
		d.add(right, depth-1)
		return
	}
	for _, part := range []panel{left, right} {
		d.edges = append(d.edges, part.high)
		d.cumulative = append(d.cumulative, d.total()+part.mass)
		d.first += part.first
		d.second += part.second
	}
}

// mayHidePeak reports whether the density between two points of quadrature may be far from that at both and large enough
// to count. A peak is seen in the logarithm of the density long before it is seen in the density.
func (d *densityIntegral) mayHidePeak(p panel) bool {
	const (
		smooth     = 2    // difference between neighbouring points that quadrature follows
		negligible = 50   // e^−50, times the width of the panel, is below the rounding of the sum
		far        = 1000 // so far below, a point is not beside a peak
	)
	return p.steepest > smooth && p.highest+p.steepest > d.highest-negligible && p.highest > d.highest-far
}

// total returns the integral over all panels so far.
func (d *densityIntegral) total() float64 { return d.cumulative[len(d.cumulative)-1] }

// cdf returns the probability of numbers up to y. The total counts as 1.
func (d *densityIntegral) cdf(y float64) float64 {
	t := portable.Asinh(y)
	switch {
	case math.IsNaN(t):
		return math.NaN()
	case t <= -maxT:
		return 0
	case t >= maxT:
		return 1
	}
	i := sort.SearchFloat64s(d.edges, t) // edges[i−1] < t ≤ edges[i]
	below := d.cumulative[i-1] + d.panel(d.edges[i-1], t).mass
	return min(1, below/d.total())
}

// bracket returns numbers between which the quantile at a level lies.
func (d *densityIntegral) bracket(level float64) bracket {
	i := sort.SearchFloat64s(d.cumulative, float64(level*d.total()))
	low, high := max(0, i-2), min(i+1, len(d.edges)-1) // a panel more on each side, for rounding
	return bracket{portable.Sinh(d.edges[low]), portable.Sinh(d.edges[high])}
}
