package summary

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sml/data"
	"sml/internal/portable"
)

// Kind is the kind of a suspicion.
type Kind string

const (
	LikeTarget Kind = "like-target"     // an input is a target, or nearly a function of a target
	Duplicate  Kind = "duplicate"       // an input has the same information as another input
	Constant   Kind = "nearly-constant" // nearly all rows have the same value of an input
	Counter    Kind = "counter"         // an input numbers the rows
	Time       Kind = "time"            // rows stand in the order of time
	Groups     Kind = "groups"          // several rows seem to describe the same thing
	Neighbours Kind = "neighbours"      // the target of a row is like the target of the row before
	Copies     Kind = "copies"          // rows occur more than once
	FewValues  Kind = "few-values"      // a target has few different values, all whole numbers
	Skewed     Kind = "skewed"          // a target has a long tail
	Far        Kind = "far"             // an input has a value far from all others
	Code       Kind = "code"            // a number of an input seems to stand for a missing value
)

// Suspicion is something that the user of a table should look at before a training.
type Suspicion struct {
	Kind   Kind   `json:"kind"`
	Column string `json:"column,omitempty"` // "" if the suspicion is about rows
	Says   string `json:"says"`

	// Transform is the transform after which a Skewed target is least skewed; "" otherwise.
	Transform string `json:"transform,omitempty"`
}

const (
	minTargetCorrelation = 0.999  // minimum correlation of an input with a target to be nearly equal
	minInputCorrelation  = 0.9999 // minimum correlation of duplicates: very similar inputs may both be of use
	maxComparedInputs    = 300    // maximum number of inputs for comparing all pairs of inputs
	sampleRows           = 1000   // rows in the sample for comparing pairs and ranks
)

// add appends a suspicion. column is "" if the suspicion is about rows.
func (s *Summary) add(kind Kind, column, format string, args ...any) {
	s.Suspicions = append(s.Suspicions, Suspicion{Kind: kind, Column: column, Says: fmt.Sprintf(format, args...)})
}

// compareWithTargets looks for inputs equal to a target, or nearly a function of a target. It also
// sets the inputs' correlations with the targets.
func (s *Summary) compareWithTargets(inputs, targets []*Column) {
	for _, t := range targets {
		if t.Kind == data.Category {
			continue
		}
		rank := ranks(sample(t.values))
		for _, c := range inputs {
			if c.Kind == data.Category {
				continue
			}
			r, ok := correlation(c.values, t.values)
			if !ok {
				continue
			}
			c.WithTarget = append(c.WithTarget, R{t.Name, r})
			byRank, _ := correlation(ranks(sample(c.values)), rank)
			switch {
			case slices.Equal(c.values, t.values):
				s.add(LikeTarget, c.Name, "equal to the target %s", t.Name)
			case math.Abs(r) >= minTargetCorrelation:
				s.add(LikeTarget, c.Name, "nearly the target %s: r = %.5g", t.Name, r)
			case math.Abs(byRank) >= minTargetCorrelation && c.Distinct > t.Distinct/2:
				s.add(LikeTarget, c.Name, "nearly a function of the target %s: the correlation of their ranks is %.5g", t.Name, byRank)
			}
		}
	}
}

// compareInputs looks for inputs with the same information as an earlier input.
func (s *Summary) compareInputs(inputs, _ []*Column) {
	type key struct {
		kind data.Kind
		hash uint64
	}
	first := make(map[key]string)
	reported := make(map[string]bool)
	for _, c := range inputs {
		if c.Distinct < 2 {
			continue
		}
		k := key{c.Kind, c.fingerprint()}
		if other, ok := first[k]; !ok {
			first[k] = c.Name
		} else {
			s.add(Duplicate, c.Name, "it says the same as %s in every row", other)
			reported[c.Name] = true
		}
	}
	if len(inputs) > maxComparedInputs {
		return
	}
	var values [][]float64
	for _, c := range inputs {
		values = append(values, sample(c.values))
	}
	for j, c := range inputs {
		for i, other := range inputs[:j] {
			if reported[c.Name] || c.Kind == data.Category || other.Kind == data.Category {
				continue
			}
			if r, ok := correlation(values[i], values[j]); ok && math.Abs(r) >= minInputCorrelation {
				s.add(Duplicate, c.Name, "nearly a linear function of %s: r = %.5g", other.Name, r)
				reported[c.Name] = true
			}
		}
	}
}

// inspectInputs looks at each input by itself.
func (s *Summary) inspectInputs(inputs, _ []*Column) {
	for _, c := range inputs {
		value, rows := c.mostFrequent()
		const nearly, fewest = 0.99, 20
		switch {
		case c.Distinct > 1 && len(c.sorted) >= fewest && float64(rows) >= nearly*float64(len(c.sorted)):
			s.add(Constant, c.Name, "it is %s in %.4g%% of the rows that have it", c.field.Show(value), 100*float64(rows)/float64(len(c.sorted)))
		case c.Kind == data.Number && c.counts():
			s.add(Counter, c.Name, "it counts the rows: every one has another whole number, %s to %s", c.field.Show(c.Min), c.field.Show(c.Max))
		case c.Kind == data.Number && c.code() != 0:
			s.add(Code, c.Name, "%s stands far from all other values and may say that there is none", c.field.Show(c.code()))
		case c.Kind == data.Number && c.farValue() != 0:
			s.add(Far, c.Name, "a long tail: half of its values lie between %.4g and %.4g, and one is %.4g", c.Low, c.High, c.farValue())
		}
	}
}

// mostFrequent returns the most frequent value and its number of rows.
func (c *Column) mostFrequent() (value float64, rows int) {
	for i := 0; i < len(c.sorted); {
		j := i
		for j < len(c.sorted) && c.sorted[j] == c.sorted[i] {
			j++
		}
		if j-i > rows {
			value, rows = c.sorted[i], j-i
		}
		i = j
	}
	return value, rows
}

// counts reports whether the numbers count the rows, in any order.
func (c *Column) counts() bool {
	const fewest, sparse = 10, 1.5
	n := len(c.values)
	return n >= fewest && c.Missing == 0 && c.Distinct == n && c.isWhole() && c.Max-c.Min < sparse*float64(n)
}

// isWhole reports whether all values are whole numbers.
func (c *Column) isWhole() bool {
	return !slices.ContainsFunc(c.sorted, func(v float64) bool { return v != math.Trunc(v) })
}

// codes are numbers that people write for a missing value.
var codes = []float64{-99999, -9999, -999, -99, -9, 99, 999, 9999, 99999}

// code returns the minimum or the maximum if it is among codes, if several rows have it, and if
// it is more than twice as large as all other numbers. It returns 0 if there is no such number.
func (c *Column) code() float64 {
	const fewest = 3
	n := len(c.sorted)
	if c.Distinct < fewest {
		return 0
	}
	for _, at := range []float64{c.Min, c.Max} {
		from, found := slices.BinarySearch(c.sorted, at)
		to := from
		for to < n && c.sorted[to] == at {
			to++
		}
		if !found || to-from < fewest || !slices.Contains(codes, at) {
			continue
		}
		low, high := c.sorted[0], c.sorted[n-1]
		if from == 0 {
			low = c.sorted[to]
		} else {
			high = c.sorted[from-1]
		}
		if math.Abs(at) > 2*max(math.Abs(low), math.Abs(high)) {
			return at
		}
	}
	return 0
}

// farValue returns the value farthest from the quartiles, if its distance is more than ten times
// the distance between the quartiles, and 0 otherwise.
func (c *Column) farValue() float64 {
	const times = 10
	if c.Numbers == nil || c.High == c.Low {
		return 0
	}
	switch width := c.High - c.Low; {
	case c.Max-c.High > times*width && c.Max-c.High >= c.Low-c.Min:
		return c.Max
	case c.Low-c.Min > times*width:
		return c.Min
	}
	return 0
}

// inspectTargets looks at each target by itself.
func (s *Summary) inspectTargets(_, targets []*Column) {
	const fewRows, fewValues, long = 30, 20, 1
	for _, t := range targets {
		n := len(t.sorted)
		switch {
		case n < fewRows || t.Distinct < 2 || t.Kind == data.Category:
		case t.Distinct <= fewValues && t.Distinct < n/5 && t.isWhole():
			s.add(FewValues, t.Name, "the target has %d different values, all whole numbers", t.Distinct)
		case math.Abs(t.Skewness) >= long:
			transform, after := t.bestTransform()
			if transform == "" {
				continue
			}
			s.add(Skewed, t.Name, "the target has a long tail: its skewness is %.2g, and %.2g after %s", t.Skewness, after, transform)
			s.Suspicions[len(s.Suspicions)-1].Transform = transform
		}
	}
}

// bestTransform returns the transform after which a column is least skewed, and the skewness
// after it. The transform must at least halve the skewness; quantile-normal is the last resort.
// It returns "" if no transform helps.
func (c *Column) bestTransform() (transform string, after float64) {
	after = math.Abs(c.Skewness) / 2
	for _, by := range []struct {
		name  string
		above float64 // lower bound of all values, exclusive
		of    func(float64) float64
	}{
		{"log", 0, portable.Log},
		{"log1p", -math.SmallestNonzeroFloat64, portable.Log1p},
		{"sqrt", -math.SmallestNonzeroFloat64, math.Sqrt},
	} {
		if c.Min <= by.above {
			continue
		}
		values := make([]float64, len(c.sorted))
		for i, v := range c.sorted {
			values[i] = by.of(v)
		}
		means, stds := data.Moments(values, 1, nil)
		if skew := math.Abs(skewness(values, means[0], stds[0])); skew < after {
			transform, after = by.name, skew
		}
	}
	const smooth = 50 // different values from which on ranks are nearly continuous
	if transform == "" && c.Distinct >= smooth {
		return "quantile-normal", 0
	}
	return transform, after
}

// timeNames are words in the names of columns of times.
var timeNames = []string{"date", "datetime", "day", "epoch", "hour", "minute", "month", "quarter", "second", "time", "timestamp", "week", "year"}

// isTimeName reports whether a column's name has a word for a time.
func isTimeName(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(timeNames, w) })
}
