package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/portable"
	"sml/models/distribution"
)

// TestFamily checks the distributions of a family with each of the given lists of parameters. It
// fails the test if the functions of a distribution disagree: quantiles with the CDF (cumulative
// distribution function), the density with finite differences of the CDF, the CRPS (continuous
// ranked probability score) with quantiles, draws with the CDF, the distribution of an affine
// function of the value with the distribution, graph nodes with the formulas in Go, or gradients of
// the negative log-likelihood with finite differences. It skips functions that a distribution does
// not have.
func TestFamily(t T, f distribution.Family, parameters ...[]float64) {
	t.Helper()
	if len(parameters) == 0 {
		t.Errorf("%s: no parameters to check; want at least one list of %v", f.Name, f.Parameters)
	}
	for _, p := range parameters {
		testDistribution(t, f, p)
	}
}

// testDistribution checks the distribution of a family with the given parameters.
func testDistribution(t T, f distribution.Family, parameters []float64) {
	t.Helper()
	if len(parameters) != len(f.Parameters) {
		t.Errorf("%s%v: %d parameters; want %d, %v", f.Name, parameters, len(parameters), len(f.Parameters), f.Parameters)
		return
	}
	if f.Check != nil {
		if err := f.Check(parameters); err != nil {
			t.Errorf("%s%v: Family.Check refuses the parameters: %v", f.Name, parameters, err)
		}
	}
	c := &familyCheck{
		T:          t,
		family:     f,
		parameters: parameters,
		d:          f.New(slices.Clone(parameters)),
	}
	if c.hasCDF() {
		c.checkQuantiles()
		c.checkDensity()
		c.checkCRPS()
		c.checkSamples()
		c.checkAffine()
	}
	c.checkNodes()
	c.checkGradients()
}

// familyCheck checks one distribution of a family.
type familyCheck struct {
	T
	family     distribution.Family
	parameters []float64
	d          distribution.Distribution
}

// compare fails the test unless got and want differ by at most the tolerance, relative to want if
// its size is above 1. function and argument name the call in the message.
func (c *familyCheck) compare(function string, argument, got, want, tolerance float64) {
	if got == want || math.IsNaN(got) && math.IsNaN(want) {
		return
	}
	if math.Abs(got-want) <= tolerance*max(1, math.Abs(want)) {
		return
	}
	c.Errorf("%s%v: %s at %v is %v; want %v", c.family.Name, c.parameters, function, argument, got, want)
}

// hasCDF reports whether the distribution has a cumulative distribution function.
func (c *familyCheck) hasCDF() bool { return !math.IsNaN(c.d.CDF(0)) }

// hasDensity reports whether the distribution has a density. The empirical distribution of draws
// has none.
func (c *familyCheck) hasDensity() bool { return !math.IsNaN(c.d.LogDensity(c.d.Quantile(0.5))) }

// checkQuantiles compares CDF(Quantile(level)) with the level.
func (c *familyCheck) checkQuantiles() {
	if !c.hasDensity() {
		return
	}
	for _, level := range []float64{1e-4, 0.01, 0.3, 0.5, 0.77, 0.95, 0.9999} {
		c.compare("CDF(Quantile)", level, c.d.CDF(c.d.Quantile(level)), level, 1e-12)
	}
}

// checkDensity compares the density with central differences of the CDF.
func (c *familyCheck) checkDensity() {
	if !c.hasDensity() {
		return
	}
	std := c.d.Std()
	for _, level := range []float64{0.003, 0.13, 0.46, 0.81, 0.97} {
		y := c.d.Quantile(level)
		h := 1e-5 * std
		slope := (c.d.CDF(y+h) - c.d.CDF(y-h)) / (2 * h)
		c.compare("the density", y, portable.Exp(c.d.LogDensity(y))*std, slope*std, 1e-6)
	}
}

// checkCRPS compares the CRPS with twice the mean pinball loss of the quantiles (Gneiting and
// Ranjan 2011, equation 11). It skips empirical distributions, whose quantiles are interpolated.
func (c *familyCheck) checkCRPS() {
	if !c.hasDensity() {
		return
	}
	const n = 10000
	for _, level := range []float64{0.001, 0.13, 0.5, 0.9, 0.999} {
		y := c.d.Quantile(level)
		want := 0.0 // twice the mean pinball loss
		for i := range n {
			q := (float64(i) + 0.5) / n
			residual := y - c.d.Quantile(q)
			want += 2 * max(q*residual, (q-1)*residual) / n
		}
		c.compare("the CRPS", y, c.d.CRPS(y)/c.d.Std(), want/c.d.Std(), 1e-3)
	}
}

// checkSamples compares the fraction of draws below a quantile with the CDF. The largest difference
// for n draws, Kolmogorov's distance, is above 1.95/√n with a probability of 0.1 %.
func (c *familyCheck) checkSamples() {
	const n = 20000
	r := rand.New(rand.NewPCG(7, 7))
	draws := make([]float64, n)
	for i := range draws {
		draws[i] = c.d.Sample(r)
	}
	for _, level := range []float64{0.05, 0.2, 0.4, 0.6, 0.8, 0.95} {
		quantile := c.d.Quantile(level)
		below := 0
		for _, y := range draws {
			if y <= quantile {
				below++
			}
		}
		c.compare("the fraction of draws below the quantile", level, float64(below)/n, c.d.CDF(quantile), 1.95/math.Sqrt(n))
	}
}

// checkAffine compares the distribution of scale·y + shift with the distribution of y.
func (c *familyCheck) checkAffine() {
	const (
		scale     = 2.5
		shift     = -7
		tolerance = 1e-9
	)
	d := c.d
	affine := d.Affine(scale, shift)
	for _, level := range []float64{0.02, 0.5, 0.7} {
		y := d.Quantile(level)
		c.compare("Quantile of the affine function", level, affine.Quantile(level), scale*y+shift, tolerance)
		const above = 1e-9 // a CDF may jump at y
		c.compare("CDF of the affine function", y, affine.CDF(scale*y+shift+above), d.CDF(y+above/scale), tolerance)
		c.compare("CRPS of the affine function", y, affine.CRPS(scale*y+shift), scale*d.CRPS(y), tolerance)
		c.compare("LogDensity of the affine function", y, affine.LogDensity(scale*y+shift), d.LogDensity(y)-portable.Log(scale), tolerance)
	}
	c.compare("Mean of the affine function", 0, affine.Mean(), scale*d.Mean()+shift, tolerance)
	c.compare("Std of the affine function", 0, affine.Std(), scale*d.Std(), tolerance)
}

// nodeArguments are the numbers at which nodes are compared: 0, 1 and 2 may be classes.
var nodeArguments = []float64{-8, -1.1, 0, 0.4, 1, 2, 12}

// checkNodes compares the graph nodes of the distribution with its functions in Go.
func (c *familyCheck) checkNodes() {
	b := graph.New(graph.Float64, new(graph.Params))
	pairs := c.nodePairs(b)
	outputs := make([]*graph.Node, len(pairs))
	for i, p := range pairs {
		outputs[i] = p.node
	}
	runner, err := graph.NewRunner(graph.Compiled, b, outputs...)
	if err != nil {
		c.Errorf("%s: %v", c.family.Name, err)
		return
	}
	defer runner.Close()
	if err := runner.Run(); err != nil {
		c.Errorf("%s: %v", c.family.Name, err)
		return
	}
	for i, p := range pairs {
		for row, y := range nodeArguments {
			c.compare(p.name+" as a node", y, runner.Output64(i)[row], p.value(y), 1e-8)
		}
	}
}

// nodePair is a function of a distribution as a graph node, for all nodeArguments, and in Go.
type nodePair struct {
	name  string
	node  *graph.Node
	value func(y float64) float64
}

// nodePairs adds the functions of the distribution to a graph. It leaves out functions that the
// family does not have as nodes.
func (c *familyCheck) nodePairs(b *graph.Builder) []nodePair {
	rows := len(nodeArguments)
	parameters := make([]*graph.Node, len(c.parameters))
	for i, p := range c.parameters {
		parameters[i] = b.Constant(rows, 1, slices.Repeat([]float64{p}, rows))
	}
	y := b.Constant(rows, 1, nodeArguments)
	nodes := c.family.Nodes(b, parameters)
	d := c.d
	pairs := []nodePair{
		{"Mean", nodes.Mean(), func(float64) float64 { return d.Mean() }},
		{"Std", nodes.Std(), func(float64) float64 { return d.Std() }},
		{"LogDensity", nodes.LogDensity(y), d.LogDensity},
		{"CDF", nodes.CDF(y), d.CDF},
		{"CRPS", nodes.CRPS(y), d.CRPS},
	}
	levels := []float64{0.001, 0.025, 0.4, 0.5, 0.95, 0.999}
	for i, node := range nodes.Quantiles(levels) {
		pairs = append(pairs, nodePair{
			name:  fmt.Sprintf("Quantile(%v)", levels[i]),
			node:  node,
			value: func(float64) float64 { return d.Quantile(levels[i]) },
		})
	}
	return slices.DeleteFunc(pairs, func(p nodePair) bool { return p.node == nil })
}

// checkGradients compares gradients of the negative log-likelihood with respect to the parameters
// with finite differences.
func (c *familyCheck) checkGradients() {
	targets := c.gradientTargets()
	hasNLL := true
	loss := func(b *graph.Builder) *graph.Node {
		var parameters []*graph.Node
		for i, name := range c.family.Parameters {
			parameters = append(parameters, b.Param(name, len(targets), 1, graph.Fill(c.parameters[i])))
		}
		nll := c.family.NLL(b, parameters, b.Constant(len(targets), 1, targets))
		if nll == nil {
			hasNLL = false
			return b.Mean(b.Square(parameters[0])) // gradcheck needs some loss
		}
		return b.Mean(nll)
	}
	gradients, err := gradcheck.Check(loss, gradcheck.Settings{Seed: 5})
	if err != nil {
		c.Errorf("%s%v: %v", c.family.Name, c.parameters, err)
		return
	}
	for _, g := range gradients {
		if hasNLL && !(g.Error <= tolerance) {
			c.Errorf("%s%v: the gradient of the negative log-likelihood with respect to %s is %v; finite differences give %v", c.family.Name, c.parameters, g.Name, g.Backward, g.Numeric)
		}
	}
}

// gradientTargets returns targets in the middle and in the tails of the distribution, or all classes.
func (c *familyCheck) gradientTargets() []float64 {
	if c.family.Classes > 0 || !c.hasCDF() {
		var targets []float64
		for class := range c.family.Classes {
			targets = append(targets, float64(class))
		}
		return append(targets, 0)
	}
	var targets []float64
	for _, level := range []float64{0.003, 0.13, 0.46, 0.81, 0.97} {
		targets = append(targets, c.d.Quantile(level))
	}
	return targets
}
