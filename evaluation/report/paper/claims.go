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
	"sml/evaluation/report/internal/compare"
	"sml/evaluation/report/internal/tabular"
	"sml/evaluation/study"
	"sml/internal/statistics"
)

// claim is a sentence of the paper's text that numbers can confirm or refute.
type claim struct {
	text    string                  // the sentence, in other words than the paper's
	section string                  // section of the paper
	bySeed  bool                    // whether the claim is about scores, and is also checked by the scores of each seed
	check   func(*evidence) outcome // verdict and numbers; undecided if the evidence lacks scores
}

// outcome is the result of checking a claim.
type outcome struct {
	verdict
	numbers string // numbers from which the verdict follows; "" if it is unknown
	needs   string // studies or data that the check lacks; "" unless the verdict is unknown
}

// verdict says whether a claim is true.
type verdict int

const (
	unknown verdict = iota // the studies lack the numbers
	holds
	doesNotHold
)

// String returns the verdict as reports show it.
func (v verdict) String() string {
	switch v {
	case holds:
		return "holds"
	case doesNotHold:
		return "does not hold"
	}
	return "undecided"
}

// decide returns the outcome of a check: the verdict, and the numbers from which it follows.
func decide(isTrue bool, format string, args ...any) outcome {
	v := doesNotHold
	if isTrue {
		v = holds
	}
	return outcome{verdict: v, numbers: fmt.Sprintf(format, args...)}
}

// undecidedWithout returns the outcome of a check that lacks studies or data: the verdict unknown, and text
// on what the check needs.
func undecidedWithout(needs string) outcome { return outcome{verdict: unknown, needs: needs} }

// The studies that checks need most often, for undecidedWithout.
const (
	paperStudy  = "scores of all six methods: the preset paper"
	betaStudy   = "the preset beta"
	claimsStudy = "the preset claims"
)

// finding is a claim with its outcome.
type finding struct {
	claim
	outcome
	holding int // number of seeds by whose scores the claim holds
	checked int // number of seeds by whose scores the claim could be checked
}

// checkClaims checks all claims by the report's scores, which are means over seeds, and the claims about scores
// also by the scores of each seed. The findings count the seeds with each verdict.
func checkClaims(r *report.Report, p *part) []finding {
	allSeeds := &evidence{part: p, main: p.main, beta: p.beta, claims: p.claims}
	var seeds []*evidence
	for _, seed := range r.Seeds {
		scores := compare.Filter(seed.Scores, isOwn)
		seeds = append(seeds, &evidence{
			part:   p,
			main:   compare.Filter(scores, p.isMain),
			beta:   compare.Filter(scores, p.isBeta),
			claims: compare.Filter(scores, p.isClaim),
		})
	}
	var findings []finding
	for _, c := range claims {
		f := finding{claim: c, outcome: c.check(allSeeds)}
		if c.bySeed {
			f.checkSeeds(seeds)
		}
		findings = append(findings, f)
	}
	return findings
}

// checkSeeds checks the claim by the scores of each seed, and counts the verdicts.
func (f *finding) checkSeeds(seeds []*evidence) {
	for _, e := range seeds {
		switch f.check(e).verdict {
		case holds:
			f.checked++
			f.holding++
		case doesNotHold:
			f.checked++
		}
	}
}

// String returns the verdict with what the check lacks, or with the number of seeds for which the claim
// holds, such as "holds (in 4 of 5 seeds)".
func (f finding) String() string {
	switch {
	case f.verdict == unknown:
		return f.verdict.String() + ": needs " + f.needs
	case f.checked > 1:
		return fmt.Sprintf("%v (in %d of %d seeds)", f.verdict, f.holding, f.checked)
	}
	return f.verdict.String()
}

// claimsNote explains the table and the list of claims.
const claimsNote = "With several seeds, the numbers are means over the seeds; in brackets, the number of seeds by whose own scores the claim holds. " +
	"Scores are close, level or comparable if they differ by at most 0.1 or a fifth."

// claimsTable returns a table of the claims with their numbers and verdicts.
func claimsTable(findings []finding) tabular.Table {
	t := tabular.Table{
		Caption: "Claims of the paper's text, with the numbers that decide them",
		Words:   4,
		Header:  []string{"claim", "section", "numbers", "verdict"},
		Notes:   []string{claimsNote},
	}
	for _, f := range findings {
		t.Body = append(t.Body, tabular.Words(f.text, f.section, f.numbers, f.String()))
	}
	return t
}

// claimsSection returns the claims as a list, which suits phones better than a table.
func claimsSection(findings []finding) report.Section {
	counts := make(map[verdict]int) // number of findings
	s := report.Section{ID: "claims", Title: "Claims of the paper's text"}
	for _, f := range findings {
		counts[f.verdict]++
		name := f.String()
		reason := report.LabelledText{Label: "Numbers", Text: f.numbers}
		if f.verdict == unknown {
			name = f.verdict.String()
			reason = report.LabelledText{Label: "Needs", Text: f.needs}
		}
		quotation := report.LabelledText{Label: "Paper, section " + f.section, Text: f.text}
		s.Terms = append(s.Terms, report.Term{Name: name, Texts: []report.LabelledText{quotation, reason}})
	}
	counted := fmt.Sprintf("Of %d claims that numbers can decide, %d hold, %d do not hold, and %d cannot be decided by these studies.",
		len(findings), counts[holds], counts[doesNotHold], counts[unknown])
	s.Text = []string{counted, claimsNote}
	return s
}

// evidence has the scores by which claims are checked: means over seeds, or the scores of one seed.
type evidence struct {
	*part // the studies, with the saved predictions

	// Scores for the purposes that part explains. They hide the fields of part with these names, which have
	// the means over seeds.
	main, beta, claims []measure.Score
}

// score returns the mean over folds of the score with the given names. ok is false if there is none or if
// folds failed.
func score(scores []measure.Score, dataset, method, split, measureName string) (mean float64, ok bool) {
	for i := range scores {
		s := &scores[i] // a pointer: there are many scores, and copies take longer than comparisons
		if s.Measure == measureName && s.Dataset == dataset && s.Method == method && s.Split == split {
			return s.Mean, s.Failed == 0
		}
	}
	return 0, false
}

// commonDatasets returns the data sets on which all methods have a score without failed folds.
func commonDatasets(scores []measure.Score, methods []string, split, measureName string) []string {
	all := compare.DistinctNames(scores, func(s measure.Score) string { return s.Dataset })
	return slices.DeleteFunc(all, func(dataset string) bool {
		return slices.ContainsFunc(methods, func(method string) bool {
			_, ok := score(scores, dataset, method, split, measureName)
			return !ok
		})
	})
}

// rankMethods ranks methods by a summary, such as the mean, of their scores over the data sets on which all
// methods have one. It returns nil if there are fewer than two such data sets.
func rankMethods(scores []measure.Score, methods []string, split, measureName string, summarize func([]float64) float64) ranking {
	common := commonDatasets(scores, methods, split, measureName)
	if len(common) < 2 {
		return nil
	}
	return newRanking(methods, func(method string) float64 {
		var values []float64
		for _, dataset := range common {
			x, _ := score(scores, dataset, method, split, measureName) // exists on common data sets
			values = append(values, x)
		}
		return summarize(values)
	})
}

// ranking has methods, or data sets, with a value each, the smallest value first. A nil ranking means that
// scores are missing.
type ranking []rankedMethod

// rankedMethod is a method, or a data set, with its value.
type rankedMethod struct {
	method string
	value  float64
}

// newRanking returns the ranking of methods or data sets by their values.
func newRanking(names []string, value func(name string) float64) ranking {
	var r ranking
	for _, name := range names {
		r = append(r, rankedMethod{name, value(name)})
	}
	r.sort()
	return r
}

// sort sorts the ranking by value. Equal values keep their order.
func (r ranking) sort() {
	slices.SortStableFunc(r, func(a, b rankedMethod) int { return cmp.Compare(a.value, b.value) })
}

// last returns the method with the largest value.
func (r ranking) last() rankedMethod { return r[len(r)-1] }

// beginsWith reports whether the methods with the smallest values are the given ones, in any order.
func (r ranking) beginsWith(methods ...string) bool {
	return len(r) >= len(methods) && r[:len(methods)].has(methods...)
}

// valueOf returns the value of a method, which must be in the ranking.
func (r ranking) valueOf(method string) float64 {
	return r[slices.IndexFunc(r, func(x rankedMethod) bool { return x.method == method })].value
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
	return strings.Replace(fmt.Sprintf("%.2f", x), "-", "−", 1)
}

// isClose reports whether a is within compare.Tolerance of b, within which a score counts as reproduced.
func isClose(a, b float64) bool { return max(a-b, b-a) <= compare.Tolerance(b) }

// fractionWithin returns the fraction of the saved test rows of one training whose target is at most
// factor·σ from the predicted mean. Right standard deviations have normalWithin1Sigma of the rows within 1σ.
// ok is false if no training of the method on the data set has saved its rows.
func (e *evidence) fractionWithin(dataset, method string, factor float64) (fraction float64, ok bool) {
	in, cell := e.cellWithRows(dataset, method)
	if cell == nil {
		return 0, false
	}
	rows, err := study.ReadPredictions(in.Dir, in.Plan, *cell)
	if err != nil || len(rows) == 0 {
		return 0, false
	}
	for _, row := range rows {
		if math.Abs(row.Mean-row.Y) <= factor*row.Std {
			fraction += 1 / float64(len(rows))
		}
	}
	return fraction, true
}

// rank ranks the paper's methods by a summary over the data sets, such as the mean, of their scores. It
// returns nil if scores are missing.
func (e *evidence) rank(split, measureName string, summarize func([]float64) float64) ranking {
	return rankMethods(e.main, Methods(), split, measureName, summarize)
}

// checkMeans checks the ranking of the paper's methods by their mean scores.
func (e *evidence) checkMeans(split, measureName string, isAsClaimed func(ranking) bool) outcome {
	r := e.rank(split, measureName, statistics.Mean)
	if r == nil {
		return undecidedWithout(paperStudy)
	}
	return decide(isAsClaimed(r), "%v", r)
}

// checkMeansAndMedians checks the rankings of the paper's methods by their mean and by their median scores.
// The claim holds if both are as claimed.
func (e *evidence) checkMeansAndMedians(split, measureName string, isAsClaimed func(ranking) bool) outcome {
	means := e.rank(split, measureName, statistics.Mean)
	medians := e.rank(split, measureName, statistics.Median)
	if means == nil {
		return undecidedWithout(paperStudy)
	}
	return decide(isAsClaimed(means) && isAsClaimed(medians), "mean: %v; median: %v", means, medians)
}

// checkShifts checks the rankings by mean scores on each split with shift. The claim holds if at least
// minimum of the rankings are as claimed.
func (e *evidence) checkShifts(measureName string, minimum int, isAsClaimed func(ranking) bool) outcome {
	count := 0 // number of rankings in the claimed order
	var numbers []string
	for _, split := range shifts {
		r := e.rank(split, measureName, statistics.Mean)
		if r == nil {
			return undecidedWithout(paperStudy)
		}
		if isAsClaimed(r) {
			count++
		}
		numbers = append(numbers, fmt.Sprintf("%s: %v", split, r))
	}
	return decide(count >= minimum, "%d of %d; %s", count, len(shifts), strings.Join(numbers, "; "))
}

// checkEach checks a claim for each of several measures, splits or data sets. It holds if it holds for all,
// and is undecided if any of them is undecided.
func checkEach(names []string, check func(name string) outcome) outcome {
	holdsForAll := true
	var numbers []string
	for _, name := range names {
		o := check(name)
		if o.verdict == unknown {
			return o
		}
		holdsForAll = holdsForAll && o.verdict == holds
		title := measure.Title(methodTitle(name)) // the title if name is a measure or a method, otherwise name
		numbers = append(numbers, title+": "+o.numbers)
	}
	return decide(holdsForAll, "%s", strings.Join(numbers, "; "))
}

// checkSmaller checks that the changed method has a smaller test score than the original on each data set.
func checkSmaller(scores []measure.Score, datasets []string, original, changed, measureName string) outcome {
	smaller := 0 // number of data sets
	var numbers []string
	for _, dataset := range datasets {
		before, hasBefore := score(scores, dataset, original, "test", measureName)
		after, hasAfter := score(scores, dataset, changed, "test", measureName)
		if !hasBefore || !hasAfter {
			return undecidedWithout("the presets paper and claims")
		}
		if after < before {
			smaller++
		}
		numbers = append(numbers, fmt.Sprintf("%s %s → %s", dataset, formatNumber(before), formatNumber(after)))
	}
	if len(datasets) == 0 {
		return undecidedWithout(claimsStudy)
	}
	return decide(smaller == len(datasets), "smaller on %d of %d: %s %s", smaller, len(datasets), measure.Title(measureName), strings.Join(numbers, ", "))
}

// betaMethods returns the labels of the study of β in the order of the scores, from small to large β. They are
// the same for all seeds, so that part has them.
func (e *evidence) betaMethods() []string {
	return compare.DistinctNames(e.part.beta, func(s measure.Score) string { return s.Method })
}

// hasBetaQuirk reports whether the study of β scores β = 0.5 by other predictions than the other values of
// β, as the paper's notebook does. See betaPrediction.
func (e *evidence) hasBetaQuirk() bool {
	return slices.ContainsFunc(e.studies, func(s report.Study) bool {
		return s.Config.Preset == "beta" && s.Config.Protocol == string(data.Paper)
	})
}

// betaQuirkNote returns a note that follows the numbers if hasBetaQuirk is true, and otherwise "".
func (e *evidence) betaQuirkNote() string {
	if e.hasBetaQuirk() {
		return " (only β = 0.5 is scored by f and σ_total)"
	}
	return ""
}

// rankBetas ranks the values of β by their mean scores. It returns nil if scores are missing.
func (e *evidence) rankBetas(split, measureName string) ranking {
	methods := e.betaMethods()
	if len(methods) < 2 {
		return nil
	}
	return rankMethods(e.beta, methods, split, measureName, statistics.Mean)
}

// scoreGaps ranks the methods by test score minus training score.
func scoreGaps(train, test ranking) ranking {
	var methods []string
	for _, x := range test {
		methods = append(methods, x.method)
	}
	return newRanking(methods, func(method string) float64 { return test.valueOf(method) - train.valueOf(method) })
}

// has reports whether the ranking has all of the given methods or data sets.
func (r ranking) has(names ...string) bool {
	for _, name := range names {
		if !slices.ContainsFunc(r, func(x rankedMethod) bool { return x.method == name }) {
			return false
		}
	}
	return true
}

// formatPair returns the values of two methods, such as "SML 0.50, PU-DE 0.55".
func formatPair(r ranking, first, second string) string {
	return fmt.Sprintf("%s %s, %s %s", methodTitle(first), formatNumber(r.valueOf(first)), methodTitle(second), formatNumber(r.valueOf(second)))
}
