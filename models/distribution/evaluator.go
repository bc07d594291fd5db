package distribution

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"sml/graph"
	"sml/internal/portable"
)

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

// Positions of the outputs of an evaluator's graph. The log density stands in for a missing formula.
const (
	cdfOutput = iota
	logDensityOutput
	meanOutput
	stdOutput
	quantileOutput
	crpsOutput
)

// newRunner builds a graph for a number of arguments. It panics if the formulas have a mistake.
func (e *evaluator) newRunner(rows int) *graph.Runner {
	b := graph.New(graph.Float64, nil)
	var parameters []*graph.Node
	for _, name := range e.formulas.Parameters {
		parameters = append(parameters, b.Input(parameterInput(name), rows, 1))
	}
	argument := b.Input(argumentInput, rows, 1)
	d := formulaNodes{b, e.formulas, parameters}
	logDensity := d.LogDensity(argument)
	mean, std, quantile := logDensity, logDensity, logDensity
	cdf := cmp.Or(d.CDF(argument), logDensity)
	if e.formulas.Mean != nil {
		mean = d.Mean()
	}
	if e.formulas.Std != nil {
		std = d.Std()
	}
	if e.formulas.Quantile != nil {
		quantile = e.formulas.Quantile(b, parameters, argument)
	}
	crps := cmp.Or(d.CRPS(argument), logDensity)
	runner, err := graph.NewRunner(graph.Compiled, b, cdf, logDensity, mean, std, quantile, crps)
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
	d := evaluated{
		evaluator:  e,
		parameters: parameters,
		integral: sync.OnceValue(func() *densityIntegral {
			return newDensityIntegral(func(y []float64) []float64 { return e.evaluate(logDensityOutput, parameters, y) })
		}),
		scale: 1,
	}
	moment := func(output int, hasFormula bool, integrated func() float64) float64 {
		if hasFormula {
			return e.evaluate(output, parameters, []float64{anyArgument})[0]
		}
		return integrated()
	}
	d.mean = moment(meanOutput, e.formulas.Mean != nil, func() float64 { return d.integral().mean })
	d.std = moment(stdOutput, e.formulas.Std != nil, func() float64 { return d.integral().std })
	return d
}

// evaluated is the distribution of scale·X + shift, where X is distributed by Formulas.
type evaluated struct {
	*evaluator
	parameters   []float64
	integral     func() *densityIntegral // of X; computed if a formula is missing
	mean, std    float64                 // of X
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
		cdf := func(x float64) float64 { return d.integral().cdf(x) }
		if d.formulas.NumericCDF != nil {
			cdf = func(x float64) float64 { return d.formulas.NumericCDF(d.parameters, x) }
		}
		for i, x := range arguments {
			arguments[i] = cdf(x)
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
	if !d.formulas.hasMoments() {
		inner := d.integral().bracket(level)
		bounds = bracket{d.outer(inner.low), d.outer(inner.high)}
	}
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
