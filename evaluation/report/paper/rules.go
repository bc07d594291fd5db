package paper

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"sml/data"
	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/report/chart"
	"sml/internal/statistics"
)

// rule says whether a claim holds, and by which numbers. What it returns does not count if the part lacks
// scores that it asked for: then the claim is undecided.
type rule func(*part) (holds bool, numbers string)

// condition is what a claim says about a ranking.
type condition func(ranking) bool

// The studies that rules need most often.
const (
	paperStudy  = "scores of all six methods: the preset paper"
	betaStudy   = "the preset beta"
	claimsStudy = "the preset claims"
)

// source is scores for one of the purposes that part explains.
type source struct {
	scores []measure.Score
	name   string // studies that a rule needs if scores are missing
}

// check returns the verdict of a rule with its numbers or, if the verdict is unknown, with what the studies lack.
func (p *part) check(r rule) (v verdict, reason string) {
	p.missing = ""
	isTrue, numbers := r(p)
	switch {
	case p.missing != "":
		return unknown, p.missing
	case isTrue:
		return holds, numbers
	}
	return doesNotHold, numbers
}

// lack records that a rule needs something that the studies do not have, so that its claim is undecided. It
// returns what a rule returns.
func (p *part) lack(what string) (bool, string) {
	if p.missing == "" {
		p.missing = what
	}
	return false, ""
}

// proven returns the rule of a claim about mathematics, which holds in every study. Tests compute the numbers.
func proven(numbers string) rule {
	return func(*part) (bool, string) { return true, numbers }
}

// undecidable returns a rule that names what no study has.
func undecidable(what string) rule {
	return func(p *part) (bool, string) { return p.lack(what) }
}

// each returns a rule for each of several measures, splits or data sets. It holds if all of them hold.
func each(names []string, ruleFor func(name string) rule) rule {
	return func(p *part) (bool, string) {
		count, numbers := p.countHolding(names, ruleFor)
		return count == len(names), numbers
	}
}

// countHolding returns how many of the rules for several measures, splits or data sets hold, and their numbers.
func (p *part) countHolding(names []string, ruleFor func(name string) rule) (count int, numbers string) {
	var texts []string
	for _, name := range names {
		isTrue, text := ruleFor(name)(p)
		if isTrue {
			count++
		}
		title := measure.Title(methodTitle(name)) // the title if name is a measure or a method, otherwise name
		texts = append(texts, title+": "+text)
	}
	return count, strings.Join(texts, "; ")
}

// byMean returns the rule that the paper's methods, ranked by their mean scores, meet all conditions.
func byMean(split, measureName string, conditions ...condition) rule {
	return func(p *part) (bool, string) {
		r := p.means(split, measureName)
		return r.meets(conditions), r.String()
	}
}

// byMedian returns the rule that the paper's methods, ranked by their median scores, meet all conditions.
func byMedian(split, measureName string, conditions ...condition) rule {
	return func(p *part) (bool, string) {
		r := p.medians(split, measureName)
		return r.meets(conditions), r.String()
	}
}

// byMeanAndMedian returns the rule that the paper's methods meet all conditions in both rankings.
func byMeanAndMedian(split, measureName string, conditions ...condition) rule {
	return func(p *part) (bool, string) {
		means := p.means(split, measureName)
		medians := p.medians(split, measureName)
		return means.meets(conditions) && medians.meets(conditions), fmt.Sprintf("mean: %v; median: %v", means, medians)
	}
}

// onShifts returns the rule that the rankings by mean scores meet the condition on at least minimum of the
// splits with shift.
func onShifts(minimum int, measureName string, c condition) rule {
	return func(p *part) (bool, string) {
		count, numbers := p.countHolding(shifts, func(split string) rule { return byMean(split, measureName, c) })
		return count >= minimum, fmt.Sprintf("%d of %d; %s", count, len(shifts), numbers)
	}
}

// isLevel returns the rule that the mean scores of two methods are close.
func isLevel(split, measureName, method, other string) rule {
	return func(p *part) (bool, string) {
		r := p.means(split, measureName)
		pair := ranking{{method, r.valueOf(method)}, {other, r.valueOf(other)}}
		return isClose(pair[0].value, pair[1].value), pair.String()
	}
}

// byBeta returns the rule that the values of β, ranked by their mean test scores, meet the condition.
func byBeta(measureName string, c condition) rule {
	return func(p *part) (bool, string) {
		r := p.rankBetas("test", measureName)
		return c(r), r.String()
	}
}

// withBetaNote returns the rule with a note on the predictions by which β = 0.5 is scored, if they are others.
func withBetaNote(r rule) rule {
	return func(p *part) (bool, string) {
		isTrue, numbers := r(p)
		if p.hasBetaQuirk() {
			numbers += " (only β = 0.5 is scored by f and σ_total)"
		}
		return isTrue, numbers
	}
}

// first returns the condition that the methods are the first of the ranking, in any order.
func first(methods ...string) condition {
	return func(r ranking) bool { return r.beginsWith(methods...) }
}

// allClose is the condition that the largest value of a ranking is close to the smallest.
func allClose(r ranking) bool { return isClose(r.last().value, r[0].value) }

// firstByFar is the condition that the second value of a ranking is not close to the first.
func firstByFar(r ranking) bool { return len(r) > 1 && !isClose(r[1].value, r[0].value) }

// isClose reports whether a is within report.Tolerance of b, within which a score counts as reproduced.
func isClose(a, b float64) bool { return max(a-b, b-a) <= report.Tolerance(b) }

// isSmaller is a rule for two methods: the changed method has a smaller test score than the original on each data set.
func (p *part) isSmaller(s source, datasets []string, original, changed, measureName string) (bool, string) {
	if len(datasets) == 0 {
		return p.lack(claimsStudy)
	}
	smaller := 0 // number of data sets
	var scores []string
	for _, dataset := range datasets {
		before := p.score(s, dataset, original, measureName)
		after := p.score(s, dataset, changed, measureName)
		if after < before {
			smaller++
		}
		scores = append(scores, fmt.Sprintf("%s %s → %s", dataset, formatNumber(before), formatNumber(after)))
	}
	numbers := fmt.Sprintf("smaller on %d of %d: %s %s", smaller, len(datasets), measure.Title(measureName), strings.Join(scores, ", "))
	return smaller == len(datasets), numbers
}

// find returns the mean over folds of the score with the given names. ok is false if there is none or if
// folds failed.
func (s source) find(dataset, method, split, measureName string) (mean float64, ok bool) {
	for i := range s.scores {
		x := &s.scores[i] // a pointer: there are many scores, and copies take longer than comparisons
		if x.Measure == measureName && x.Dataset == dataset && x.Method == method && x.Split == split {
			return x.Mean, x.Failed == 0
		}
	}
	return 0, false
}

// commonDatasets returns the data sets on which all methods have a score without failed folds.
func (s source) commonDatasets(methods []string, split, measureName string) []string {
	all := report.DistinctNames(s.scores, func(x measure.Score) string { return x.Dataset })
	return slices.DeleteFunc(all, func(dataset string) bool {
		return slices.ContainsFunc(methods, func(method string) bool {
			_, ok := s.find(dataset, method, split, measureName)
			return !ok
		})
	})
}

// rank ranks methods by a summary, such as the mean, of their scores over the data sets on which all methods
// have one. It returns nil if there are fewer than two such data sets.
func (s source) rank(methods []string, split, measureName string, summarize func([]float64) float64) ranking {
	common := s.commonDatasets(methods, split, measureName)
	if len(common) < 2 {
		return nil
	}
	return newRanking(methods, func(method string) float64 {
		var values []float64
		for _, dataset := range common {
			x, _ := s.find(dataset, method, split, measureName) // exists on common data sets
			values = append(values, x)
		}
		return summarize(values)
	})
}

// score returns a test score of a source. It is NaN if the score is missing, and the claim undecided.
func (p *part) score(s source, dataset, method, measureName string) float64 {
	x, ok := s.find(dataset, method, "test", measureName)
	if !ok {
		p.lack(s.name)
		return math.NaN()
	}
	return x
}

// rank returns the ranking of a source. If scores are missing, the claim is undecided, and the ranking has one
// NaN, so that rules need not distinguish it.
func (p *part) rank(s source, methods []string, split, measureName string, summarize func([]float64) float64) ranking {
	r := s.rank(methods, split, measureName, summarize)
	if r == nil {
		p.lack(s.name)
		return ranking{{value: math.NaN()}}
	}
	return r
}

// means ranks the paper's methods by their mean scores over the data sets.
func (p *part) means(split, measureName string) ranking {
	return p.rank(p.main, Methods(), split, measureName, statistics.Mean)
}

// medians ranks the paper's methods by their median scores over the data sets.
func (p *part) medians(split, measureName string) ranking {
	return p.rank(p.main, Methods(), split, measureName, statistics.Median)
}

// rankBetas ranks the values of β by their mean scores.
func (p *part) rankBetas(split, measureName string) ranking {
	if len(p.betaMethods) < 2 {
		p.lack(betaStudy)
	}
	return p.rank(p.beta, p.betaMethods, split, measureName, statistics.Mean)
}

// hasBetaQuirk reports whether the study of β scores β = 0.5 by other predictions than the other values of
// β, as the paper's notebook does. See betaPrediction.
func (p *part) hasBetaQuirk() bool {
	return slices.ContainsFunc(p.studies, func(s report.Study) bool {
		return s.Config.Preset == "beta" && s.Config.Protocol == string(data.Paper)
	})
}

// fractionWithin returns the fraction of the saved test rows of one training whose target is at most
// factor·σ from the predicted mean. Right standard deviations have normalWithin1Sigma of the rows within 1σ.
// ok is false if no training of the method on the data set has saved its rows.
func (p *part) fractionWithin(dataset, method string, factor float64) (fraction float64, ok bool) {
	points, err := p.readResiduals(dataset, method)
	if err != nil || len(points.X) == 0 {
		return 0, false
	}
	return percentWithin(points, factor) / 100, true
}

// ranking has methods, or data sets, with a value each, the smallest value first.
type ranking []rankedMethod

// rankedMethod is a method, or a data set, with its value.
type rankedMethod struct {
	method string
	value  float64
}

// newRanking returns the ranking of methods or data sets by their values. Equal values keep their order.
func newRanking(names []string, value func(name string) float64) ranking {
	var r ranking
	for _, name := range names {
		r = append(r, rankedMethod{name, value(name)})
	}
	r.sort()
	return r
}

// sort sorts the ranking by the values. Equal values keep their order.
func (r ranking) sort() {
	slices.SortStableFunc(r, func(a, b rankedMethod) int { return cmp.Compare(a.value, b.value) })
}

// last returns the method with the largest value.
func (r ranking) last() rankedMethod { return r[len(r)-1] }

// meets reports whether all conditions hold.
func (r ranking) meets(conditions []condition) bool {
	return !slices.ContainsFunc(conditions, func(c condition) bool { return !c(r) })
}

// beginsWith reports whether the methods with the smallest values are the given ones, in any order.
func (r ranking) beginsWith(methods ...string) bool {
	return len(r) >= len(methods) && r[:len(methods)].has(methods...)
}

// has reports whether the ranking has all of the given methods or data sets.
func (r ranking) has(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return !slices.ContainsFunc(r, func(x rankedMethod) bool { return x.method == name })
	})
}

// valueOf returns the value of a method, or NaN if it is not in the ranking.
func (r ranking) valueOf(method string) float64 {
	for _, x := range r {
		if x.method == method {
			return x.value
		}
	}
	return math.NaN()
}

// minus ranks the methods by the difference between their values and their values in another ranking.
func (r ranking) minus(other ranking) ranking {
	var methods []string
	for _, x := range r {
		methods = append(methods, x.method)
	}
	return newRanking(methods, func(method string) float64 { return r.valueOf(method) - other.valueOf(method) })
}

// String returns text such as "SML 0.50, PU-DE 0.55".
func (r ranking) String() string {
	var texts []string
	for _, x := range r {
		texts = append(texts, methodTitle(x.method)+" "+formatNumber(x.value))
	}
	return strings.Join(texts, ", ")
}

// formatRange returns the smallest and the largest value, such as "0.40 to 0.45".
func (r ranking) formatRange() string {
	return formatNumber(r[0].value) + " to " + formatNumber(r.last().value)
}

// formatNumber formats a score in a claim, such as "−0.55" or "1.7e8".
func formatNumber(x float64) string {
	const minWithExponent = 1e5
	if x >= minWithExponent || x <= -minWithExponent {
		return strings.Replace(fmt.Sprintf("%.1e", x), "e+0", "e", 1)
	}
	return chart.WithMinusSign(fmt.Sprintf("%.2f", x))
}
