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

// TestFamily checks the distributions of a family with the given lists of parameters, and fails
// the test where their parts disagree: quantiles with the CDF, the density with differences of
// the CDF, the CRPS with quantiles, draws with the CDF, the distribution of an affine function
// with the distribution, nodes with the formulas in Go, and gradients of the negative
// log-likelihood with finite differences. It skips values that a distribution does not have.
func TestFamily(t T, f distribution.Family, parameters ...[]float64) {
	t.Helper()
	if len(parameters) == 0 {
		t.Errorf("%s: no parameters to check: want at least one list of %v", f.Name, f.Parameters)
	}
	for _, p := range parameters {
		if len(p) != len(f.Parameters) {
			t.Errorf("%s%v: %d parameters; want %d, %v", f.Name, p, len(p), len(f.Parameters), f.Parameters)
			continue
		}
		if f.Check != nil {
			if err := f.Check(p); err != nil {
				t.Errorf("%s%v: Check refuses the parameters: %v", f.Name, p, err)
			}
		}
		c := &familyCheck{T: t, family: f, parameters: p, d: f.New(slices.Clone(p))}
		if !math.IsNaN(c.d.CDF(0)) {
			c.checkQuantiles()
			c.checkDensity()
			c.checkCRPS()
			c.checkSamples()
			c.checkAffine()
		}
		c.checkNodes()
		c.checkGradients()
	}
}

// familyCheck checks one distribution of a family.
type familyCheck struct {
	T
	family     distribution.Family
	parameters []float64
	d          distribution.Distribution
}

// compare reports an error unless two numbers agree to a relative or absolute error.
func (c *familyCheck) compare(what string, at, got, want, tolerance float64) {
	if got == want || math.Abs(got-want) <= tolerance*max(1, math.Abs(want)) || math.IsNaN(got) && math.IsNaN(want) {
		return
	}
	c.Errorf("%s%v: %s at %v is %v; want %v", c.family.Name, c.parameters, what, at, got, want)
}

// hasDensity reports whether the distribution has a density: draws have steps instead.
func (c *familyCheck) hasDensity() bool { return !math.IsNaN(c.d.LogDensity(c.d.Quantile(0.5))) }

func (c *familyCheck) checkQuantiles() {
	if !c.hasDensity() {
		return
	}
	for _, level := range []float64{1e-4, 0.01, 0.3, 0.5, 0.77, 0.95, 0.9999} {
		c.compare("CDF(Quantile)", level, c.d.CDF(c.d.Quantile(level)), level, 1e-12)
	}
}

func (c *familyCheck) checkDensity() {
	if !c.hasDensity() {
		return
	}
	std := c.d.Std()
	for _, level := range []float64{0.003, 0.13, 0.46, 0.81, 0.97} {
		y, h := c.d.Quantile(level), 1e-5*std
		slope := (c.d.CDF(y+h) - c.d.CDF(y-h)) / (2 * h)
		c.compare("the density", y, portable.Exp(c.d.LogDensity(y))*std, slope*std, 1e-6)
	}
}

// checkCRPS compares the CRPS with twice the mean pinball loss of the quantiles (Gneiting and
// Ranjan 2011, equation 11). Quantiles of draws are interpolated, so that theirs is another.
func (c *familyCheck) checkCRPS() {
	if !c.hasDensity() {
		return
	}
	const n = 10000
	for _, level := range []float64{0.001, 0.13, 0.5, 0.9, 0.999} {
		y, sum := c.d.Quantile(level), 0.0
		for i := range n {
			at := (float64(i) + 0.5) / n
			off := y - c.d.Quantile(at)
			sum += 2 * max(at*off, (at-1)*off) / n
		}
		c.compare("the CRPS", y, c.d.CRPS(y)/c.d.Std(), sum/c.d.Std(), 1e-3)
	}
}

// checkSamples compares draws with the CDF: Kolmogorov's distance of n draws is above 1.95/√n with
// a probability of 0.1 %.
func (c *familyCheck) checkSamples() {
	const n = 20000
	r := rand.New(rand.NewPCG(7, 7))
	draws := make([]float64, n)
	for i := range draws {
		draws[i] = c.d.Sample(r)
	}
	for _, level := range []float64{0.05, 0.2, 0.4, 0.6, 0.8, 0.95} {
		quantile, below := c.d.Quantile(level), 0
		for _, y := range draws {
			if y <= quantile {
				below++
			}
		}
		c.compare("the share of draws below the quantile", level, float64(below)/n, c.d.CDF(quantile), 1.95/math.Sqrt(n))
	}
}

func (c *familyCheck) checkAffine() {
	const scale, shift = 2.5, -7
	d, moved := c.d, c.d.Affine(scale, shift)
	for _, level := range []float64{0.02, 0.5, 0.7} {
		y := d.Quantile(level)
		c.compare("Quantile of the affine function", level, moved.Quantile(level), scale*y+shift, 1e-9)
		c.compare("CDF of the affine function", y, moved.CDF(scale*y+shift+1e-9), d.CDF(y+1e-9/scale), 1e-9)
		c.compare("CRPS of the affine function", y, moved.CRPS(scale*y+shift), scale*d.CRPS(y), 1e-9)
		c.compare("LogDensity of the affine function", y, moved.LogDensity(scale*y+shift), d.LogDensity(y)-portable.Log(scale), 1e-9)
	}
	c.compare("Mean of the affine function", 0, moved.Mean(), scale*d.Mean()+shift, 1e-9)
	c.compare("Std of the affine function", 0, moved.Std(), scale*d.Std(), 1e-9)
}

// checkedNumbers are numbers at which nodes are compared: 0, 1 and 2 may be classes.
var checkedNumbers = []float64{-8, -1.1, 0, 0.4, 1, 2, 12}

// checkNodes compares the distribution as nodes with the distribution in Go.
func (c *familyCheck) checkNodes() {
	b := graph.New(graph.Float64, new(graph.Params))
	rows := len(checkedNumbers)
	parameters := make([]*graph.Node, len(c.parameters))
	for i, p := range c.parameters {
		parameters[i] = b.Constant(rows, 1, slices.Repeat([]float64{p}, rows))
	}
	y := b.Constant(rows, 1, checkedNumbers)
	nodes, d := c.family.Nodes(b, parameters), c.d
	pairs := []nodeAndValue{
		{"Mean", nodes.Mean(), func(float64) float64 { return d.Mean() }},
		{"Std", nodes.Std(), func(float64) float64 { return d.Std() }},
		{"LogDensity", nodes.LogDensity(y), d.LogDensity},
		{"CDF", nodes.CDF(y), d.CDF},
		{"CRPS", nodes.CRPS(y), d.CRPS},
	}
	levels := []float64{0.001, 0.025, 0.4, 0.5, 0.95, 0.999}
	for i, node := range nodes.Quantiles(levels) {
		pairs = append(pairs, nodeAndValue{fmt.Sprintf("Quantile(%v)", levels[i]), node, func(float64) float64 { return d.Quantile(levels[i]) }})
	}
	pairs = slices.DeleteFunc(pairs, func(p nodeAndValue) bool { return p.node == nil })
	outputs := make([]*graph.Node, len(pairs))
	for i, p := range pairs {
		outputs[i] = p.node
	}
	run, err := graph.NewRunner(graph.Compiled, b, outputs...)
	if err == nil {
		defer run.Close()
		err = run.Run()
	}
	if err != nil {
		c.Errorf("%s: %v", c.family.Name, err)
		return
	}
	for i, p := range pairs {
		for row, y := range checkedNumbers {
			c.compare(p.name+" as a node", y, run.Output64(i)[row], p.value(y), 1e-8)
		}
	}
}

// nodeAndValue is a part of a distribution in both forms.
type nodeAndValue struct {
	name  string
	node  *graph.Node
	value func(y float64) float64
}

// checkGradients compares gradients of the negative log-likelihood with respect to the parameters
// with finite differences.
func (c *familyCheck) checkGradients() {
	at := c.gradientNumbers()
	missing := false
	loss := func(b *graph.Builder) *graph.Node {
		var parameters []*graph.Node
		for i, name := range c.family.Parameters {
			parameters = append(parameters, b.Param(name, len(at), 1, graph.Fill(c.parameters[i])))
		}
		nll := c.family.NLL(b, parameters, b.Constant(len(at), 1, at))
		if missing = nll == nil; missing {
			return b.Mean(b.Square(parameters[0]))
		}
		return b.Mean(nll)
	}
	gradients, err := gradcheck.Check(loss, gradcheck.Settings{Seed: 5})
	if err != nil {
		c.Errorf("%s%v: %v", c.family.Name, c.parameters, err)
		return
	}
	for _, g := range gradients {
		if !missing && !(g.Error <= 1e-6) {
			c.Errorf("%s%v: the gradient of the negative log-likelihood by %s is %v; differences give %v", c.family.Name, c.parameters, g.Name, g.Backward, g.Numeric)
		}
	}
}

// gradientNumbers returns numbers from the middle and the tails, or all classes.
func (c *familyCheck) gradientNumbers() []float64 {
	var at []float64
	for class := range c.family.Classes {
		at = append(at, float64(class))
	}
	if c.family.Classes > 0 || math.IsNaN(c.d.CDF(0)) {
		return append(at, 0)
	}
	for _, level := range []float64{0.003, 0.13, 0.46, 0.81, 0.97} {
		at = append(at, c.d.Quantile(level))
	}
	return at
}
