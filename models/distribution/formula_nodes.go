package distribution

import (
	"math"

	"sml/graph"
	"sml/internal/portable"
)

// formulaNodes holds distributions of a family with Formulas.
type formulaNodes struct {
	b          *graph.Builder
	formulas   Formulas
	parameters []*graph.Node
}

// Mean returns the formula, or the mean of quantiles. It returns nil without a formula of the CDF, too.
func (d formulaNodes) Mean() *graph.Node {
	if d.formulas.Mean != nil {
		return d.formulas.Mean(d.b, d.parameters)
	}
	return d.meanOverQuantiles(func(y *graph.Node) *graph.Node { return y })
}

// Std is Mean for the standard deviation.
func (d formulaNodes) Std() *graph.Node {
	if d.formulas.Std != nil {
		return d.formulas.Std(d.b, d.parameters)
	}
	mean := d.Mean()
	if mean == nil {
		return nil
	}
	return d.b.Sqrt(d.meanOverQuantiles(func(y *graph.Node) *graph.Node { return d.b.Square(d.b.Sub(y, mean)) }))
}

// meanOverQuantiles returns the mean of a function of the distributions' numbers: a sum over quantiles at the levels Φ(z),
// with the density of N(0, 1) as weights. It leaves out numbers rarer than the rounding of a CDF near 1.
func (d formulaNodes) meanOverQuantiles(function func(y *graph.Node) *graph.Node) *graph.Node {
	outermost := 80 // z is a multiple of 0.1
	if d.b.Dtype() == graph.Float32 {
		outermost = 50
	}
	var levels, weights []float64
	for i := -outermost; i <= outermost; i += 2 {
		z := float64(i) / 10
		levels = append(levels, portable.NormalCDF(z))
		weights = append(weights, 0.2*portable.NormalPDF(z))
	}
	quantiles := d.Quantiles(levels)
	if quantiles == nil {
		return nil
	}
	var terms []*graph.Node
	for i, q := range quantiles {
		terms = append(terms, d.b.Scale(weights[i], function(q)))
	}
	return fold(d.b.Add, terms)
}

// CDF returns nil without a formula.
func (d formulaNodes) CDF(y *graph.Node) *graph.Node {
	if d.formulas.CDF == nil {
		return nil
	}
	return d.formulas.CDF(d.b, d.parameters, y)
}

func (d formulaNodes) LogDensity(y *graph.Node) *graph.Node {
	b := d.b
	switch {
	case d.formulas.LogDensity != nil:
		return d.formulas.LogDensity(b, d.parameters, y)
	case d.formulas.Counts:
		return b.Log(b.Sub(d.CDF(y), d.CDF(b.Shift(y, -1))))
	}
	return b.Log(b.Grad(b.Sum(d.CDF(y)), y)[0])
}

func (d formulaNodes) CRPS(y *graph.Node) *graph.Node {
	if d.formulas.CRPS == nil {
		return nil
	}
	return d.formulas.CRPS(d.b, d.parameters, y)
}

// Quantiles returns the formula at each level, or solves for all levels at once by bisection. It returns nil without a
// formula of the CDF, too.
func (d formulaNodes) Quantiles(levels []float64) (quantiles graph.Nodes) {
	b := d.b
	if d.formulas.Quantile != nil {
		for _, level := range levels {
			quantiles = append(quantiles, d.formulas.Quantile(b, d.parameters, b.Const(level)))
		}
		return quantiles
	}
	if d.formulas.CDF == nil {
		return nil
	}
	columns := formulaNodes{b, d.formulas, repeatColumns(b, d.parameters, len(levels))}
	if !d.formulas.hasMoments() {
		return d.bisectAll(columns, levels)
	}
	// By Cantelli's inequality, the quantile at level p is at most std·√(p/(1 − p)) above the mean, and at most
	// std·√((1 − p)/p) below it.
	mean, std := columns.Mean(), columns.Std()
	var below, above []float64 // bounds in standard deviations from the mean
	for _, level := range levels {
		low, high := cantelliBounds(level)
		below = append(below, low)
		above = append(above, high)
	}
	width := mean.Shape()[1]
	low := b.Add(mean, b.Mul(std, constantRow(b, below, width)))
	high := b.Add(mean, b.Mul(std, constantRow(b, above, width)))
	return bisectQuantiles(b, levels, low, high, columns.CDF)
}

// bisectAll is Quantiles by bisection between all numbers that a densityIntegral may have, in its variable t.
func (d formulaNodes) bisectAll(columns formulaNodes, levels []float64) graph.Nodes {
	b := d.b
	width := columns.parameters[0].Shape()[1]
	end := b.Repeat(b.Reshape(b.Const(maxT), 1, 1), columns.parameters[0].Shape()[0], width)
	t := bisectQuantiles(b, levels, b.Neg(end), end, func(t *graph.Node) *graph.Node { return columns.CDF(b.Sinh(t)) })
	for i, node := range t {
		t[i] = b.Sinh(node)
	}
	return t
}

// cantelliBounds returns the bounds of the quantile at a level, in standard deviations from the mean. Source: Cantelli's
// inequality, P(Y − mean ≥ k·std) ≤ 1/(1 + k²).
func cantelliBounds(level float64) (low, high float64) {
	odds := level / (1 - level)
	return -math.Sqrt(1 / odds), math.Sqrt(odds)
}

// hasMoments reports whether both moments have formulas.
func (f Formulas) hasMoments() bool { return f.Mean != nil && f.Std != nil }
