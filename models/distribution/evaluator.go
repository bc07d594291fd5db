package distribution

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"sml/graph"
	"sml/internal/portable"
)

// formulaNodes holds distributions of a family with Formulas.
type formulaNodes struct {
	b          *graph.Builder
	formulas   Formulas
	parameters []*graph.Node
}

func (d formulaNodes) Mean() *graph.Node { return d.formulas.Mean(d.b, d.parameters) }
func (d formulaNodes) Std() *graph.Node  { return d.formulas.Std(d.b, d.parameters) }

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

// Quantiles returns the formula at each level, or solves for all levels at once by bisection. By Cantelli's inequality, the
// quantile at level p is at most std·√(p/(1 − p)) above the mean, and at most std·√((1 − p)/p) below it. It returns nil
// without a formula of the CDF, too.
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

// cantelliBounds returns the bounds of the quantile at a level, in standard deviations from the mean. Source: Cantelli's
// inequality, P(Y − mean ≥ k·std) ≤ 1/(1 + k²).
func cantelliBounds(level float64) (low, high float64) {
	odds := level / (1 - level)
	return -math.Sqrt(1 / odds), math.Sqrt(odds)
}

// evaluator computes the formulas of a family for numbers, by graphs of float64.
type evaluator struct {
	formulas Formulas

	lock sync.Mutex
	free map[int][]*graph.Runner // by number of rows; each computes for one goroutine at a time
}

// newEvaluator returns the evaluator of formulas.
func newEvaluator(f Formulas) *evaluator {
	return &evaluator{formulas: f, free: make(map[int][]*graph.Runner)}
}

// maxRows is the number of arguments that a graph computes at once. A single argument has a graph of one row.
const maxRows = 64

// argumentInput is the name of the argument of formulas, y or a level, among the inputs of an evaluator's graph.
const argumentInput = "argument"

// Positions of the outputs of an evaluator's graph.
const (
	cdfOutput = iota
	logDensityOutput
	meanOutput
	stdOutput
	quantileOutput // mean again if there is no formula, as for cdfOutput and crpsOutput
	crpsOutput
)

// newRunner builds a graph for a number of arguments. It panics if the formulas have a mistake.
func (e *evaluator) newRunner(rows int) *graph.Runner {
	b := graph.New(graph.Float64, new(graph.Params))
	var parameters []*graph.Node
	for _, name := range e.formulas.Parameters {
		parameters = append(parameters, b.Input(parameterInput(name), rows, 1))
	}
	argument := b.Input(argumentInput, rows, 1)
	d := formulaNodes{b, e.formulas, parameters}
	mean := d.Mean()
	cdf, quantile, crps := mean, mean, mean
	if node := d.CDF(argument); node != nil {
		cdf = node
	}
	if e.formulas.Quantile != nil {
		quantile = e.formulas.Quantile(b, parameters, argument)
	}
	if e.formulas.CRPS != nil {
		crps = d.CRPS(argument)
	}
	runner, err := graph.NewRunner(graph.Compiled, b, cdf, d.LogDensity(argument), mean, d.Std(), quantile, crps)
	if err != nil {
		panic(fmt.Sprintf("distribution: family %q: %v", e.formulas.Name, err))
	}
	return runner
}

// parameterInput returns the name of the input for a parameter, which differs from argumentInput.
func parameterInput(name string) string { return "parameter " + name }

// evaluate returns an output of the graph for each argument.
func (e *evaluator) evaluate(output int, parameters, arguments []float64) (values []float64) {
	rows := maxRows
	if len(arguments) == 1 {
		rows = 1
	}
	runner := e.take(rows)
	defer e.giveBack(runner, rows)
	for i, name := range e.formulas.Parameters {
		fill(runner.Input64(parameterInput(name)), parameters[i])
	}
	input := runner.Input64(argumentInput)
	for chunk := range slices.Chunk(arguments, rows) {
		fill(input[copy(input, chunk):], chunk[0]) // any argument
		if err := runner.Run(); err != nil {
			panic(fmt.Sprintf("distribution: family %q: %v", e.formulas.Name, err))
		}
		values = append(values, runner.Output64(output)[:len(chunk)]...)
	}
	return values
}

// fill sets all numbers of a slice to x.
func fill(numbers []float64, x float64) {
	for i := range numbers {
		numbers[i] = x
	}
}

// take returns a graph that no other goroutine uses.
func (e *evaluator) take(rows int) *graph.Runner {
	e.lock.Lock()
	defer e.lock.Unlock()
	last := len(e.free[rows]) - 1
	if last < 0 {
		return e.newRunner(rows)
	}
	runner := e.free[rows][last]
	e.free[rows] = e.free[rows][:last]
	return runner
}

// giveBack lets other goroutines use a graph.
func (e *evaluator) giveBack(runner *graph.Runner, rows int) {
	e.lock.Lock()
	defer e.lock.Unlock()
	e.free[rows] = append(e.free[rows], runner)
}

// anyArgument is an argument for outputs that do not depend on it.
const anyArgument = 1

// distribution returns the distribution with the given parameters.
func (e *evaluator) distribution(parameters []float64) Distribution {
	return evaluated{
		evaluator:  e,
		parameters: parameters,
		mean:       e.evaluate(meanOutput, parameters, []float64{anyArgument})[0],
		std:        e.evaluate(stdOutput, parameters, []float64{anyArgument})[0],
		scale:      1,
	}
}

// evaluated is the distribution of scale·X + shift, where X is distributed by Formulas.
type evaluated struct {
	*evaluator
	parameters   []float64
	mean, std    float64 // of X
	scale, shift float64
}

// at returns an output of the graph for the value of X that belongs to y.
func (d evaluated) at(output int, y float64) float64 {
	return d.evaluate(output, d.parameters, []float64{d.inner(y)})[0]
}

// inner returns the value of X that belongs to y, and outer the value that belongs to x.
func (d evaluated) inner(y float64) float64 { return (y - d.shift) / d.scale }
func (d evaluated) outer(x float64) float64 { return float64(d.scale*x) + d.shift }

func (d evaluated) Mean() float64 { return d.outer(d.mean) }
func (d evaluated) Std() float64  { return d.scale * d.std }

func (d evaluated) CDF(y float64) float64 { return d.cdfs([]float64{y})[0] }

// cdfs returns the CDF at each y.
func (d evaluated) cdfs(y []float64) []float64 {
	arguments := make([]float64, len(y))
	for i, v := range y {
		arguments[i] = d.inner(v)
	}
	if d.formulas.CDF == nil {
		for i, x := range arguments {
			arguments[i] = d.formulas.NumericCDF(d.parameters, x)
		}
		return arguments
	}
	return d.evaluate(cdfOutput, d.parameters, arguments)
}

func (d evaluated) LogDensity(y float64) float64 {
	return d.at(logDensityOutput, y) - portable.Log(d.scale)
}

func (d evaluated) Quantile(level float64) float64 {
	if d.formulas.Quantile != nil {
		return d.outer(d.evaluate(quantileOutput, d.parameters, []float64{level})[0])
	}
	low, high := cantelliBounds(level)
	bounds := bracket{d.Mean() + float64(low*d.Std()), d.Mean() + float64(high*d.Std())}
	return solveQuantile(d, level, bounds, d.Mean()+float64(standardQuantile(level)*d.Std()))
}

func (d evaluated) CRPS(y float64) float64 {
	if d.formulas.CRPS != nil {
		return d.scale * d.at(crpsOutput, y)
	}
	return integrateCRPS(d, y)
}

func (d evaluated) Sample(r *rand.Rand) float64 { return sampleByQuantile(d, r) }

func (d evaluated) Affine(scale, shift float64) Distribution {
	d.shift = float64(scale*d.shift) + shift
	d.scale *= scale
	return d
}
