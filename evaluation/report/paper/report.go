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
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/compare"
	"sml/evaluation/report/internal/tabular"
)

// Add adds the paper's scores, its two tables, its claims, and a section on its choices that can be
// questioned to a report, and sorts and names the scores as the paper does. It does nothing if no study
// has one of the paper's methods on one of its data sets; the paper's figures are then not drawn either.
func Add(r *report.Report) {
	p := newPart(r)
	if p == nil {
		return
	}
	sortScores(r.Scores)
	if shown := compare.Filter(r.Scores, func(s measure.Score) bool { return !p.isBeta(s) && !p.isClaim(s) }); len(shown) > 0 {
		r.Shown = shown
	}
	r.Reference = reference
	r.MethodTitle = methodTitle
	if !slices.ContainsFunc(r.Scores, func(s measure.Score) bool { return !isOwn(s) }) {
		r.Title = "Second-moment loss: the evaluation"
		r.Intro = []string{"Regression networks that know how sure they are, trained on the data sets of the paper and judged on their mean and on their uncertainty. " +
			"Every score is a mean over folds, on the standardised target. Ours stands beside the paper's wherever it printed one."}
		r.Overviews = nil // figures 2, 7, 8 and 9 show the same
	}
	datasetTable := table1(r.Protocol())
	r.Tables = append(r.Tables,
		report.Tables{Name: "table1", List: []tabular.Table{datasetTable}},
		report.Tables{Name: "table2", List: table2(p.main)},
		report.Tables{Name: "beta", List: report.SplitTables(p.beta, methodTitle)})
	found := findings(r, p)
	r.Tables = append(r.Tables, report.Tables{Name: "claims", List: []tabular.Table{claimsTable(found)}})
	r.Sections = append(r.Sections, claimsSection(found), report.Section{ID: "datasets", Title: "Data sets", Tables: []tabular.Table{datasetTable}}, quirks(r.Protocol()))
}

// init registers the paper's figures, in the order of their numbers.
func init() {
	for i, draw := range []func(context.Context, *part) (*drawing.Figure, string, error){
		subNetworks,
		overview(mainScores, "ece", "Expected calibration errors under i.i.d. conditions (above) and under data shift (below)."),
		secondTermSurface,
		shares,
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
		report.RegisterFigure(report.Figure{
			Name: fmt.Sprintf("figure%02d", i+1), Number: strconv.Itoa(i + 1),
			Draw: func(ctx context.Context, r *report.Report) (*drawing.Figure, string, error) {
				p := newPart(r)
				if p == nil {
					return nil, "", nil
				}
				return draw(ctx, p)
			},
		})
	}
	report.RegisterFigure(report.Figure{Name: "intervals", Draw: intervals})
}

// sortScores sorts scores into the paper's order: data sets as in its table, methods as in its table, β
// from small to large. Data sets and methods that the paper does not have follow in the order of their
// first appearance.
func sortScores(scores []measure.Score) {
	beta := func(label string) float64 {
		text, _ := strings.CutPrefix(label, betaLabel)
		x, _ := strconv.ParseFloat(text, 64) // 0 for other labels, and for several settings
		return x
	}
	name := func(s string) string { return s }
	sets := compare.DistinctNames(append(slices.Clone(datasets), compare.DistinctNames(scores, func(s measure.Score) string { return s.Dataset })...), name)
	methods := compare.DistinctNames(append(Methods(), compare.DistinctNames(scores, func(s measure.Score) string { return s.Method })...), name)
	slices.SortStableFunc(methods[len(Methods()):], func(a, b string) int { return cmp.Compare(beta(a), beta(b)) })
	slices.SortStableFunc(scores, func(a, b measure.Score) int {
		return cmp.Or(
			cmp.Compare(slices.Index(sets, a.Dataset), slices.Index(sets, b.Dataset)),
			cmp.Compare(slices.Index(methods, a.Method), slices.Index(methods, b.Method)),
		)
	})
}

func mainScores(p *part) []measure.Score { return p.main }
func betaScores(p *part) []measure.Score { return p.beta }

// overview returns a function that draws report.Overview of some of the scores.
func overview(selectScores func(*part) []measure.Score, name, caption string) func(context.Context, *part) (*drawing.Figure, string, error) {
	return func(_ context.Context, p *part) (*drawing.Figure, string, error) {
		figure, err := report.Overview(selectScores(p), name, methodTitle)
		return figure, caption, err
	}
}
