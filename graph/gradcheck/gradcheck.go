// Package gradcheck compares the gradients of a graph with finite differences, or with the
// gradients that another program computed, in float64. Start with Check, which needs only a
// function that builds a scalar. It reports errors and does not judge which of them are too large.
package gradcheck

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"sml/graph"
	"sml/internal/portable"
)

// Function builds a scalar from parameters and inputs, such as the loss of a network.
type Function func(b *graph.Builder) *graph.Node

// Settings say at which point and on which engine gradients are checked. The zero value checks all
// elements on all engines.
type Settings struct {
	Seed uint64 // seed of the initial parameters, the inputs ~ N(0, 1), masks, noise and directions

	// Engine computes the gradients. If it is "", Check uses every engine, and CheckReference and
	// DrawMasks use the default engine.
	Engine graph.Engine

	// MaxElements is the number of elements to compare one by one in each parameter, or 0 for all.
	// In a larger parameter, Check picks elements by Seed, and also compares the derivative along
	// one direction that moves all elements.
	MaxElements int

	// Value returns element i of an input, given a number drawn from N(0, 1). If Value is
	// nil, the input is that number.
	Value func(input string, i int, drawn float64) float64
}

// Gradient is the comparison of the gradients with respect to one parameter.
type Gradient struct {
	Name   string       // name of the parameter
	Engine graph.Engine // engine with the largest error
	Error  float64      // largest |Backward − Numeric| / Scale
	Scale  float64      // size of the parameter's gradient: its largest element, or its norm for a direction

	Index    int     // index of the element with the largest error, or AlongDirection
	Backward float64 // derivative there that the graph computes
	Numeric  float64 // derivative there by finite differences, or of the reference
	Zero     bool    // whether the gradient is zero in all elements
}

// AlongDirection is the Index of a Gradient whose largest error is in the derivative along a
// direction that moves all elements of the parameter.
const AlongDirection = -1

// Check differentiates f backwards and by finite differences. It returns the comparison for each
// parameter, in their order. It returns an error if the value or a gradient is not finite, with the
// operation where this began; if the values of two engines differ; or if f does not change with any
// parameter.
//
// Values behind a StopGradient are held at the point of comparison, so that a correct objective
// with stops agrees. Where terms move one group of parameters alone (graph.Term.Group), the gradient
// of a parameter is compared with differences of the terms that move it.
//
// A difference across a kink, such as the kink of a ReLU, is not a derivative. Check therefore tries
// shorter and shorter steps, and at each step differences to both sides and to either side alone. A
// right gradient agrees with some difference, a wrong gradient with none. Parameters that start
// from 0 are moved slightly, since many functions have a kink there.
func Check(f Function, s Settings) ([]Gradient, error) {
	engines := graph.Engines()
	if s.Engine != "" {
		engines = []graph.Engine{s.Engine}
	}
	params := new(graph.Params)
	var results []backwardResult
	for _, engine := range engines {
		result, err := runBackward(f, params, engine, s)
		if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	d, err := newDifferencer(f, params, results[0].stopped, s)
	if err != nil {
		return nil, err
	}
	defer d.runner.Close()
	if err := checkValues(results, d.values[0]); err != nil {
		return nil, err
	}
	return compareAll(params, results, d, s)
}

// checkValues returns an error, with the values on all engines, unless they agree. value is the value on
// the compiled engine in a graph without gradients, where other operations are fused.
func checkValues(results []backwardResult, value float64) error {
	agree := true
	text := "the value is "
	for _, r := range results {
		agree = agree && math.Abs(r.value-value) <= valueTolerance*max(1, math.Abs(r.value))
		text += fmt.Sprintf("%v on the %s engine, ", r.value, r.engine)
	}
	if agree {
		return nil
	}
	return fmt.Errorf("%sand %v on the %s engine without gradients", text, value, graph.Compiled)
}

// valueTolerance is the largest difference between the values of two engines, relative to the
// value: the sigmoid of the tape machine is exactly 1 above 19, where 6e-9 are missing.
const valueTolerance = 1e-7

// backwardResult is the value of a function, and its gradients as one engine computes them.
type backwardResult struct {
	engine    graph.Engine
	value     float64
	gradients [][]float64 // gradient with respect to each parameter
	stopped   [][]float64 // operand of each StopGradient
}

// runBackward computes f and its gradients on an engine. It sets the parameters to values that
// follow from s.Seed. It returns an error if a number is not finite.
func runBackward(f Function, params *graph.Params, engine graph.Engine, s Settings) (backwardResult, error) {
	b := graph.New(graph.Float64, params)
	loss := f(b)
	grads := b.Gradients(loss)
	stopped := graph.Inspect(b).StoppedNodes
	outputs := slices.Concat(graph.Nodes{loss}, grads, stopped)
	r, err := graph.NewRunner(engine, b, outputs...)
	if err != nil {
		return backwardResult{}, err
	}
	defer r.Close()
	params.Initialise(s.Seed)
	MoveZeros(params, s.Seed)
	fill(r, s)
	if err := r.Run(); err != nil {
		return backwardResult{}, err
	}
	firstStopped := 1 + len(grads) // index of the first stopped operand in outputs
	output, number := firstNotFinite(r, firstStopped)
	if output >= 0 {
		return backwardResult{}, notFiniteError(f, params, s, engine, output, number)
	}
	result := backwardResult{engine: engine, value: r.Output64(0)[0]}
	for i := range grads {
		result.gradients = append(result.gradients, slices.Clone(r.Output64(1+i)))
	}
	for i := range stopped {
		result.stopped = append(result.stopped, slices.Clone(r.Output64(firstStopped+i)))
	}
	return result, nil
}

// firstNotFinite returns the first NaN or infinity among the first n outputs of r, and the index of
// its output, or −1 if all numbers are finite.
func firstNotFinite(r *graph.Runner, n int) (output int, number float64) {
	for i := range n {
		for _, v := range r.Output64(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return i, v
			}
		}
	}
	return -1, 0
}

// notFiniteError returns the error for an output of runBackward with a number that is not finite.
// Output 0 is the value of f, and output i+1 the gradient with respect to parameter i. The error
// names the operation where the first such number arises, if it can be found.
func notFiniteError(f Function, params *graph.Params, s Settings, engine graph.Engine, output int, number float64) error {
	what := "the value"
	if output > 0 {
		what = "the gradient of " + params.List()[output-1].Name
	}
	text := fmt.Sprintf("%s is %v on the %s engine", what, number, engine)
	fault := findFault(f, params, s)
	if fault == nil {
		return errors.New(text)
	}
	return fmt.Errorf("%s; first %v", text, fault)
}

// findFault returns the first value of f or its gradients that is not finite, or nil if there is
// none or f cannot be run.
func findFault(f Function, params *graph.Params, s Settings) *graph.Fault {
	b := graph.New(graph.Float64, params)
	graph.Inspect(b).TraceLines()
	loss := f(b)
	outputs := append(graph.Nodes{loss}, b.Gradients(loss)...)
	fault, err := graph.Inspect(b).FindFault(func(r *graph.Runner) { fill(r, s) }, outputs...)
	if err != nil {
		return nil
	}
	return fault
}

// compareAll compares the engines' gradients with respect to each parameter with differences of the
// scalar that moves the parameter. It returns an error if no difference changes any scalar.
func compareAll(params *graph.Params, results []backwardResult, d *differencer, s Settings) ([]Gradient, error) {
	overallNorm := 0.0
	for _, result := range results {
		for _, gradient := range result.gradients {
			overallNorm = max(overallNorm, norm(gradient))
		}
	}
	var comparisons []Gradient
	anyChange := false
	for i, p := range params.List() {
		d.selectScalarOf(i)
		c := comparison{
			differencer: d,
			values:      graph.ParamValues(params, params.Float64s(), i),
			overallNorm: overallNorm,
			result:      Gradient{Name: p.Name, Engine: results[0].engine, Error: -1},
		}
		for _, result := range results {
			c.gradients = append(c.gradients, result.gradients[i])
			c.engines = append(c.engines, result.engine)
		}
		if err := c.compareElements(s, uint64(i)); err != nil {
			return nil, err
		}
		anyChange = anyChange || c.changed
		comparisons = append(comparisons, c.result)
	}
	if !anyChange {
		return nil, errors.New("the function does not change with any parameter")
	}
	return comparisons, nil
}

// comparison compares the gradients with respect to one parameter with finite differences.
type comparison struct {
	*differencer
	values      []float64      // values of the parameter, which differences move and restore
	engines     []graph.Engine // engines that computed the gradients
	gradients   [][]float64    // gradient of each engine
	overallNorm float64        // largest norm of any parameter's gradient

	result  Gradient // comparison so far; Error is −1 before the first one
	changed bool     // whether the function changed in any difference
}

// compareElements compares elements of the gradient, and if these are not all elements also the
// derivative along a direction. index is the parameter's index.
func (c *comparison) compareElements(s Settings, index uint64) error {
	largest := 0.0
	for _, gradient := range c.gradients {
		largest = max(largest, largestSize(gradient))
	}
	c.result.Zero = largest == 0
	n := len(c.values)
	elements := pickElements(n, s.MaxElements, s.Seed+index)
	for _, j := range elements {
		direction := make([]float64, n)
		direction[j] = max(1, math.Abs(c.values[j])) // steps are relative to large values
		if err := c.compareAlong(j, direction, direction[j], largest); err != nil {
			return err
		}
	}
	if len(elements) < n && c.result.Error <= closeEnough { // a further error would not tell more
		direction := directionFor(c.gradients[0], rand.New(rand.NewPCG(s.Seed, index)))
		return c.compareAlong(AlongDirection, direction, 1, norm(c.gradients[0]))
	}
	return nil
}

// compareAlong compares the derivative along a direction, and keeps it as the result if its error is the
// largest so far. index is the element that the direction moves, by length, or AlongDirection. size
// is the size of the parameter's gradient.
func (c *comparison) compareAlong(index int, direction []float64, length, size float64) error {
	want := make([]float64, len(c.gradients))
	for k, gradient := range c.gradients {
		want[k] = dot(gradient, direction)
	}
	if size < negligible*c.overallNorm { // a gradient of rounding errors is compared with the others' size
		size = c.overallNorm
	}
	found, err := c.closestDifferences(c.values, direction, want, closeEnough*size*length)
	if err != nil {
		return err
	}
	for k, numeric := range found {
		c.changed = c.changed || numeric != 0
		scale := size * length // what an error is relative to
		// A difference where the gradient is 0 is an error of its own size.
		isUnexpected := c.result.Zero && math.Abs(numeric) > negligible*c.overallNorm*length
		if scale == 0 || isUnexpected {
			scale = math.Abs(numeric)
		}
		relativeError := 0.0
		if numeric != want[k] {
			relativeError = math.Abs(want[k]-numeric) / scale
		}
		if relativeError > c.result.Error || math.IsNaN(relativeError) {
			c.result.Engine = c.engines[k]
			c.result.Error = relativeError
			c.result.Scale = scale / length
			c.result.Index = index
			c.result.Backward = want[k] / length
			c.result.Numeric = numeric / length
		}
	}
	return nil
}

// directionFor returns a direction that moves all elements: the sum of two vectors of length 1. The
// first has random signs, so that it reaches elements whose gradient is wrongly 0. The second is the
// gradient's direction, so that the derivative is too large to be lost in rounding errors.
func directionFor(gradient []float64, rnd *rand.Rand) []float64 {
	direction := make([]float64, len(gradient))
	signSize := 1 / math.Sqrt(float64(len(gradient))) // makes the vector of signs 1 long
	gradientLength := norm(gradient)
	for j, g := range gradient {
		direction[j] = signSize
		if rnd.Uint64()%2 == 0 {
			direction[j] = -signSize
		}
		if gradientLength > 0 {
			direction[j] += g / gradientLength
		}
	}
	return direction
}

// pickElements returns the indices of elements to compare, ascending: all n, or maxElements random
// ones if maxElements is above 0 and below n.
func pickElements(n, maxElements int, seed uint64) []int {
	count := maxElements
	if maxElements == 0 || n <= maxElements {
		count = n
	}
	elements := portable.Perm(rand.New(rand.NewPCG(seed, uint64(n))), n)[:count]
	slices.Sort(elements)
	return elements
}

// closeEnough is the error, relative to the gradient, at which no shorter step is tried.
const closeEnough = 1e-7

// negligible is the fraction of the largest gradient below which the differences of a parameter are
// rounding errors.
const negligible = 1e-9

// largestSize returns the largest absolute value, 0 if there are no values.
func largestSize(values []float64) float64 {
	largest := 0.0
	for _, v := range values {
		largest = math.Max(largest, math.Abs(v))
	}
	return largest
}

// norm returns the Euclidean norm.
func norm(values []float64) float64 { return math.Sqrt(dot(values, values)) }

// dot returns the inner product. The conversion of each product keeps the compiler from fusing it
// with the sum, so that all CPUs give the same bits.
func dot(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}
