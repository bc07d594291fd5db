package report

import (
	"cmp"
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

// Assertion is a bound that a score has to keep.
type Assertion struct {
	method, dataset, split, measure string
	operator                        string // one of operators
	bound                           float64
}

var operators = []string{"<=", ">=", "<", ">"} // a longer one before its beginning

const assertionForm = `want METHOD/DATASET/SPLIT/MEASURE OP NUMBER, such as "sml/concrete/test/ece < 0.6"`

// ParseAssertion reads METHOD/DATASET/SPLIT/MEASURE OP NUMBER, such as
// "sml beta=0.25/concrete/test/ece < 0.6". OP is <, <=, > or >=; blanks around
// the parts are left out. Splits and measures must be known ones; which
// methods and data sets there are, only the scores tell.
func ParseAssertion(text string) (Assertion, error) {
	fail := func(format string, args ...any) (Assertion, error) {
		return Assertion{}, fmt.Errorf("report: assertion %q: %s; %s", text, fmt.Sprintf(format, args...), assertionForm)
	}
	i := strings.LastIndexAny(text, "<>") // a method's name may have them
	if i < 0 {
		return fail("there is no <, <=, > or >=")
	}
	var a Assertion
	for _, operator := range operators {
		if strings.HasPrefix(text[i:], operator) {
			a.operator = operator
			break
		}
	}
	number := strings.TrimSpace(text[i+len(a.operator):])
	bound, err := strconv.ParseFloat(number, 64)
	if err != nil || !statistics.Finite(bound) {
		return fail("%q is no finite number", number)
	}
	a.bound = bound

	parts := strings.Split(text[:i], "/")
	if len(parts) != 4 {
		return fail("there are %d parts before the %s", len(parts), a.operator)
	}
	for i, to := range []*string{&a.method, &a.dataset, &a.split, &a.measure} {
		*to = strings.Join(strings.Fields(parts[i]), " ")
		if *to == "" {
			return fail("part %d is empty", i+1)
		}
	}
	if known := split.ScoreNames(); !slices.Contains(known, a.split) {
		return fail("unknown split %q, known splits are %s", a.split, strings.Join(known, ", "))
	}
	if _, err := measure.Lookup(a.measure); err != nil {
		return fail("%v", err)
	}
	return a, nil
}

// String writes the assertion as ParseAssertion reads it.
func (a Assertion) String() string {
	return fmt.Sprintf("%s %s %v", a.subject(), a.operator, a.bound)
}

func (a Assertion) subject() string {
	return strings.Join([]string{a.method, a.dataset, a.split, a.measure}, "/")
}

// Check returns nil if the scores keep the bound. Else the error says what
// the score is instead, that it does not exist and which ones do, or that
// folds of it failed. A score that is not finite keeps no bound.
func (a Assertion) Check(scores []measure.Score) error {
	i := slices.IndexFunc(scores, func(s measure.Score) bool {
		return s.Method == a.method && s.Dataset == a.dataset && s.Split == a.split && s.Measure == a.measure
	})
	if i < 0 {
		return fmt.Errorf("report: no score %s: %s", a.subject(), a.whatThereIs(scores))
	}
	s := scores[i]
	if s.Failed > 0 {
		return fmt.Errorf("report: %s cannot be judged: %d of %d folds failed", a, s.Failed, s.Folds)
	}
	if !a.holds(s.Mean) {
		return fmt.Errorf("report: %s is %s; want %s %v", a.subject(), exactSpread(s), a.operator, a.bound)
	}
	return nil
}

func (a Assertion) holds(x float64) bool {
	if !statistics.Finite(x) {
		return false
	}
	switch a.operator {
	case "<":
		return x < a.bound
	case "<=":
		return x <= a.bound
	case ">":
		return x > a.bound
	}
	return x >= a.bound
}

// exactSpread has digits enough to tell a score from a bound close by.
func exactSpread(s measure.Score) string {
	text := allDigits(s.Mean)
	if math.IsInf(s.Mean, 0) {
		text += " (infinite in at least one fold)"
	} else if statistics.Finite(s.Std) && s.Folds > 1 {
		text += " ± " + strconv.FormatFloat(s.Std, 'g', 3, 64)
	}
	if s.Folds == 1 {
		return text + " over 1 fold"
	}
	return fmt.Sprintf("%s over %d folds", text, s.Folds)
}

// whatThereIs names the first part of the assertion that no score has, and
// what stands in its place.
func (a Assertion) whatThereIs(scores []measure.Score) string {
	parts := []struct {
		kind, want string
		of         func(measure.Score) string
	}{
		{"methods", a.method, func(s measure.Score) string { return s.Method }},
		{"data sets", a.dataset, func(s measure.Score) string { return s.Dataset }},
		{"splits", a.split, func(s measure.Score) string { return s.Split }},
		{"measures", a.measure, func(s measure.Score) string { return s.Measure }},
	}
	var found []string
	for _, part := range parts {
		known := compare.DistinctNames(scores, part.of)
		rest := compare.Filter(scores, func(s measure.Score) bool { return part.of(s) == part.want })
		if len(known) == 0 {
			return "there are no scores at all"
		}
		if len(rest) == 0 {
			return fmt.Sprintf("the %s of %s are %s", part.kind, cmp.Or(strings.Join(found, "/"), "this study"), strings.Join(known, ", "))
		}
		scores, found = rest, append(found, part.want)
	}
	return "" // not reached: the score would exist
}
