package summary

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sml/data"
	"sml/internal/portable"
)

// combination is a sum of columns, or a product of their powers, that is equal to the target.
type combination struct {
	terms     []term
	intercept float64 // of a sum
	isProduct bool
	r2        float64 // on held-out rows
}

// term is a column of a combination with its weight: a factor in a sum, an exponent in a product.
type term struct {
	column *Column
	weight float64
}

// findCombination looks for several columns of numbers whose weighted sum, or product of powers, equals the target in
// the rows where none of them is missing. It returns nil if there are none.
func findCombination(inputs []*Column, y *outcome) *combination {
	columns, rows := completeColumns(inputs, len(y.sample))
	if len(rows) < minScoredRows {
		return nil
	}
	found := combine(columns, rows, y, false)
	target := pick(y.sample, rows)
	if found != nil || !arePositive(target) {
		return found
	}
	columns = slices.DeleteFunc(columns, func(c *Column) bool { return !arePositive(pick(c.sample, rows)) })
	return combine(columns, rows, y, true)
}

// completeColumns returns the columns of numbers, and the rows of the sample in which none of them is missing. It
// leaves out columns that would leave fewer than half of the rows.
func completeColumns(inputs []*Column, sampleRows int) (columns []*Column, rows []int) {
	rows = indices(sampleRows)
	for _, c := range inputs {
		if c.Kind != data.Number || len(columns) == maxFeatures {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(rows), func(row int) bool { return math.IsNaN(c.sample[row]) })
		if 2*len(rest) >= sampleRows {
			columns = append(columns, c)
			rows = rest
		}
	}
	return columns, rows
}

// arePositive reports whether all values are above 0.
func arePositive(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v <= 0 })
}

// combinationPenalty is the penalty of the regressions, which only keeps equal columns from making the equations
// singular.
const combinationPenalty = 1e-11

// combine looks for a combination of the columns in the given rows of the sample. It returns nil if there is none.
func combine(columns []*Column, rows []int, y *outcome, isProduct bool) *combination {
	const (
		maxCombined = 12   // columns in a combination
		minWeight   = 0.01 // of standardised columns; a smaller one explains less than a ten-thousandth of the variance
	)
	if len(columns) < 2 {
		return nil
	}
	all := newEquation(columns, rows, y, isProduct)
	if all.heldOutR2(combinationPenalty) < minSumR2 {
		return nil
	}
	var chosen []*Column
	for i, weight := range all.standardisedWeights() {
		if math.Abs(weight) >= minWeight {
			chosen = append(chosen, columns[i])
		}
	}
	if len(chosen) < 2 || len(chosen) > maxCombined {
		return nil
	}
	found := newEquation(chosen, rows, y, isProduct).solve()
	if found.r2 < found.minR2(y.isSmooth) {
		return nil
	}
	return found
}

// equation is a regression of a target on columns, whose logarithms it reads if it is of a product.
type equation struct {
	*regression
	isProduct bool
	columns   []*Column
	inputs    [][]float64 // values of the columns, or their logarithms
	target    []float64   // values of the target, or their logarithms
}

// newEquation returns the equation of the target on columns in the given rows of the sample.
func newEquation(columns []*Column, rows []int, y *outcome, isProduct bool) *equation {
	read := func(c *Column) []float64 {
		values := pick(c.sample, rows)
		for i, v := range values {
			if isProduct {
				values[i] = portable.Log(v)
			}
		}
		return values
	}
	e := &equation{isProduct: isProduct, columns: columns, target: read(y.Column)}
	var features [][]float64
	for _, c := range columns {
		values := read(c)
		e.inputs = append(e.inputs, values)
		features = append(features, standardise(values))
	}
	e.regression = newRegression(features, [][]float64{standardise(e.target)})
	return e
}

// standardisedWeights returns the weight of each standardised column for the standardised target.
func (e *equation) standardisedWeights() []float64 {
	return e.weights(folds, combinationPenalty)[0][:len(e.columns)] // without the constant
}

// solve returns the combination, in the units of the columns.
func (e *equation) solve() *combination {
	const notable = 0.01 // standard deviations of the target; a smaller intercept is rounding
	mean, std := meanStd(e.target)
	found := &combination{
		isProduct: e.isProduct,
		intercept: mean,
		r2:        e.heldOutR2(combinationPenalty),
	}
	for i, standardised := range e.standardisedWeights() {
		inputMean, inputStd := meanStd(e.inputs[i])
		weight := standardised * std / inputStd
		found.intercept -= float64(weight * inputMean) // rounded before the subtraction, on every CPU
		found.terms = append(found.terms, term{e.columns[i], weight})
	}
	if math.Abs(found.intercept) < notable*std {
		found.intercept = 0
	}
	return found
}

// minSumR2 is the minimum held-out R² of a combination that gives the target away.
const minSumR2 = 0.9995

// minR2 returns the minimum held-out R² of the combination. Many honest columns together may come near 1 with any
// weights, but hardly with multiples of ½, and most easily if the target is smooth over the rows.
func (c *combination) minR2(isSmooth bool) float64 {
	const tolerance = 0.01
	isSimple := !slices.ContainsFunc(c.terms, func(t term) bool {
		return math.Abs(t.weight) < 0.5-tolerance || math.Abs(2*t.weight-math.Round(2*t.weight)) > tolerance
	})
	switch {
	case isSmooth:
		return 0.99999
	case isSimple:
		return minSumR2
	}
	return 0.9999
}

// derivedColumns returns the names of the columns that seem to be computed from the target, since they have a word of
// its name, such as price_per_m2 for a price. If none has, it returns all columns of the combination.
func (c *combination) derivedColumns(target string) (derived []string) {
	const minLetters = 3
	shared := slices.DeleteFunc(wordsOf(target), func(word string) bool { return len(word) < minLetters })
	for _, t := range c.terms {
		if hasWord(t.column.Name, shared...) {
			derived = append(derived, t.column.Name)
		}
	}
	if derived == nil {
		return c.names()
	}
	return derived
}

// names returns the names of the columns.
func (c *combination) names() (names []string) {
	for _, t := range c.terms {
		names = append(names, t.column.Name)
	}
	return names
}

// String returns a sum such as "a − 0.5 b + 24", or a product such as "proportional to a × b^2 × c^-1".
func (c *combination) String() string {
	if c.isProduct {
		var factors []string
		for _, t := range c.terms {
			exponent := formatWeight(t.weight)
			if exponent != "" {
				exponent = "^" + exponent
			}
			factors = append(factors, t.column.Name+exponent)
		}
		return "proportional to " + strings.Join(factors, " × ")
	}
	sum := ""
	for _, t := range c.terms {
		sum += formatSign(t.weight) + strings.TrimSpace(formatWeight(math.Abs(t.weight))+" "+t.column.Name)
	}
	if c.intercept != 0 {
		sum += formatSign(c.intercept) + fmt.Sprintf("%.4g", math.Abs(c.intercept))
	}
	return strings.TrimSpace(strings.TrimPrefix(sum, " + "))
}

// formatSign returns the sign in front of a term of a sum.
func formatSign(value float64) string {
	if value < 0 {
		return " − "
	}
	return " + "
}

// formatWeight formats a weight, and returns "" for a weight of nearly 1.
func formatWeight(weight float64) string {
	const tolerance = 0.005
	if math.Abs(weight-1) < tolerance {
		return ""
	}
	return fmt.Sprintf("%.4g", weight)
}
