package paper

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/report/chart"
)

// Add adds the paper to a report: its scores as the reference, its two tables, its claims, and a section on
// its questionable choices. It sorts r.Scores and names methods as the paper does. Add does nothing if no
// study has one of the paper's methods on one of its data sets; the paper's figures are then not drawn
// either.
func Add(r *report.Report) {
	p := newPart(r)
	if p == nil {
		return
	}
	sortScores(r.Scores)
	r.Reference = reference
	r.MethodTitle = methodTitle
	p.showMainScores(r)
	hasOtherDatasets := slices.ContainsFunc(r.Scores, func(s measure.Score) bool { return !slices.Contains(datasets, s.Dataset) })
	if !hasOtherDatasets {
		introducePaper(r)
	}
	p.addTables(r)
}

// showMainScores restricts the scores that the report shows to scores for neither the study of β nor the preset
// claims: the tables of β and the claims have those. A report that has only such scores shows all.
func (p *part) showMainScores(r *report.Report) {
	shown := report.FilterScores(r.Scores, func(s measure.Score) bool { return !p.isBeta(s) && !p.isClaim(s) })
	if len(shown) > 0 {
		r.Shown = shown
	}
}

// introducePaper replaces the title and the introduction of a report that is only on the paper's data sets. It
// removes the overviews, because figures 2, 7, 8 and 9 of the paper show the same.
func introducePaper(r *report.Report) {
	r.Title = "Second-moment loss: the evaluation"
	r.Intro = []string{"Regression networks that report their uncertainty are trained on the data sets of the paper, and their means and uncertainties are scored. " +
		"Every score is a mean over folds and refers to the standardised target. The paper's score stands below ours wherever the paper printed one."}
	r.Overviews = nil
}

// addTables adds the paper's tables and claims to the files and to the page of a report.
func (p *part) addTables(r *report.Report) {
	datasetTable := table1(r.Protocol())
	findings := checkClaims(r, p)
	beta := report.Report{Shown: p.beta.scores, MethodTitle: methodTitle}
	r.Tables = append(r.Tables,
		report.Tables{Name: "table1", List: []report.Table{datasetTable}},
		report.Tables{Name: "table2", List: table2(p.main.scores, r.Folds)},
		report.Tables{Name: "beta", List: beta.SplitTables()},
		report.Tables{Name: "claims", List: []report.Table{claimsTable(findings)}})
	r.Sections = append(r.Sections,
		claimsSection(findings),
		report.Section{ID: "datasets", Title: "Data sets", Tables: []report.Table{datasetTable}},
		quirksSection(r.Protocol()))
}

// drawFunc draws a figure of the paper from a report's scores, and returns it with its caption. The figure has
// no panels if the scores lack the data for it.
type drawFunc func(context.Context, *part) (f chart.Figure, caption string, err error)

// init registers the paper's figures, in the order of their numbers, and a figure that the paper does not have.
func init() {
	for i, draw := range []drawFunc{
		subNetworks,
		overview(mainScores, "ece", "Expected calibration errors without data shift (above) and under data shift (below)."),
		secondTermSurface,
		dropFractions,
		lossTerms,
		splitScheme,
		overview(mainScores, "rmse", "Root-mean-square errors."),
		overview(mainScores, "nll", "Negative log-likelihoods."),
		overview(mainScores, "ws", "Wasserstein distances of the normalised residuals."),
		idealResiduals,
		residualGrid,
		overview(betaScores, "ece", "Expected calibration errors for several β."),
		overview(betaScores, "ws", "Wasserstein distances for several β."),
		measurePairs,
	} {
		number := i + 1
		registerFigure(fmt.Sprintf("figure%02d", number), strconv.Itoa(number), draw)
	}
	registerFigure("intervals", "", seedIntervals)
}

// registerFigure adds a figure to all reports with the paper's methods and data sets. number is its number in the paper,
// "" for none.
func registerFigure(name, number string, draw drawFunc) {
	report.RegisterFigure(report.StudyFigure{
		Name:   name,
		Number: number,
		Draw: func(ctx context.Context, r *report.Report) (f chart.Figure, caption string, err error) {
			p := newPart(r)
			if p == nil {
				return f, "", nil
			}
			return draw(ctx, p)
		},
	})
}

// sortScores sorts scores into the paper's order: data sets as in its table, methods as in its table, β
// from small to large. Data sets and methods that the paper does not have follow in the order of their
// first appearance.
func sortScores(scores []measure.Score) {
	allDatasets := report.DistinctNames(scores, func(s measure.Score) string { return s.Dataset })
	allMethods := report.DistinctNames(scores, func(s measure.Score) string { return s.Method })
	slices.SortStableFunc(allMethods, func(a, b string) int { return cmp.Compare(parseBeta(a), parseBeta(b)) })
	datasetOrder := slices.Concat(datasets, allDatasets) // the first place of a name counts
	methodOrder := slices.Concat(Methods(), allMethods)
	slices.SortStableFunc(scores, func(a, b measure.Score) int {
		return cmp.Or(
			cmp.Compare(slices.Index(datasetOrder, a.Dataset), slices.Index(datasetOrder, b.Dataset)),
			cmp.Compare(slices.Index(methodOrder, a.Method), slices.Index(methodOrder, b.Method)),
		)
	})
}

// parseBeta returns the β of a label of the study of β, or 0 for other labels.
func parseBeta(label string) float64 {
	text, _ := strings.CutPrefix(label, betaLabel)
	beta, _ := strconv.ParseFloat(text, 64) // fails for other labels, and for labels with further settings
	return beta
}

// mainScores selects the scores of a figure that are for neither the study of β nor the preset claims.
func mainScores(p *part) source { return p.main }

// betaScores selects the scores of the study of β for a figure.
func betaScores(p *part) source { return p.beta }

// overview returns a function that draws report.Overview of the selected scores by one measure.
func overview(selectScores func(*part) source, measureName, caption string) drawFunc {
	return func(_ context.Context, p *part) (chart.Figure, string, error) {
		f, err := report.Overview(selectScores(p).scores, measureName, methodTitle)
		return f, caption, err
	}
}
