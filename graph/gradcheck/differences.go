package gradcheck

import (
	"math"
	"slices"

	"sml/graph"
)

// steps lists the steps of differences, the first to be tried first. The longest has the
// smallest rounding error, and the shortest crosses the fewest kinks.
var steps = []float64{1e-4, 1e-5, 1e-6, 1e-7}

// differ takes differences of a function.
type differ struct {
	runner *graph.Runner // of the function's scalars, with stopped values held
	values []float64     // of the scalars where no parameter is moved
	output int           // index of the scalar to take differences of
	first  int           // step that agreed last: where one crosses kinks, the next does too
}

// closest returns the difference nearest to each wanted derivative along a direction from
// x. It tries shorter steps until all errors are at most enough.
func (d *differ) closest(x, direction, want []float64, enough float64) ([]float64, error) {
	found := make([]float64, len(want))
	for k := range found {
		found[k] = math.NaN()
	}
	for i := range steps {
		i = (d.first + i) % len(steps)
		candidates, err := d.differences(x, direction, steps[i])
		if err != nil {
			return nil, err
		}
		agreed := true
		for k, w := range want {
			for _, c := range candidates {
				if !(math.Abs(found[k]-w) <= math.Abs(c-w)) {
					found[k] = c
				}
			}
			agreed = agreed && math.Abs(found[k]-w) <= enough
		}
		if agreed {
			d.first = i
			break
		}
	}
	return found, nil
}

// differences returns three estimates of the derivative along a direction: from both
// sides, of fourth order, and from either side alone, of second order. At a kink the latter two
// differ, and a kink on one side leaves the other one right.
func (d *differ) differences(x, direction []float64, step float64) ([]float64, error) {
	from := slices.Clone(x)
	defer copy(x, from)
	at := make(map[int]float64) // value of the function, by the number of steps
	for _, n := range []int{-2, -1, 1, 2} {
		for j, v := range direction {
			x[j] = from[j] + float64(float64(n)*step*v)
		}
		if err := d.runner.Run(); err != nil {
			return nil, err
		}
		at[n] = d.runner.Output64(d.output)[0]
	}
	oneSided := func(side int) float64 {
		return float64(side) * (float64(4*at[side]) - float64(3*d.values[d.output]) - at[2*side]) / (2 * step)
	}
	both := (float64(8*(at[1]-at[-1])) - (at[2] - at[-2])) / (12 * step)
	return []float64{both, oneSided(1), oneSided(-1)}, nil
}
