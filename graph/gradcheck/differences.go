package gradcheck

import (
	"fmt"
	"math"
	"slices"

	"sml/graph"
)

// steps are the steps of differences, the first to be tried first. The longest has the smallest
// rounding error, and the shortest crosses the fewest kinks.
var steps = []float64{1e-4, 1e-5, 1e-6, 1e-7}

// differencer computes finite differences of the scalars that a function minimises: the loss, and
// the sum of each group's terms.
type differencer struct {
	runner    *graph.Runner // runner of the scalars, with held stops
	values    []float64     // values of the scalars where no parameter is moved
	scalarOf  []int         // for each parameter the index of the scalar that moves it
	scalar    int           // index of the scalar to differentiate, which selectScalarOf sets
	firstStep int           // index of the step that agreed last: further differences often cross the same kinks
}

// newDifferencer returns a differencer of f at the present values of params. stopped has the operands
// of each StopGradient, which stay the same. Differences are computed by the compiled engine, which
// is the fastest, for all engines.
func newDifferencer(f Function, params *graph.Params, stopped [][]float64, s Settings) (*differencer, error) {
	b := graph.New(graph.Float64, params)
	graph.Inspect(b).HoldStops = true
	scalars, scalarOf := graph.Inspect(b).Losses(f(b))
	r, err := graph.NewRunner(graph.Compiled, b, scalars...)
	if err != nil {
		return nil, err
	}
	fill(r, s)
	for i, values := range stopped {
		copy(r.Input64(fmt.Sprintf("stopped %d", i)), values)
	}
	if err := r.Run(); err != nil {
		r.Close()
		return nil, err
	}
	d := &differencer{runner: r, scalarOf: scalarOf}
	for i := range scalars {
		d.values = append(d.values, r.Output64(i)[0])
	}
	return d, nil
}

// selectScalarOf selects, for further differences, the scalar that moves the parameter with the given
// index.
func (d *differencer) selectScalarOf(parameter int) { d.scalar = d.scalarOf[parameter] }

// closestDifferences returns, for each wanted derivative of the selected scalar along a direction from x, the
// nearest difference. It tries shorter steps until all errors are at most tolerance. x are the
// values of a parameter in the graph, which it moves and restores.
func (d *differencer) closestDifferences(x, direction, want []float64, tolerance float64) ([]float64, error) {
	found := make([]float64, len(want))
	for k := range found {
		found[k] = math.NaN() // none yet
	}
	for i := range steps {
		step := (d.firstStep + i) % len(steps) // index of the step
		candidates, err := d.differences(x, direction, steps[step])
		if err != nil {
			return nil, err
		}
		agreed := true
		for k, w := range want {
			found[k] = nearest(w, found[k], candidates)
			agreed = agreed && math.Abs(found[k]-w) <= tolerance
		}
		if agreed {
			d.firstStep = step
			break
		}
	}
	return found, nil
}

// nearest returns the number nearest to want: best, which may be NaN, or one of candidates.
func nearest(want, best float64, candidates []float64) float64 {
	for _, c := range candidates {
		bestIsNearer := math.Abs(best-want) <= math.Abs(c-want) // false for NaN
		if !bestIsNearer {
			best = c
		}
	}
	return best
}

// differences returns three estimates of the derivative along a direction from x: by a central
// difference of fourth order, and by a forward and a backward difference of second order, with
// values at one and two steps on each side. A kink on one side of x leaves the difference on the
// other side right. Source: Fornberg 1988, "Generation of finite difference formulas", tables 1 and 3.
func (d *differencer) differences(x, direction []float64, step float64) ([]float64, error) {
	start := slices.Clone(x)
	defer copy(x, start)             // x is the memory of the parameter itself
	valueAt := make(map[int]float64) // value of the scalar, by the number of steps from x
	valueAt[0] = d.values[d.scalar]
	for _, n := range []int{-2, -1, 1, 2} {
		for j, v := range direction {
			x[j] = start[j] + float64(float64(n)*step*v)
		}
		if err := d.runner.Run(); err != nil {
			return nil, err
		}
		valueAt[n] = d.runner.Output64(d.scalar)[0]
	}
	// (8·(f(1) − f(−1)) − (f(2) − f(−2)))/12 per step.
	central := (float64(8*(valueAt[1]-valueAt[-1])) - (valueAt[2] - valueAt[-2])) / (12 * step)
	forward := oneSided(valueAt, 1, step)
	backward := oneSided(valueAt, -1, step)
	return []float64{central, forward, backward}, nil
}

// oneSided returns the difference of second order on one side, forward for side 1 and backward for −1:
// ±(4·f(±1) − 3·f(0) − f(±2))/2 per step. valueAt has f by the number of steps.
func oneSided(valueAt map[int]float64, side int, step float64) float64 {
	return float64(side) * (float64(4*valueAt[side]) - float64(3*valueAt[0]) - valueAt[2*side]) / (2 * step)
}
