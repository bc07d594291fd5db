package distribution

import (
	"math"
	"slices"
	"sort"

	"sml/internal/portable"
)

// densityIntegral is the integral of a density: a distribution follows from its log density alone. With y = sinh t, the range
// of t is divided into panels so narrow that Gauss-Legendre quadrature is accurate in each. Panels are narrowest at peaks,
// kinks, poles and the ends of a support.
type densityIntegral struct {
	logDensities func(y []float64) []float64 // logarithms of the density

	edges      []float64   // of the panels, in t
	cumulative []float64   // integral up to each edge
	series     [][]float64 // of each panel: see integralSeries; nil where hardly any density is
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
	const maxDepth = 200 // a panel at 0 is then so narrow that the density y^−0.8 has the probability 1e-12 there
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
	density             []float64 // of t, at the points of quadrature
	mass, first, second float64   // see densityIntegral

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
		density := math.Sqrt(float64(y[i]*y[i])+1) * portable.Exp(logDensity) // dy/dt = cosh t = √(y² + 1)
		p.density = append(p.density, density)
		mass := float64((high-low)*weights[i]) * density
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
	d.append(left)
	d.append(right)
}

// append appends a panel. Neighbours without density become one, to save memory.
func (d *densityIntegral) append(p panel) {
	d.first += p.first
	d.second += p.second
	const negligible = 1e-18
	last := len(d.series) - 1
	isEmpty := p.mass < negligible
	if isEmpty && last >= 0 && d.series[last] == nil {
		d.edges[last+1] = p.high
		return
	}
	var series []float64
	if !isEmpty {
		series = integralSeries(p)
	}
	d.edges = append(d.edges, p.high)
	d.cumulative = append(d.cumulative, d.total()+p.mass)
	d.series = append(d.series, series)
}

// integralSeries returns the coefficients of Legendre polynomials P₀, P₁, … whose sum, at x from −1 to 1, is the integral of
// the panel's density up to x. The coefficients c of the density follow by quadrature, and ∫Pₖ is (Pₖ₊₁ − Pₖ₋₁)/(2k + 1).
func integralSeries(p panel) []float64 {
	_, weights := gaussLegendre()
	values := legendreValues()
	n := len(weights)
	c := make([]float64, n+2) // two zeros at the end
	for k := range n {
		sum := 0.0
		for i, density := range p.density {
			sum += float64(float64(weights[i]*density) * values[k][i])
		}
		c[k] = float64((2*float64(k) + 1) * sum)
	}
	half := (p.high - p.low) / 2
	series := []float64{half * (c[0] - c[1]/3)}
	for k := 1; k <= n; k++ {
		series = append(series, half*(c[k-1]/float64(2*k-1)-c[k+1]/float64(2*k+3)))
	}
	const negligible = 1e-17
	for len(series) > 1 && math.Abs(series[len(series)-1]) < negligible {
		series = series[:len(series)-1]
	}
	return slices.Clip(series)
}

// sumLegendre returns the sum of Legendre polynomials P₀, P₁, … with coefficients, at x from −1 to 1.
func sumLegendre(coefficients []float64, x float64) float64 {
	sum := 0.0
	previous, value := 0.0, 1.0
	for k, c := range coefficients {
		sum += float64(c * value)
		n := float64(k)
		previous, value = value, (float64(float64((2*n+1)*x)*value)-float64(n*previous))/(n+1)
	}
	return sum
}

// mayHidePeak reports whether the density between two points of quadrature may be far from that at both and large enough
// to count. A peak is seen in the logarithm of the density long before it is seen in the density.
func (d *densityIntegral) mayHidePeak(p panel) bool {
	const (
		smooth     = 2    // difference between neighbouring points that quadrature follows
		negligible = 50   // e^−50, times the width of the panel, is below the rounding of the sum
		far        = 1000 // a point so far below is not next to a peak
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
	i := sort.SearchFloat64s(d.edges, t) - 1 // edges[i] < t ≤ edges[i+1]
	x := float64(2*(t-d.edges[i])/(d.edges[i+1]-d.edges[i])) - 1
	below := d.cumulative[i] + sumLegendre(d.series[i], x)
	return min(max(0, below/d.total()), 1)
}

// bracket returns numbers between which the quantile at a level lies.
func (d *densityIntegral) bracket(level float64) bracket {
	i := sort.SearchFloat64s(d.cumulative, float64(level*d.total()))
	low, high := max(0, i-2), min(i+1, len(d.edges)-1) // a panel more on each side, for rounding
	return bracket{portable.Sinh(d.edges[low]), portable.Sinh(d.edges[high])}
}
