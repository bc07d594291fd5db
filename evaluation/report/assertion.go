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

// Assertion is a bound that a score must keep.
type Assertion struct {
	method, dataset, split, measure string
	operator                        string // one of operators
	bound                           float64
}

// operators are the comparisons, "<=" before "<" since it begins with it.
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

// parseAssertion is ParseAssertion with shorter errors.
func parseAssertion(text string) (Assertion, error) {
	start := strings.LastIndexAny(text, "<>") // the last one, since a method's name may have them
	if start < 0 {
		return Assertion{}, errors.New("there is no <, <=, > or >=")
	}
	a, err := parseSubject(text[:start])
	comparison := text[start:]
	for _, operator := range operators {
		if strings.HasPrefix(comparison, operator) {
			a.operator = operator
			break
		}
	}
	number := strings.TrimSpace(comparison[len(a.operator):])
	bound, parseErr := strconv.ParseFloat(number, 64)
	if parseErr != nil || !statistics.IsFinite(bound) {
		return Assertion{}, fmt.Errorf("%q is no finite number", number)
	}
	a.bound = bound
	return a, err
}

// parseSubject parses METHOD/DATASET/SPLIT/MEASURE.
func parseSubject(text string) (Assertion, error) {
	parts := strings.Split(text, "/")
	if len(parts) != 4 {
		return Assertion{}, fmt.Errorf("there are %d parts before the comparison", len(parts))
	}
	for i, part := range parts {
		parts[i] = strings.Join(strings.Fields(part), " ")
		if parts[i] == "" {
			return Assertion{}, fmt.Errorf("part %d is empty", i+1)
		}
	}
	a := Assertion{method: parts[0], dataset: parts[1], split: parts[2], measure: parts[3]}
	if known := split.ScoreNames(); !slices.Contains(known, a.split) {
		return Assertion{}, fmt.Errorf("unknown split %q, known splits are %s", a.split, strings.Join(known, ", "))
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

// Check returns an error unless the scores keep the bound. The error has the score, or the available
// scores if it does not exist, or the number of failed folds. A score that is not finite keeps no
// bound.
func (a Assertion) Check(scores []measure.Score) error {
	i := slices.IndexFunc(scores, func(s measure.Score) bool {
		return s.Method == a.method && s.Dataset == a.dataset && s.Split == a.split && s.Measure == a.measure
	})
	if i < 0 {
		return fmt.Errorf("report: no score %s: %s", a.subject(), a.availableScores(scores))
	}
	s := scores[i]
	if s.Failed > 0 {
		return fmt.Errorf("report: %s cannot be judged: %d of %d folds failed", a, s.Failed, s.Folds)
	}
	if !a.holds(s.Mean) {
		return fmt.Errorf("report: %s is %s; want %s %v", a.subject(), describeScore(s), a.operator, a.bound)
	}
	return nil
}

// holds reports whether x keeps the bound.
func (a Assertion) holds(x float64) bool {
	if !statistics.IsFinite(x) {
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

// describeScore returns a score with all digits, so that it differs from a bound close by.
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

// availableScores returns which scores there are in place of the assertion's: the names in place of
// its first part that no score has.
func (a Assertion) availableScores(scores []measure.Score) string {
	if len(scores) == 0 {
		return "there are no scores at all"
	}
	parts := []struct {
		kind   string // in the plural
		want   string
		nameOf func(measure.Score) string
	}{
		{"methods", a.method, methodOf},
		{"data sets", a.dataset, datasetOf},
		{"splits", a.split, func(s measure.Score) string { return s.Split }},
		{"measures", a.measure, func(s measure.Score) string { return s.Measure }},
	}
	var found []string // parts that scores have
	for _, part := range parts {
		matching := compare.Filter(scores, func(s measure.Score) bool { return part.nameOf(s) == part.want })
		if len(matching) == 0 {
			known := compare.DistinctNames(scores, part.nameOf)
			return fmt.Sprintf("the %s of %s are %s", part.kind, cmp.Or(strings.Join(found, "/"), "this study"), strings.Join(known, ", "))
		}
		scores = matching
		found = append(found, part.want)
	}
	return "" // a score has all parts: Check has found it
}
