package distribution

import (
	"sml/graph"
)

// countFamily returns the family of counts with the formulas.
func (e *evaluator) countFamily() Family {
	f := e.formulas
	n := len(f.Parameters) // mean and standard deviation of the target follow
	return Family{
		Name:       f.Name,
		Parameters: append(f.Parameters[:n:n], "target mean", "target std"),
		HasStd:     true,
		Counts:     true,
		New: func(p []float64) Distribution {
			c := formulaCounts{evaluator: e, parameters: p[:n]}
			if f.hasMoments() {
				c.meanCount = e.evaluate(meanOutput, p[:n], []float64{anyArgument})[0]
				c.stdCount = e.evaluate(stdOutput, p[:n], []float64{anyArgument})[0]
			} else {
				c.meanCount, c.stdCount = sumCounts(c, 0).moments()
			}
			return newDiscrete(c, p[n], p[n+1])
		},
		Check: func(p []float64) error {
			if err := checkAboveZero(f.Name, "target std", p[n+1]); err != nil || f.Check == nil {
				return err
			}
			return f.Check(p[:n])
		},
		Nodes: func(b *graph.Builder, p []*graph.Node) Nodes {
			return countNodes{formulaNodes{b, f, p[:n]}, p[n], p[n+1]}
		},
	}
}

// formulaCounts is a distribution of counts with Formulas.
type formulaCounts struct {
	*evaluator
	parameters          []float64
	meanCount, stdCount float64
}

func (c formulaCounts) mean() float64 { return c.meanCount }
func (c formulaCounts) std() float64  { return c.stdCount }

func (c formulaCounts) logProbabilities(numbers []float64) []float64 {
	return c.evaluate(logDensityOutput, c.parameters, numbers)
}

// countNodes holds standardised distributions of counts: see discrete.
type countNodes struct {
	counts        formulaNodes
	offset, scale *graph.Node
}

// Mean returns nil without a formula, as Std does.
func (d countNodes) Mean() *graph.Node {
	b := d.counts.b
	if d.counts.formulas.Mean == nil {
		return nil
	}
	return b.Div(b.Sub(d.counts.Mean(), d.offset), d.scale)
}

func (d countNodes) Std() *graph.Node {
	if d.counts.formulas.Std == nil {
		return nil
	}
	return d.counts.b.Div(d.counts.Std(), d.scale)
}

// countAt returns the counts that y stands for, up to rounding.
func (d countNodes) countAt(y *graph.Node) *graph.Node {
	b := d.counts.b
	return b.Add(b.Mul(y, d.scale), d.offset)
}

// LogDensity returns the formula of discrete.LogDensity at the numbers of counts; its values between them have no meaning.
func (d countNodes) LogDensity(y *graph.Node) *graph.Node {
	b := d.counts.b
	return b.Add(d.counts.LogDensity(d.countAt(y)), b.Log(d.scale))
}

// CRPS returns nil without a formula.
func (d countNodes) CRPS(y *graph.Node) *graph.Node {
	score := d.counts.CRPS(d.countAt(y))
	if score == nil {
		return nil
	}
	return d.counts.b.Div(score, d.scale)
}

// CDF returns nil: a step function needs the largest whole number up to y, which graphs do not compute.
func (countNodes) CDF(*graph.Node) *graph.Node { return nil }

// Quantiles returns nil: see CDF.
func (countNodes) Quantiles([]float64) graph.Nodes { return nil }
