package summary

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sml/cmd/internal/leaks"
	"sml/data"
	"sml/internal/portable"
	"sml/internal/statistics"
)

// Kind is the kind of a suspicion.
type Kind string

const (
	LikeTarget  Kind = "like-target"     // an input gives a target away: it is the target, or determines it
	Combination Kind = "combination"     // inputs give a target away together
	Strong      Kind = "strong"          // an input predicts a target very well, but does not give it away
	Names       Kind = "names"           // the numbers of an input predict a target better as names
	Duplicate   Kind = "duplicate"       // an input has the same information as another input
	Constant    Kind = "nearly-constant" // nearly all rows have the same value of an input
	Counter     Kind = "counter"         // an input numbers the rows
	Identifier  Kind = "identifier"      // an input names the rows by numbers
	Time        Kind = "time"            // rows stand in the order of time
	Groups      Kind = "groups"          // several rows seem to describe the same thing
	Neighbours  Kind = "neighbours"      // the target of a row is like the target of the row before
	Copies      Kind = "copies"          // rows occur more than once
	FewValues   Kind = "few-values"      // a target has few different values, all whole numbers
	Skewed      Kind = "skewed"          // a target has a long tail
	Inflated    Kind = "inflated"        // a target has one value in many rows, such as 0
	Far         Kind = "far"             // an input has a value far from all others
	FarDate     Kind = "far-date"        // a few dates lie far from all others
	Future      Kind = "future"          // a few dates lie in the future
	Code        Kind = "code"            // a number seems to stand for a missing value
)

// Suspicion is something that the user of a table should look at before a training.
type Suspicion struct {
	Kind    Kind     `json:"kind"`
	Column  string   `json:"column,omitempty"`  // "" if the suspicion is about rows or several columns
	Columns []string `json:"columns,omitempty"` // columns of a Combination; nil otherwise
	Drop    []string `json:"drop,omitempty"`    // columns of a Combination to leave out, so that the others give nothing away
	Says    string   `json:"says"`              // what was found, such as "equal to the target price"

	// Transform is the transform after which a Skewed target is least skewed; "" otherwise.
	Transform string `json:"transform,omitempty"`
}

const (
	minTargetCorrelation = 0.999  // minimum correlation of an input with a target to be nearly equal
	minInputCorrelation  = 0.9999 // minimum correlation of duplicates: very similar inputs may both be of use
	maxComparedInputs    = 300    // maximum number of inputs for comparing all pairs of inputs
	sampleRows           = 1000   // rows in the sample for comparing pairs and ranks
)

// add appends a suspicion. column is "" if the suspicion is about rows. format and args, as of fmt.Sprintf,
// say what was found.
func (s *Summary) add(kind Kind, column, format string, args ...any) {
	s.Suspicions = append(s.Suspicions, Suspicion{Kind: kind, Column: column, Says: fmt.Sprintf(format, args...)})
}

// compareWithTargets looks for inputs equal to a target, or nearly a function of a target. It also
// sets the inputs' correlations with the targets. Columns of categories have no correlation.
func (s *Summary) compareWithTargets(inputs, targets []*Column) {
	for _, target := range withoutCategories(targets) {
		targetRanks := statistics.Ranks(sample(target.values))
		for _, input := range withoutCategories(inputs) {
			r, ok := correlation(input.values, target.values)
			if !ok {
				continue
			}
			input.WithTarget = append(input.WithTarget, Correlation{Target: target.Name, R: r})
			s.addTargetSuspicion(input, target, r, targetRanks)
		}
	}
}

// withoutCategories returns the columns of numbers and dates.
func withoutCategories(columns []*Column) []*Column {
	var rest []*Column
	for _, c := range columns {
		if c.Kind != data.Category {
			rest = append(rest, c)
		}
	}
	return rest
}

// addTargetSuspicion adds a suspicion if an input is equal to a target, nearly a linear function of it, or
// nearly a monotone function of it. r is their correlation, and targetRanks are the ranks of the target in
// its sample.
func (s *Summary) addTargetSuspicion(input, target *Column, r float64, targetRanks []float64) {
	// The correlation of ranks (Spearman's) is ±1 for every monotone function, also a curved one.
	rankR, _ := correlation(statistics.Ranks(sample(input.values)), targetRanks)
	// A coarse class of the target has its order, too, but does not give it away. Few values have the same
	// order by chance.
	const minDistinct = 20
	isCoarse := input.Distinct <= target.Distinct/2 || input.Distinct < minDistinct
	switch {
	case slices.Equal(input.values, target.values):
		s.add(LikeTarget, input.Name, "equal to the target %s", target.Name)
	case math.Abs(r) >= minTargetCorrelation:
		s.add(LikeTarget, input.Name, "nearly the target %s: r = %.5g", target.Name, r)
	case math.Abs(rankR) >= minTargetCorrelation && !isCoarse:
		s.add(LikeTarget, input.Name, "nearly a function of the target %s: the correlation of their ranks is %.5g", target.Name, rankR)
	}
}

// compareInputs looks for inputs with the same information as an earlier input: equal values in all
// rows or, unless there are too many inputs to compare all pairs, nearly a linear function of them.
func (s *Summary) compareInputs(inputs, _ []*Column) {
	duplicates := s.addEqualInputs(inputs)
	if len(inputs) <= maxComparedInputs {
		s.addLinearInputs(inputs, duplicates)
	}
}

// addEqualInputs adds a suspicion about each input whose values are equal to the values of an earlier
// input in all rows. It returns the names of these inputs.
func (s *Summary) addEqualInputs(inputs []*Column) (duplicates map[string]bool) {
	type content struct {
		kind data.Kind
		hash uint64 // fingerprint of the values
	}
	firstName := make(map[content]string) // name of the first column with a content
	duplicates = make(map[string]bool)
	for _, c := range inputs {
		if c.Distinct < 2 {
			continue // constant columns are described as such
		}
		key := content{c.Kind, c.fingerprint()}
		name, isKnown := firstName[key]
		if !isKnown {
			firstName[key] = c.Name
			continue
		}
		s.add(Duplicate, c.Name, "it says the same as %s in every row", name)
		duplicates[c.Name] = true
	}
	return duplicates
}

// addLinearInputs adds a suspicion about each input that is nearly a linear function of an earlier one,
// except for inputs in duplicates.
func (s *Summary) addLinearInputs(inputs []*Column, duplicates map[string]bool) {
	var samples [][]float64
	for _, c := range inputs {
		samples = append(samples, sample(c.values))
	}
	for j, c := range inputs {
		if duplicates[c.Name] || c.Kind == data.Category {
			continue
		}
		for i, earlier := range inputs[:j] {
			if earlier.Kind == data.Category {
				continue
			}
			r, ok := correlation(samples[i], samples[j])
			if ok && math.Abs(r) >= minInputCorrelation {
				s.add(Duplicate, c.Name, "nearly a linear function of %s: r = %.5g", earlier.Name, r)
				break // one earlier input is enough
			}
		}
	}
}

// inspectInputs looks at each input by itself. It adds at most one suspicion about an input, the first
// that applies.
func (s *Summary) inspectInputs(inputs, _ []*Column) {
	const (
		minConstantFraction = 0.99 // of the rows with a value, for a column that is nearly constant
		minConstantRows     = 20   // in fewer rows, one value in all rows but one is often chance
	)
	for _, c := range inputs {
		value, rows := c.mostFrequent()
		present := len(c.sorted) // rows with a value
		hasEnoughRows := present >= minConstantRows
		mostlySame := float64(rows) >= minConstantFraction*float64(present)
		switch {
		case c.Distinct > 1 && hasEnoughRows && mostlySame:
			s.add(Constant, c.Name, "it is %s in %.4g%% of the rows that have it", c.field.Show(value), 100*float64(rows)/float64(present))
		case c.Kind == data.Number && c.counts():
			s.add(Counter, c.Name, "it counts the rows: every one has another whole number, %s to %s", c.field.Show(c.Min), c.field.Show(c.Max))
		case c.hasMissingCode():
			s.addCodeSuspicion(c)
		case c.identifiesRows():
			s.add(Identifier, c.Name, "by its name it identifies the rows: %d different numbers in %d rows", c.Distinct, present)
		case c.Kind == data.Number && c.farValue() != 0:
			s.add(Far, c.Name, "a long tail: half of its values lie between %.4g and %.4g, and one is %.4g", c.Low, c.High, c.farValue())
		}
	}
}

// addCodeSuspicion adds a suspicion about a column with a number that seems to stand for a missing value.
func (s *Summary) addCodeSuspicion(c *Column) {
	code, rows, _ := c.missingCode()
	text := c.field.Show(code)
	s.add(Code, c.Name, "%s in %d rows stands apart from all other values and may mean that the value is missing", text, rows)
}

// mostFrequent returns the most frequent value, the smallest of several, and its number of rows. It
// returns 0, 0 if all values are missing.
func (c *Column) mostFrequent() (value float64, rows int) {
	for v, n := range countValues(c.sorted) {
		if n > rows {
			value = v
			rows = n
		}
	}
	return value, rows
}

// counts reports whether the column counts the rows, in any order: the values are different whole
// numbers with few gaps.
func (c *Column) counts() bool {
	const minRows = 10         // in fewer rows, different whole numbers are often chance
	const maxRangePerRow = 1.5 // 1 if the numbers have no gaps
	n := len(c.values)
	allDifferent := c.Missing == 0 && c.Distinct == n
	return n >= minRows && allDifferent && c.isWhole() && c.Max-c.Min < maxRangePerRow*float64(n)
}

// identifiesRows reports whether the column seems to name the rows: it has the name of an identifier, and whole
// numbers that are nearly all different.
func (c *Column) identifiesRows() bool {
	const minDistinctFraction = 0.9 // of the rows
	isMostlyDistinct := float64(c.Distinct) >= minDistinctFraction*float64(len(c.values))
	return c.Kind == data.Number && isMostlyDistinct && isIdentifierName(c.Name) && c.isWhole()
}

// isWhole reports whether all values are whole numbers.
func (c *Column) isWhole() bool {
	return !slices.ContainsFunc(c.sorted, func(v float64) bool { return v != math.Trunc(v) })
}

// farValue returns the minimum or maximum, whichever lies farther from the nearer quartile, if that
// distance is more than ten times the distance between the quartiles, and 0 otherwise.
func (c *Column) farValue() float64 {
	const maxWidths = 10 // distances between the quartiles
	if c.Numbers == nil || c.High == c.Low {
		return 0
	}
	width := c.High - c.Low
	above := c.Max - c.High
	below := c.Low - c.Min
	switch {
	case above > maxWidths*width && above >= below:
		return c.Max
	case below > maxWidths*width:
		return c.Min
	}
	return 0
}

// inspectTargets looks for targets with a number that seems to stand for a missing value, for targets of
// numbers that seem to be classes, and for skewed targets that a transform makes less skewed.
func (s *Summary) inspectTargets(_, targets []*Column) {
	const (
		minRows         = 30 // in fewer rows, few values or a skewness are often chance
		maxClasses      = 20 // a target with more different values is hardly one of classes
		minRowsPerClass = 5  // mean number of rows with the same value
		minSkewness     = 1  // of a target with a long tail
	)
	for _, t := range targets {
		rows := len(t.sorted) // rows with a target
		if rows < minRows || t.Distinct < 2 || t.Kind == data.Category {
			continue
		}
		if t.hasMissingCode() { // which also makes the target look skewed and inflated
			s.addCodeSuspicion(t)
			continue
		}
		spike, isInflated := FindSpike(t.sorted)
		if isInflated {
			s.add(Inflated, t.Name, "the target is exactly %s", spike)
		}
		fewValues := t.Distinct <= maxClasses && t.Distinct < rows/minRowsPerClass
		switch {
		case fewValues && t.isWhole():
			s.add(FewValues, t.Name, "the target has %d different values, all whole numbers", t.Distinct)
		case math.Abs(t.Skewness) >= minSkewness:
			transform, skewnessAfter := t.bestTransform()
			if transform == "" {
				continue
			}
			s.add(Skewed, t.Name, "the target has a long tail: its skewness is %.2g, and %.2g after %s", t.Skewness, skewnessAfter, transform)
			s.Suspicions[len(s.Suspicions)-1].Transform = transform
		}
	}
}

// inspectCopies adds a suspicion if more than a few rows are copies of earlier rows.
func (s *Summary) inspectCopies(_, _ []*Column) {
	const notableFraction = 0.02 // of the rows; fewer copies hardly change a score
	if float64(s.Copies) <= notableFraction*float64(s.Rows) {
		return
	}
	percent := 100 * float64(s.Copies) / float64(s.Rows)
	s.add(Copies, "", "%s the same inputs and targets as one before: %.0f%%", rowsHave(s.Copies), percent)
}

// rowsHave returns a number of rows with the verb for it.
func rowsHave(rows int) string {
	if rows == 1 {
		return "1 row has"
	}
	return fmt.Sprintf("%d rows have", rows)
}

// bestTransform returns the transform after which the column is least skewed, and the magnitude of its
// skewness then. A transform must at least halve the skewness. If none does, the choice is
// quantile-normal, which maps any ranks to a normal distribution, or "" if few different values leave
// its ranks with large steps.
func (c *Column) bestTransform() (transform string, skewnessAfter float64) {
	const belowZero = -math.SmallestNonzeroFloat64 // the largest number below 0: 0 itself is allowed
	skewnessAfter = math.Abs(c.Skewness) / 2       // so far the bound for every candidate, then the best one's
	candidates := []struct {
		name       string
		lowerBound float64 // exclusive bound of the values that it is defined for
		apply      func(float64) float64
	}{
		{name: "log", lowerBound: 0, apply: portable.Log},
		{name: "log1p", lowerBound: belowZero, apply: portable.Log1p},
		{name: "sqrt", lowerBound: belowZero, apply: math.Sqrt},
	}
	for _, candidate := range candidates {
		if c.Min <= candidate.lowerBound {
			continue
		}
		transformed := make([]float64, len(c.sorted))
		for i, v := range c.sorted {
			transformed[i] = candidate.apply(v)
		}
		means, stds := data.Moments(transformed, 1, nil) // of one column
		magnitude := math.Abs(statistics.Skewness(transformed, means[0], stds[0]))
		if magnitude < skewnessAfter {
			transform = candidate.name
			skewnessAfter = magnitude
		}
	}
	const minDistinct = 50 // values, for ranks with small steps
	if transform == "" && c.Distinct >= minDistinct {
		return "quantile-normal", 0
	}
	return transform, skewnessAfter
}

// timeNames are words in the names of columns of times.
var timeNames = []string{"date", "datetime", "day", "epoch", "hour", "minute", "month", "quarter", "second", "time", "timestamp", "week", "year"}

// isTimeName reports whether a column's name has a word for a time.
func isTimeName(name string) bool {
	return hasWord(name, timeNames...)
}

// isIdentifierName reports whether a column's name has the word "id", as in order_id or CustomerID.
func isIdentifierName(name string) bool {
	stem, isSuffix := strings.CutSuffix(name, "ID")
	if !isSuffix {
		stem, isSuffix = strings.CutSuffix(name, "Id")
	}
	endsInLower := stem != "" && stem[len(stem)-1] >= 'a' && stem[len(stem)-1] <= 'z'
	return hasWord(name, "id") || isSuffix && endsInLower
}

// hasWord reports whether a column's name has one of the words.
func hasWord(name string, words ...string) bool {
	return slices.ContainsFunc(leaks.Words(name), func(word string) bool { return slices.Contains(words, word) })
}
