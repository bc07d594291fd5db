package paper

import (
	"cmp"
	_ "embed"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/report/chart"
	"sml/evaluation/study"
	"sml/internal/statistics"
)

// comparedMeasures are the measures of the publications: the error of the mean, and the negative log-likelihood.
var comparedMeasures = []string{"rmse", "nll-full"}

// AddBenchmark adds tables with our scores beside published ones to a report. It does nothing if no study has scores on the
// published divisions of a data set of the benchmark, or if a study transforms the target of one, so that its scores are
// not in the target's unit.
func AddBenchmark(r *report.Report) {
	if slices.ContainsFunc(r.Studies, transformsTarget) {
		return
	}
	var tables []report.Table
	for _, name := range comparedMeasures {
		b := newBenchmark(r.Folds, name)
		if len(b.methods) > 0 {
			tables = append(tables, b.table(r.MethodTitle))
		}
	}
	if len(tables) == 0 {
		return
	}
	r.Tables = append(r.Tables, report.Tables{Name: "uci20", List: tables})
	r.Sections = append(r.Sections, report.Section{
		ID:    "uci20",
		Title: "Published benchmarks",
		Text: []string{"The published divisions of UCI data sets, with the scores that publications report for them, in the unit of the target. " +
			"The publications train in different ways, so that only large differences tell methods apart."},
		Tables: tables,
	})
}

// transformsTarget reports whether a study transforms the target of a data set of the benchmark.
func transformsTarget(s report.Study) bool {
	return slices.ContainsFunc(s.Cells, func(c study.PlannedCell) bool {
		return c.Training.Split == uciSplit && c.Table.Transform != ""
	})
}

// benchmark has our scores by one measure, in the unit of the targets.
type benchmark struct {
	measure  measure.Measure
	datasets []string              // data sets with a score, in the order of the benchmark
	methods  []string              // labels, in the order of the study
	scores   map[uciCell][]float64 // score of each fold, the mean over its seeds
}

// uciCell is the key of the scores of a method on a data set.
type uciCell struct{ dataset, method string }

// uciFold is the key of the scores of a fold, one for each seed. The divisions do not depend on the seed.
type uciFold struct {
	uciCell
	fold int
}

// newBenchmark returns the scores on the published divisions by a measure.
func newBenchmark(folds []study.FoldScores, measureName string) *benchmark {
	b := &benchmark{scores: make(map[uciCell][]float64)}
	b.measure, _ = measure.Lookup(measureName) // it is registered
	bySeed := make(map[uciFold][]float64)
	for _, f := range folds {
		if f.Split != uciSplit || !f.Scores.Has(measureName) || !slices.Contains(uciDatasets, f.Dataset) {
			continue
		}
		key := uciFold{uciCell{f.Dataset, f.Method}, f.Fold}
		bySeed[key] = append(bySeed[key], f.Scores.InUnit(f.TargetStd).Get(measureName))
		if !slices.Contains(b.methods, f.Method) {
			b.methods = append(b.methods, f.Method)
		}
	}
	isScored := make(map[string]bool) // by data set
	byFold := func(a, b uciFold) int { return cmp.Compare(a.fold, b.fold) }
	for _, key := range slices.SortedFunc(maps.Keys(bySeed), byFold) { // each list of scores is in the order of the folds
		b.scores[key.uciCell] = append(b.scores[key.uciCell], statistics.Mean(bySeed[key]))
		isScored[key.dataset] = true
	}
	b.datasets = slices.DeleteFunc(slices.Clone(uciDatasets), func(name string) bool { return !isScored[name] })
	return b
}

// table returns a table with a row for each publication and, below them, for each of our methods.
func (b *benchmark) table(title func(label string) string) report.Table {
	t := report.Table{
		Caption: b.measure.Title + " on the published divisions, in the unit of the target",
		Words:   1,
		Header:  append([]string{"method"}, b.datasets...),
	}
	for _, p := range publications {
		row := []string{p.method}
		for _, dataset := range b.datasets {
			row = append(row, markOtherTarget(dataset, p.score(dataset, b.measure.Name)))
		}
		t.Body = append(t.Body, report.TextCells(row...))
	}
	for _, method := range b.methods {
		row := report.TextCells(title(method))
		for _, dataset := range b.datasets {
			row = append(row, b.scoreCell(uciCell{dataset, method}))
		}
		t.Foot = append(t.Foot, row)
	}
	t.Notes = b.notes()
	return t
}

// otherTargetMark follows a published score of another target than ours.
const otherTargetMark = " †"

// markOtherTarget returns the published score with a mark if it is not of our target.
func markOtherTarget(dataset, score string) string {
	if otherTarget[dataset] == "" || score == "" {
		return score
	}
	return score + otherTargetMark
}

// scoreCell returns the cell of a method and a data set: the mean over the folds, its standard error and, in brackets, the
// standard deviation. The best method of a data set, by the mean, is bold.
func (b *benchmark) scoreCell(key uciCell) report.Cell {
	scores := b.scores[key]
	if len(scores) == 0 {
		return report.Cell{Text: "–"}
	}
	mean, std := statistics.MeanStd(scores)
	decimals := b.decimals(key.dataset)
	if !statistics.IsFinite(mean) {
		return report.Cell{Text: formatScore(mean, decimals)}
	}
	standardError := std / math.Sqrt(float64(len(scores)))
	return report.Cell{
		Text:  formatScore(mean, decimals) + " ± " + formatScore(standardError, decimals),
		Below: []string{"(" + formatScore(std, decimals) + ")"},
		Best:  mean == b.bestMean(key.dataset),
	}
}

// bestMean returns the smallest mean over the folds of a data set, or NaN if no method has a score there.
func (b *benchmark) bestMean(dataset string) float64 {
	var means []float64
	for _, method := range b.methods {
		mean, _ := statistics.MeanStd(b.scores[uciCell{dataset, method}]) // the same rounding as in scoreCell
		if !math.IsNaN(mean) {
			means = append(means, mean)
		}
	}
	if len(means) == 0 {
		return math.NaN()
	}
	return slices.Min(means)
}

// decimals returns the number of decimals of the scores on a data set: two, as in the publications, or enough for three
// digits of the best root-mean-square error.
func (b *benchmark) decimals(dataset string) int {
	const minDecimals, digits = 2, 3
	if b.measure.Name != "rmse" {
		return minDecimals
	}
	_, exponent, _ := strings.Cut(strconv.FormatFloat(b.bestMean(dataset), 'e', digits-1, 64), "e")
	power, _ := strconv.Atoi(exponent) // of a finite number; 0 otherwise
	return max(minDecimals, digits-1-power)
}

// minWithPower is the size from which on numbers are written with a power of ten.
const minWithPower = 10_000

// formatScore formats a number with a fixed number of decimals and a true minus sign, as 5.4·10^9 if it is large, and as
// ∞ if it is infinite.
func formatScore(x float64, decimals int) string {
	if math.IsInf(x, 0) {
		return "∞"
	}
	text := strconv.FormatFloat(x, 'f', decimals, 64)
	if math.Abs(x) >= minWithPower {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 1, 64), "e+")
		text = mantissa + "·10^" + strings.TrimLeft(exponent, "0")
	}
	return chart.WithMinusSign(text)
}

// notes returns the notes of a table: what its numbers are, which of them are not comparable, and how many folds they
// have.
func (b *benchmark) notes() []string {
	notes := []string{"Above the line: published scores. Below it: ours, the mean over the folds ± its standard error, with the standard deviation over the folds in brackets; the best of our scores on each data set is bold."}
	var spreads []string
	for _, p := range publications {
		spreads = append(spreads, p.method+": "+p.spread)
	}
	notes = append(notes, "What ± means in the publications: "+strings.Join(spreads, "; ")+".")
	var otherTargets []string
	for _, dataset := range b.datasets {
		if text := otherTarget[dataset]; text != "" {
			otherTargets = append(otherTargets, text)
		}
	}
	if len(otherTargets) > 0 {
		notes = append(notes, "†: not comparable, because "+strings.Join(otherTargets, ", and ")+".")
	}
	return append(notes, "Folds of a method on a data set: "+b.listFoldCounts()+".")
}

// listFoldCounts returns the different numbers of folds that methods have on data sets, such as "18 or 20".
func (b *benchmark) listFoldCounts() string {
	occurs := make(map[int]bool) // by number of folds
	for _, scores := range b.scores {
		occurs[len(scores)] = true
	}
	var texts []string
	for _, count := range slices.Sorted(maps.Keys(occurs)) {
		texts = append(texts, strconv.Itoa(count))
	}
	return strings.Join(texts, " or ")
}

// publication is a method in a table of printed scores.
type publication struct {
	method string // method and year, as in the table
	spread string // what follows the ±, for a note
}

// publications are the methods in the order of their publication.
var publications = []publication{
	{"PBP, 2015", "the standard error"},
	{"MC dropout, 2018", "the standard error, but for energy's RMSE the standard deviation"},
	{"deep ensemble, 2017", "the standard deviation"},
	{"NGBoost, 2020", "the standard deviation"},
	{"evidential, 2020", "as printed, of an unknown kind"},
}

var (
	//go:embed uci20.csv
	uciTable string

	// uciPublished has the scores of the publications by method, data set and measure, in the unit of the target, with a
	// spread where one is printed. NLL is the negative log-likelihood of a row.
	//
	// Sources: Lakshminarayanan et al. (2017), Simple and Scalable Predictive Uncertainty Estimation using Deep Ensembles,
	// table 1, for PBP (Hernández-Lobato and Adams, 2015) and deep ensembles; the readme of DropoutUncertaintyExps (Gal and
	// Ghahramani, version of 2018) for MC dropout; Matsubara et al. (2024), Wasserstein Gradient Boosting, for NGBoost
	// (Duan et al., 2020) and evidential regression (Amini et al., 2020).
	uciPublished = readPrinted(uciTable)
)

// otherTarget has a note for each data set on which the publications and this program predict different columns.
var otherTarget = map[string]string{
	"energy": "the publications predict the heating load of energy, and this program the cooling load, which is harder",
	"naval":  "the publications predict the decay of naval's compressor, and this program the decay of its turbine",
}

// score returns the printed score by a measure on a data set, or "" if none is printed.
func (p publication) score(dataset, measure string) string {
	return uciPublished[printedCell{p.method, dataset, measure}]
}
