package leaks

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/internal/linear"
	"sml/internal/portable"
)

const (
	// minCombinationR2 is the minimum held-out R² of a sum or product that gives the target away, if its
	// weights are multiples of ½. Other weights need minExactR2: many honest columns together may come
	// near 1, with any weights.
	minCombinationR2 = 0.9995
	minExactR2       = 0.9999
	minSmoothExactR2 = 0.99999 // if the target is smooth over the rows

	maxCombined = 12 // maximum number of columns in a combination

	// combinationPenalty is the penalty of the regressions: it only keeps equal columns from making the
	// equations singular.
	combinationPenalty = 1e-11
)

// findCombination looks for several columns whose weighted sum, or product of powers, equals the target. It
// returns nil if there are none. It looks only at columns of numbers that give nothing away by themselves, in the
// rows where none of them is missing.
func findCombination(columns []Column, isLeak []bool, y *outcome, s *sample) *Leak {
	if y.isClass {
		return nil
	}
	candidates, isComplete := completeColumns(columns, isLeak)
	var rows []int
	for row, complete := range isComplete {
		if complete {
			rows = append(rows, row)
		}
	}
	if len(rows) < MinRows || len(candidates) < 2 {
		return nil
	}
	complete := make([]Column, len(columns))
	for _, i := range candidates {
		complete[i] = columns[i]
		complete[i].Values = pick(columns[i].Values, rows)
	}
	target := &outcome{name: y.name, values: pick(y.values, rows), isSmooth: y.isSmooth}
	part := &sample{rows: pick(s.rows, rows)}
	leak := combine(complete, candidates, target, part, sumForm)
	if leak != nil || !arePositive(target.values) {
		return leak
	}
	candidates = slices.DeleteFunc(candidates, func(i int) bool { return !arePositive(complete[i].Values) })
	return combine(complete, candidates, target, part, productForm)
}

// completeColumns returns the indices of columns of numbers that are no leaks, and marks the rows in which none of
// them is missing. It leaves out columns that would leave fewer than half of the rows.
func completeColumns(columns []Column, isLeak []bool) (candidates []int, isComplete []bool) {
	if len(columns) == 0 {
		return nil, nil
	}
	isComplete = slices.Repeat([]bool{true}, len(columns[0].Values))
	complete := len(isComplete)
	for i, c := range columns {
		lost := 0 // rows that are complete without the column
		for row, v := range c.Values {
			if isComplete[row] && math.IsNaN(v) {
				lost++
			}
		}
		keepsHalf := 2*(complete-lost) >= len(isComplete)
		if c.Field.Kind != data.Number || isLeak[i] || !keepsHalf || len(candidates) == maxFeatures {
			continue
		}
		candidates = append(candidates, i)
		complete -= lost
		for row, v := range c.Values {
			isComplete[row] = isComplete[row] && !math.IsNaN(v)
		}
	}
	return candidates, isComplete
}

// arePositive reports whether all values are above 0.
func arePositive(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v <= 0 })
}

// form is a form of combinations of columns.
type form struct {
	apply  func(float64) float64                        // function of all columns that makes the combination a weighted sum
	format func(terms []term, intercept float64) string // text of the combination
}

var (
	sumForm     = form{func(v float64) float64 { return v }, formatSum}
	productForm = form{portable.Log, formatProduct}
)

// combine looks for a combination of the candidates in a form. It returns nil if there is none.
func combine(columns []Column, candidates []int, target *outcome, s *sample, f form) *Leak {
	if len(candidates) < 2 {
		return nil
	}
	targets := applyAll(f.apply, target.values)
	y := &outcome{outputs: [][]float64{standardise(targets)}}
	var inputs [][]float64
	for _, i := range candidates {
		inputs = append(inputs, standardise(applyAll(f.apply, columns[i].Values)))
	}
	normal := newNormalEquations(inputs, y.outputs, s)
	r2 := score(y, s, normal.learner(combinationPenalty, normal.allFeatures()))
	if r2 < minCombinationR2 {
		return nil
	}
	chosen := normal.eliminate(1 - r2)
	r2 = score(y, s, normal.learner(combinationPenalty, chosen))
	count := len(chosen) - 1 // without the constant
	if count < 2 || count > maxCombined {
		return nil
	}
	leak := &Leak{}
	for _, j := range chosen[:count] {
		leak.Columns = append(leak.Columns, candidates[j])
	}
	leak.Drop = derivedColumns(columns, leak.Columns, target.name)
	terms, intercept := normal.terms(chosen, targets, f, func(j int) Column { return columns[candidates[j]] })
	if r2 < minR2(terms, target.isSmooth) {
		return nil
	}
	leak.Says = fmt.Sprintf("the target %s is %s: R² = %.6g", target.name, f.format(terms, intercept), r2)
	return leak
}

// minR2 returns the minimum held-out R² of a combination that gives the target away.
func minR2(terms []term, isSmooth bool) float64 {
	const tolerance = 0.01
	isSimple := !slices.ContainsFunc(terms, func(t term) bool {
		return math.Abs(t.weight) < 0.5-tolerance || math.Abs(2*t.weight-math.Round(2*t.weight)) > tolerance
	})
	switch {
	case isSmooth:
		return minSmoothExactR2
	case isSimple:
		return minCombinationR2
	}
	return minExactR2
}

// terms returns the terms of the ridge regression of the targets on the chosen features, fitted to the rows of all
// folds, and its intercept. The last of the chosen features is the constant. The regression is of standardised columns,
// transformed by the form; the terms are in the units of the transformed columns. column returns the column of a feature.
func (n *normalEquations) terms(chosen []int, targets []float64, f form, column func(int) Column) (terms []term, intercept float64) {
	weights := n.factorise(folds, combinationPenalty, chosen).Solve(n.rightSide(folds, 0, chosen))
	targetMean, targetStd := meanStd(targets)
	intercept = targetMean
	withoutConstant := chosen[:len(chosen)-1]
	for k, j := range withoutConstant {
		c := column(j)
		mean, std := meanStd(applyAll(f.apply, c.Values))
		weight := weights[k] * targetStd / std
		intercept -= float64(weight * mean) // rounded before the subtraction, on every CPU
		terms = append(terms, term{c.Name, weight})
	}
	const notable = 0.01 // standard deviations of the target; a smaller intercept is rounding
	if math.Abs(intercept) < notable*targetStd {
		intercept = 0
	}
	return terms, intercept
}

// eliminate leaves out features one by one, the feature with the smallest weight first, as long as the
// unexplained fraction of the target's variance hardly grows. It returns the remaining features, the constant
// last.
func (n *normalEquations) eliminate(unexplained float64) []int {
	const (
		maxGrowth = 4    // factor of the unexplained fraction
		rounding  = 1e-6 // unexplained fraction of an exact combination of rounded numbers
	)
	limit := max(maxGrowth*unexplained, rounding)
	chosen := n.allFeatures()
	constant := len(chosen) - 1
	isNeeded := make([]bool, len(chosen))
	isNeeded[constant] = true
	for {
		weights := n.factorise(folds, combinationPenalty, chosen).Solve(n.rightSide(folds, 0, chosen))
		weakest := -1
		for k, j := range chosen {
			isWeaker := weakest < 0 || math.Abs(weights[k]) < math.Abs(weights[weakest])
			if !isNeeded[j] && isWeaker {
				weakest = k
			}
		}
		if weakest < 0 {
			return chosen
		}
		rest := slices.Delete(slices.Clone(chosen), weakest, weakest+1)
		if n.unexplained(rest) > limit {
			isNeeded[chosen[weakest]] = true
			continue
		}
		chosen = rest
	}
}

// unexplained returns the fraction of the first output's variance that a regression on the chosen features
// does not explain. The output is standardised.
func (n *normalEquations) unexplained(chosen []int) float64 {
	right := n.rightSide(folds, 0, chosen)
	weights := n.factorise(folds, combinationPenalty, chosen).Solve(right)
	rows := float64(n.sample.size())
	penalty := float64(combinationPenalty * rows * linear.Dot(weights, weights))
	return 1 - (linear.Dot(weights, right)+penalty)/rows // the sum of squared errors, by the equations of the weights
}

// applyAll returns f of each value.
func applyAll(f func(float64) float64, values []float64) []float64 {
	applied := make([]float64, len(values))
	for i, v := range values {
		applied[i] = f(v)
	}
	return applied
}
