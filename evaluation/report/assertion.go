package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/data/split"
	"sml/evaluation/measure"
	"sml/evaluation/report/internal/compare"
	"sml/internal/statistics"
)

// Assertion is a bound that a score must keep, such as "sml/concrete/test/ece < 0.6".
type Assertion struct {
	method, dataset, split, measure string // identify the score
	operator                        string // one of operators
	bound                           float64
}

// operators lists the comparisons. The longer ones come first: every text that starts with "<=" starts
// with "<", too.
var operators = []string{"<=", ">=", "<", ">"}

const assertionForm = `want METHOD/DATASET/SPLIT/MEASURE OP NUMBER, such as "sml/concrete/test/ece < 0.6"`

// ParseAssertion parses METHOD/DATASET/SPLIT/MEASURE OP NUMBER, such as
// "sml beta=0.25/concrete/test/ece < 0.6". OP is <, <=, > or >=; blanks around the parts are ignored.
// It returns an error if the text has another form, or an unknown split or measure. It does not check
// whether there are scores of the method and the data set.
func ParseAssertion(text string) (Assertion, error) {
	a, err := parseAssertion(text)
	if err != nil {
		return Assertion{}, fmt.Errorf("report: assertion %q: %w; %s", text, err, assertionForm)
	}
	return a, nil
}

// parseAssertion parses an assertion. Its errors do not quote the text, which ParseAssertion adds.
func parseAssertion(text string) (Assertion, error) {
	start := strings.LastIndexAny(text, "<>") // the last one, since a method's label may contain "<" or ">"
	if start < 0 {
		return Assertion{}, errors.New("it has no comparison <, <=, > or >=")
	}
	operator, bound, err := parseComparison(text[start:])
	if err != nil {
		return Assertion{}, err
	}
	a, err := parseSubject(text[:start])
	a.operator = operator
	a.bound = bound
	return a, err
}

// parseComparison parses a comparison such as "<= 0.6". The text must start with "<" or ">".
func parseComparison(text string) (operator string, bound float64, err error) {
	i := slices.IndexFunc(operators, func(operator string) bool { return strings.HasPrefix(text, operator) })
	operator = operators[i]
	number := strings.TrimSpace(text[len(operator):])
	bound, err = strconv.ParseFloat(number, 64)
	if err != nil || !statistics.IsFinite(bound) {
		return "", 0, fmt.Errorf("%q is not a finite number", number)
	}
	return operator, bound, nil
}

// parseSubject parses METHOD/DATASET/SPLIT/MEASURE and returns an assertion without a comparison. It
// returns an error for an unknown split or measure.
func parseSubject(text string) (Assertion, error) {
	parts := strings.Split(text, "/")
	if len(parts) != 4 {
		return Assertion{}, fmt.Errorf("it has %d parts before the comparison", len(parts))
	}
	for i, part := range parts {
		parts[i] = strings.Join(strings.Fields(part), " ")
		if parts[i] == "" {
			return Assertion{}, fmt.Errorf("part %d is empty", i+1)
		}
	}
	a := Assertion{
		method:  parts[0],
		dataset: parts[1],
		split:   parts[2],
		measure: parts[3],
	}
	known := split.ScoreNames()
	if !slices.Contains(known, a.split) {
		return Assertion{}, fmt.Errorf("unknown split %q; known splits are %s", a.split, strings.Join(known, ", "))
	}
	_, err := measure.Lookup(a.measure)
	return a, err
}

// String returns the assertion in the form that ParseAssertion parses.
func (a Assertion) String() string {
	return fmt.Sprintf("%s %s %v", a.subject(), a.operator, a.bound)
}

// subject returns METHOD/DATASET/SPLIT/MEASURE.
func (a Assertion) subject() string {
	return strings.Join([]string{a.method, a.dataset, a.split, a.measure}, "/")
}

// Check returns an error unless the assertion's score is among the scores and keeps the bound. A score
// with failed folds, and a score that is NaN or infinite, keeps no bound. The error names the score, or the
// scores that exist in its place.
func (a Assertion) Check(scores []measure.Score) error {
	i := slices.IndexFunc(scores, func(s measure.Score) bool {
		return s.Method == a.method && s.Dataset == a.dataset && s.Split == a.split && s.Measure == a.measure
	})
	if i < 0 {
		return fmt.Errorf("report: there is no score %s: %s", a.subject(), a.availableScores(scores))
	}
	s := scores[i]
	if s.Failed > 0 {
		return fmt.Errorf("report: %s cannot be checked: %d of %d folds failed", a, s.Failed, s.Folds)
	}
	if !a.holds(s.Mean) {
		return fmt.Errorf("report: %s is %s; want %s %v", a.subject(), describeScore(s), a.operator, a.bound)
	}
	return nil
}

// holds reports whether a score is finite and keeps the bound.
func (a Assertion) holds(score float64) bool {
	if !statistics.IsFinite(score) {
		return false
	}
	switch a.operator {
	case "<":
		return score < a.bound
	case "<=":
		return score <= a.bound
	case ">":
		return score > a.bound
	}
	return score >= a.bound // ParseAssertion accepts no other operator
}

// describeScore returns text such as "0.61 ± 0.0312 over 10 folds". The score has all its digits: if it
// were rounded, a score just beyond a bound would look equal to it.
func describeScore(s measure.Score) string {
	text := formatExactly(s.Mean)
	if math.IsInf(s.Mean, 0) {
		text += " (infinite in at least one fold)"
	} else if statistics.IsFinite(s.Std) && s.Folds > 1 {
		text += " ± " + strconv.FormatFloat(s.Std, 'g', 3, 64)
	}
	if s.Folds == 1 {
		return text + " over 1 fold"
	}
	return fmt.Sprintf("%s over %d folds", text, s.Folds)
}

// availableScores returns text such as "the data sets of sml are yacht, concrete" for an assertion whose
// score does not exist. It looks for the first part of METHOD/DATASET/SPLIT/MEASURE that no score has
// together with the parts before it, and lists the names that would be right there.
func (a Assertion) availableScores(scores []measure.Score) string {
	if len(scores) == 0 {
		return "there are no scores at all"
	}
	parts := []struct {
		kind   string // noun for the names in this part, in the plural
		want   string // the assertion's name
		nameOf func(measure.Score) string
	}{
		{"methods", a.method, methodOf},
		{"data sets", a.dataset, datasetOf},
		{"splits", a.split, func(s measure.Score) string { return s.Split }},
		{"measures", a.measure, func(s measure.Score) string { return s.Measure }},
	}
	var existing []string // parts that scores have
	for _, part := range parts {
		matching := compare.Filter(scores, func(s measure.Score) bool { return part.nameOf(s) == part.want })
		if len(matching) == 0 {
			known := compare.DistinctNames(scores, part.nameOf)
			subject := cmp.Or(strings.Join(existing, "/"), "this study")
			return fmt.Sprintf("the %s of %s are %s", part.kind, subject, strings.Join(known, ", "))
		}
		scores = matching
		existing = append(existing, part.want)
	}
	return "" // unreachable: Check calls availableScores only if no score has all parts
}
