package leaks

import (
	"cmp"
	"math"
	"slices"

	"sml/internal/linear"
	"sml/internal/statistics"
)

// point is the target at one value of a column.
type point struct {
	x, y    float64 // value, and the mean target of its rows
	rows    float64 // number of rows
	squares float64 // sum of the squared deviations from y
}

// fitFunction returns an R² near 1 if the target is a function of the values, of any form that changes little
// between neighbours: every value is predicted from the next smaller and the next larger one, on the
// line between them. It is the larger R² of the target and of its ranks if both are high, so that neither a few large
// targets nor a steep place decides. It is 0 if there are too few different values.
//
// Values are held out with all their rows. A column that only names things, such as patients with
// several rows each, is therefore no function. The result is also 0 if the target is smooth over the rows,
// or has few different values.
func fitFunction(values []float64, y *outcome) float64 {
	const minOtherR2 = 0.99 // minimum of the smaller R²
	const minTargets = 10   // different targets
	if y.isSmooth || y.distinct < minTargets {
		return 0
	}
	r2 := interpolate(values, y.outputs[0])
	if r2 < minOtherR2 {
		return 0
	}
	rankR2 := interpolate(values, statistics.Ranks(y.values))
	if rankR2 < minOtherR2 {
		return 0
	}
	return max(r2, rankR2)
}

// fitLine returns the R² of a straight line through the target, and 0 if too few rows have a value.
func fitLine(values []float64, y *outcome) float64 {
	const minPresent = 0.8 // minimum fraction of rows with a value
	var x, target []float64
	for row, v := range values {
		if !math.IsNaN(v) {
			x = append(x, v)
			target = append(target, y.values[row])
		}
	}
	if float64(len(x)) < minPresent*float64(len(values)) {
		return 0
	}
	r := linear.Dot(standardise(x), standardise(target)) / float64(len(x))
	return float64(r * r)
}

// interpolate returns the R² of predictions of the target from neighbouring values.
func interpolate(values, target []float64) float64 {
	const minDistinct = 20     // different values
	const minPresent = 0.8     // minimum fraction of rows with a value
	const maxRowsPerValue = 20 // mean number
	points, present := pointsOf(values, target)
	isComplete := float64(present) >= minPresent*float64(len(values))
	if len(points) < minDistinct || len(points)*maxRowsPerValue < present || !isComplete {
		return 0
	}
	var errorSum, sum, squares float64
	for i, p := range points {
		if i > 0 && i < len(points)-1 {
			residual := p.y - between(points[i-1], points[i+1], p.x)
			errorSum += p.squares + float64(p.rows*float64(residual*residual))
			sum += float64(p.rows * p.y)
		}
	}
	mean := sum / float64(present)
	for _, p := range points[1 : len(points)-1] {
		deviation := p.y - mean
		squares += p.squares + float64(p.rows*float64(deviation*deviation))
	}
	const roundingVariance = 1e-12 // maximum variance due to rounding, where the target is constant
	if squares <= roundingVariance*float64(present) {
		return 0
	}
	return 1 - errorSum/squares
}

// between returns the target at x on the line between two points.
func between(a, b point, x float64) float64 {
	weight := (float64(x/2) - float64(a.x/2)) / (float64(b.x/2) - float64(a.x/2)) // halves do not overflow
	return float64((1-weight)*a.y) + float64(weight*b.y)
}

// pointsOf returns a point for each different value, by ascending value, and the number of rows with one.
func pointsOf(values, target []float64) (points []point, present int) {
	var order []int
	for row, v := range values {
		if !math.IsNaN(v) {
			order = append(order, row)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	for first := 0; first < len(order); {
		p := point{x: values[order[first]]}
		end := first
		for end < len(order) && values[order[end]] == p.x {
			p.y += target[order[end]]
			end++
		}
		p.rows = float64(end - first)
		p.y /= p.rows
		for _, row := range order[first:end] {
			deviation := target[row] - p.y
			p.squares += float64(deviation * deviation)
		}
		points = append(points, p)
		first = end
	}
	return points, len(order)
}
