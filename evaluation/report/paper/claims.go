package paper

import (
	"cmp"
	"fmt"
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
	says  string // the sentence, in other words than the paper's
	where string // section of the paper
	check func(*evidence) outcome

	seeds bool // whether the claim is about scores, and is also checked for each seed
}

// outcome is the result of checking a claim.
type outcome struct {
	verdict
	numbers string // numbers from which the verdict follows; "" if it is unknown
	needs   string // studies or data that the check lacks; "" unless the verdict is unknown
}

type verdict int

const (
	unknown verdict = iota
	holds
	holdsNot
)

func (v verdict) String() string { return [...]string{"cannot be told", "holds", "holds not"}[v] }

// decide returns the outcome of a check that has its numbers.
func decide(ok bool, format string, args ...any) outcome {
	v := holdsNot
	if ok {
		v = holds
	}
	return outcome{verdict: v, numbers: fmt.Sprintf(format, args...)}
}

// undecided returns the outcome of a check that lacks studies or data.
func undecided(needs string) outcome { return outcome{needs: needs} }

const (
	needsPaper  = "scores of all six methods: the preset paper"
	needsBeta   = "the preset beta"
	needsClaims = "the preset claims"
)

// finding is a claim with its outcome.
type finding struct {
	claim
	outcome
	held    int // number of seeds by whose scores the claim holds
	checked int // number of seeds by whose scores the claim could be checked
}

// findings checks all claims by the report's scores, and the claims about scores also by the scores of
// each seed.
func findings(r *report.Report, p *part) []finding {
	whole := &evidence{part: p, main: p.main, beta: p.beta, claims: p.claims}
	var seeds []*evidence
	for _, s := range r.Seeds {
		own := compare.Filter(s.Scores, isOwn)
		seeds = append(seeds, &evidence{part: p, main: compare.Filter(own, p.isMain), beta: compare.Filter(own, p.isBeta), claims: compare.Filter(own, p.isClaim)})
	}
	var list []finding
	for _, c := range claims {
		f := finding{claim: c, outcome: c.check(whole)}
		for _, e := range seeds {
			if !c.seeds {
				break
			}
			if o := c.check(e); o.verdict != unknown {
				f.checked++
				if o.verdict == holds {
					f.held++
				}
			}
		}
		list = append(list, f)
	}
	return list
}

// String returns the verdict, with the number of seeds by which the claim holds.
func (f finding) String() string {
	text := f.verdict.String()
	if f.verdict == unknown {
		return text + ": needs " + f.needs
	}
	if f.checked > 1 {
		text += fmt.Sprintf(" (in %d of %d seeds)", f.held, f.checked)
	}
	return text
}

// claimsTable returns a table of the claims with their numbers.
func claimsTable(list []finding) tabular.Table {
	t := tabular.Table{
		Caption: "Claims of the paper's text, each with its numbers", Words: 4, Header: []string{"claim", "section", "numbers", "verdict"},
		Notes: []string{"Numbers of several seeds are means over these; in how many seeds by themselves a claim holds stands in brackets. Level, like, comparable: within 0.1 or a fifth of one another."},
	}
	for _, f := range list {
		t.Body = append(t.Body, tabular.Words(f.says, f.where, f.numbers, f.String()))
	}
	return t
}

// claimsSection returns the claims as a list, which suits phones better than a table.
func claimsSection(list []finding) report.Section {
	n := map[verdict]int{}
	s := report.Section{ID: "claims", Title: "Claims of the paper's text"}
	for _, f := range list {
		n[f.verdict]++
		name := f.String()
		reason := report.LabelledText{Label: "Numbers", Text: f.numbers}
		if f.verdict == unknown {
			name = f.verdict.String()
			reason = report.LabelledText{Label: "It needs", Text: f.needs}
		}
		s.Terms = append(s.Terms, report.Term{Name: name, Texts: []report.LabelledText{{Label: "Of the paper: " + f.where, Text: f.says}, reason}})
	}
	s.Text = []string{fmt.Sprintf("Of %d sentences that numbers can bear out, %d hold, %d do not, and %d cannot be told by these studies.", len(list), n[holds], n[holdsNot], n[unknown]), claimsTable(nil).Notes[0]}
	return s
}

// evidence has the scores by which claims are checked: means over seeds, or the scores of one seed.
type evidence struct {
	*part
	main, beta, claims []measure.Score
}

// score returns the mean of the score with the given names; ok is false if there is none or if folds
// failed.
func score(scores []measure.Score, dataset, method, split, name string) (float64, bool) {
	for i := range scores { // there are many, and copies take longer than comparisons
		if s := &scores[i]; s.Measure == name && s.Dataset == dataset && s.Method == method && s.Split == split {
			if s.Failed > 0 {
				break
			}
			return s.Mean, true
		}
	}
	return 0, false
}

// commonDatasets returns the data sets on which all methods have a score.
func commonDatasets(scores []measure.Score, methods []string, split, name string) []string {
	all := compare.DistinctNames(scores, func(s measure.Score) string { return s.Dataset })
	return slices.DeleteFunc(all, func(dataset string) bool {
		return slices.ContainsFunc(methods, func(method string) bool {
			_, ok := score(scores, dataset, method, split, name)
			return !ok
		})
	})
}

// summary returns a summary, such as the mean, of each method's scores over the data sets on which all
// methods have one. It returns nil if there are fewer than two such data sets.
func summary(scores []measure.Score, methods []string, split, name string, sum func([]float64) float64) ranking {
	common := commonDatasets(scores, methods, split, name)
	if len(common) < 2 {
		return nil
	}
	return newRanking(methods, func(method string) float64 {
		var values []float64
		for _, dataset := range common {
			x, _ := score(scores, dataset, method, split, name)
			values = append(values, x)
		}
		return sum(values)
	})
}

// ranking has methods with a value each, sorted by value, the smallest first.
type ranking []rankedMethod

type rankedMethod struct {
	method string
	value  float64
}

// newRanking returns the ranking of names by their values.
func newRanking(names []string, value func(name string) float64) ranking {
	var r ranking
	for _, name := range names {
		r = append(r, rankedMethod{name, value(name)})
	}
	r.sort()
	return r
}

func (r ranking) sort() {
	slices.SortStableFunc(r, func(a, b rankedMethod) int { return cmp.Compare(a.value, b.value) })
}

// beginsWith reports whether the methods with the least values are these, in any order.
func (r ranking) beginsWith(methods ...string) bool {
	return len(r) >= len(methods) && r[:len(methods)].has(methods...)
}

// valueOf returns the value of a method.
func (r ranking) valueOf(method string) float64 {
	return r[slices.IndexFunc(r, func(x rankedMethod) bool { return x.method == method })].value
}

func (r ranking) String() string {
	var parts []string
	for _, x := range r {
		parts = append(parts, methodTitle(x.method)+" "+number(x.value))
	}
	return strings.Join(parts, ", ")
}

// number returns the text of a score in a claim.
func number(x float64) string {
	if x >= 1e5 || x <= -1e5 {
		return strings.Replace(fmt.Sprintf("%.1e", x), "e+0", "e", 1)
	}
	return strings.Replace(fmt.Sprintf("%.2f", x), "-", "−", 1)
}

// isClose reports whether a is within the report's tolerance of b.
func isClose(a, b float64) bool { return max(a-b, b-a) <= compare.Tolerance(b) }

// fractionWithin returns the fraction of one training's saved test rows whose target is at most factor·σ
// from the mean. ok is false if no training has saved its rows.
func (e *evidence) fractionWithin(dataset, method string, factor float64) (share float64, ok bool) {
	in, cell := e.cellWithRows(dataset, method)
	if cell == nil {
		return 0, false
	}
	rows, err := study.ReadPredictions(in.Dir, in.Plan, *cell)
	if err != nil || len(rows) == 0 {
		return 0, false
	}
	for _, row := range rows {
		if d := row.Mean - row.Y; max(d, -d) <= factor*row.Std {
			share += 1 / float64(len(rows))
		}
	}
	return share, true
}

// rank returns the ranking of the paper's methods by a summary of a measure; nil if scores are missing.
func (e *evidence) rank(split, name string, sum func([]float64) float64) ranking {
	return summary(e.main, Methods(), split, name, sum)
}

// checkMeans checks the ranking by means.
func (e *evidence) checkMeans(split, name string, ok func(ranking) bool) outcome {
	r := e.rank(split, name, statistics.Mean)
	if r == nil {
		return undecided(needsPaper)
	}
	return decide(ok(r), "%v", r)
}

// checkMeansAndMedians checks the rankings by means and by medians.
func (e *evidence) checkMeansAndMedians(split, name string, ok func(ranking) bool) outcome {
	r, m := e.rank(split, name, statistics.Mean), e.rank(split, name, statistics.Median)
	if r == nil {
		return undecided(needsPaper)
	}
	return decide(ok(r) && ok(m), "mean: %v; median: %v", r, m)
}

// checkShifts checks the rankings by means on each kind of rows under shift. The claim holds if at least
// minimum of them are ok.
func (e *evidence) checkShifts(name string, minimum int, ok func(ranking) bool) outcome {
	n, said := 0, []string(nil)
	for _, split := range shifts {
		r := e.rank(split, name, statistics.Mean)
		if r == nil {
			return undecided(needsPaper)
		}
		if ok(r) {
			n++
		}
		said = append(said, fmt.Sprintf("%s: %v", split, r))
	}
	return decide(n >= minimum, "%d of %d; %s", n, len(shifts), strings.Join(said, "; "))
}

// checkEach makes a check for each name; the claim holds if all are ok. A check returns its numbers as
// text, and whether the data for it are available.
func (e *evidence) checkEach(needs string, names []string, check func(name string) (ok bool, says string, there bool)) outcome {
	all, said := true, []string(nil)
	for _, name := range names {
		ok, says, there := check(name)
		if !there {
			return undecided(needs)
		}
		all, said = all && ok, append(said, measure.Title(methodTitle(name))+": "+says)
	}
	return decide(all, "%s", strings.Join(said, "; "))
}

// checkLess checks that the method after has a smaller score than the method before on each data set.
func (e *evidence) checkLess(datasets []string, before, after, name string, scores []measure.Score) outcome {
	less, said := 0, []string(nil)
	for _, dataset := range datasets {
		x, ok := score(scores, dataset, before, "test", name)
		y, there := score(scores, dataset, after, "test", name)
		if !ok || !there {
			return undecided("the presets paper and claims")
		}
		if y < x {
			less++
		}
		said = append(said, fmt.Sprintf("%s %s → %s", dataset, number(x), number(y)))
	}
	if len(datasets) == 0 {
		return undecided(needsClaims)
	}
	return decide(less == len(datasets), "less on %d of %d: %s %s", less, len(datasets), measure.Title(name), strings.Join(said, ", "))
}

// betaMethods returns the labels of the study of β, from small to large β.
func (e *evidence) betaMethods() []string {
	return compare.DistinctNames(e.part.beta, func(s measure.Score) string { return s.Method })
}

// hasBetaQuirk reports whether β = 0.5 is scored by other predictions than the other values of β, see
// betaPrediction.
func (e *evidence) hasBetaQuirk() bool {
	return slices.ContainsFunc(e.studies, func(s report.Study) bool {
		return s.Config.Preset == "beta" && s.Config.Protocol == string(data.Paper)
	})
}

// betaQuirkNote returns a note on hasBetaQuirk, "" if it is false.
func (e *evidence) betaQuirkNote() string {
	if e.hasBetaQuirk() {
		return " (β = 0.5 alone is judged by f and σ_total)"
	}
	return ""
}

// betas returns the ranking of the values of β by the mean of a measure; nil if scores are missing.
func (e *evidence) betas(split, name string) ranking {
	if methods := e.betaMethods(); len(methods) > 1 {
		return summary(e.beta, methods, split, name, statistics.Mean)
	}
	return nil
}

// scoreGaps returns the ranking of methods by test score minus training score.
func scoreGaps(train, test ranking) ranking {
	var methods []string
	for _, x := range test {
		methods = append(methods, x.method)
	}
	return newRanking(methods, func(method string) float64 { return test.valueOf(method) - train.valueOf(method) })
}

// has reports whether the ranking has all of the names.
func (r ranking) has(names ...string) bool {
	for _, name := range names {
		if !slices.ContainsFunc(r, func(x rankedMethod) bool { return x.method == name }) {
			return false
		}
	}
	return true
}

// formatPair returns the values of two methods, "" if the ranking is nil.
func formatPair(r ranking, a, b string) string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf("%s %s, %s %s", methodTitle(a), number(r.valueOf(a)), methodTitle(b), number(r.valueOf(b)))
}
