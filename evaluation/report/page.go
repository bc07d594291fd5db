package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/compare"
	"sml/evaluation/report/internal/tabular"
)

// Section is a part of a page under a heading. What is empty is left out.
type Section struct {
	ID, Title string
	Text      []string // paragraphs
	Tables    []tabular.Table
	Terms     []Term
	Notes     []string // paragraphs below

	Pictures []Picture
}

// Term is a name and what is said of it, each text with a label, which may be empty.
type Term struct {
	Name  string
	Texts [][2]string
}

// sections are those of the page below the summary.
func (r *Report) sections() []Section {
	shift := slices.DeleteFunc(SplitTables(r.Shown, r.MethodTitle), func(t tabular.Table) bool { return len(t.Body) < 2 })
	figures := Section{ID: "figures", Title: "Figures", Pictures: r.pictures}
	beside := Section{ID: "reference", Title: "Beside " + r.Reference.InText}
	if s := compare.NewSeeds(r.Seeds, r.Reference); len(s.Spreads) > 0 {
		beside.Tables = append(beside.Tables, seedsTable(s, r.Reference, r.MethodTitle), outsideTable(s, r.Reference, r.MethodTitle))
	}
	if a := compare.Agree(r.Shown, r.Reference); a.Compared > 0 {
		beside.Tables = append(beside.Tables, agreementTable(r.Shown, r.Reference, r.MethodTitle))
		if len(a.Misses) > 0 {
			beside.Tables = append(beside.Tables, missTable(r.Shown, r.Reference, r.MethodTitle))
		}
	}
	done := Section{ID: "settings", Title: "How it was done", Notes: slices.Compact(slices.Sorted(slices.Values(r.Notes)))}
	for _, fact := range r.Facts {
		done.Terms = append(done.Terms, Term{fact[0], [][2]string{{"", fact[1]}}})
	}
	all := slices.Concat([]Section{
		{ID: "scores", Title: "Test scores", Tables: ScoreTables(r.Shown, r.Reference, "test", r.MethodTitle)},
		{ID: "shift", Title: "Data shift", Tables: shift, Text: []string{
			"Random folds test on rows like those in training. The outermost pca and label folds test beyond them, the inner ones in a gap between them."}},
		{ID: "splits", Title: "Other splits", Tables: r.otherTables()},
		figures, beside,
	}, r.Sections, []Section{done})
	return slices.DeleteFunc(all, func(s Section) bool { return len(s.Tables)+len(s.Terms)+len(s.Notes)+len(s.Pictures) == 0 })
}

// WriteHTML writes the page as one self-contained HTML file, which asks for
// nothing from anywhere: styles and figures are inside. It fits a phone and a
// wide window, light and dark. The same report gives the same bytes.
func (r *Report) WriteHTML(w io.Writer) error {
	view := pageView{Report: r, CSS: template.CSS(pageCSS + drawing.InlineCSS), Sections: r.sections(), Agreement: compare.Agree(r.Shown, r.Reference)}
	for _, name := range calibration {
		if b := newBars(r.Shown, r.Reference, "test", name, r.MethodTitle); b.Of > 0 {
			view.Bars = append(view.Bars, b)
		}
	}
	return pageHTML.Execute(w, view)
}

// pageView is what the template sees beside the report.
type pageView struct {
	*Report
	CSS       template.CSS
	Agreement compare.Agreement
	Bars      []bars
	Sections  []Section
}

// BySeed says how many scores of the reference single seeds meet, nothing of one seed.
func (v pageView) BySeed() string {
	s := compare.NewSeeds(v.Seeds, v.Reference)
	if len(s.Spreads) == 0 {
		return ""
	}
	a := s.Agreement(func(compare.Spread) bool { return true })
	return fmt.Sprintf("That is the mean of %d seeds. One seed meets %s, and of another seed’s scores %s: a count above this proves nothing. %s of the scores of %s lie where the seeds expect one more draw in %.0f %% of cases.",
		len(v.Seeds), meanAndRange(a.Met), meanAndRange(a.MetOther), countOf(a.Inside, a.Intervals), v.Reference.InText, 100*compare.Coverage)
}

// Failed counts the scores that lack folds.
func (v pageView) Failed() int {
	return len(compare.Filter(v.Shown, func(s measure.Score) bool { return s.Failed > 0 }))
}

var (
	//go:embed page.css
	pageCSS string

	//go:embed page.html
	pageText string

	pageHTML = template.Must(template.Must(tabular.HTML.Clone()).New("page").
			Funcs(template.FuncMap{"image": Picture.image, "title": Picture.title}).Parse(pageText))
)
