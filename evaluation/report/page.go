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

// Section is a part of a page under a heading. A page leaves out empty parts.
type Section struct {
	ID, Title string
	Text      []string // paragraphs above the tables
	Tables    []tabular.Table
	Pictures  []Picture
	Terms     []Term
	Notes     []string // paragraphs at the end
}

// isEmpty reports whether a section has nothing but a heading and an introduction.
func (s Section) isEmpty() bool {
	return len(s.Tables)+len(s.Terms)+len(s.Notes)+len(s.Pictures) == 0
}

// Term is an entry of a list of definitions: a name and texts about it.
type Term struct {
	Name  string
	Texts []LabelledText
}

// LabelledText is a text with a label before it; the label may be "".
type LabelledText struct{ Label, Text string }

// sections returns the sections of the page below the summary.
func (r *Report) sections() []Section {
	all := []Section{
		{ID: "scores", Title: "Test scores", Tables: ScoreTables(r.Shown, r.Reference, "test", r.MethodTitle)},
		r.shiftSection(),
		{ID: "splits", Title: "Other splits", Tables: r.otherTables()},
		{ID: "figures", Title: "Figures", Pictures: r.pictures},
		r.referenceSection(),
	}
	all = slices.Concat(all, r.Sections, []Section{r.settingsSection()})
	return slices.DeleteFunc(all, Section.isEmpty)
}

// shiftSection returns the section on scores under data shift, with the tables of at least two splits.
func (r *Report) shiftSection() Section {
	tables := SplitTables(r.Shown, r.MethodTitle)
	return Section{
		ID:     "shift",
		Title:  "Data shift",
		Tables: slices.DeleteFunc(tables, func(t tabular.Table) bool { return len(t.Body) < 2 }),
		Text: []string{
			"Random folds test on rows like those in training. The outermost pca and label folds test beyond them, the inner ones in a gap between them."},
	}
}

// referenceSection returns the section that compares the scores with the reference.
func (r *Report) referenceSection() Section {
	s := Section{ID: "reference", Title: "Beside " + r.Reference.InText}
	if seeds := compare.NewSeeds(r.Seeds, r.Reference); len(seeds.Spreads) > 0 {
		s.Tables = append(s.Tables, seedsTable(seeds, r.Reference, r.MethodTitle), outsideTable(seeds, r.Reference, r.MethodTitle))
	}
	agreement := compare.Agree(r.Shown, r.Reference)
	if agreement.Compared > 0 {
		s.Tables = append(s.Tables, agreementTable(r.Shown, r.Reference, r.MethodTitle))
	}
	if len(agreement.Misses) > 0 {
		s.Tables = append(s.Tables, missTable(r.Shown, r.Reference, r.MethodTitle))
	}
	return s
}

// settingsSection returns the section with the report's facts and notes.
func (r *Report) settingsSection() Section {
	s := Section{ID: "settings", Title: "How it was done", Notes: slices.Compact(slices.Sorted(slices.Values(r.Notes)))}
	for _, fact := range r.Facts {
		s.Terms = append(s.Terms, Term{Name: fact.Name, Texts: []LabelledText{{Text: fact.Value}}})
	}
	return s
}

// WriteHTML writes the page as one HTML file that has its styles and figures inside and loads nothing
// else. It suits phones and wide windows, light and dark mode. The same report gives the same bytes.
func (r *Report) WriteHTML(w io.Writer) error {
	view := pageView{
		Report:    r,
		CSS:       template.CSS(pageCSS + drawing.InlineCSS),
		Sections:  r.sections(),
		Agreement: compare.Agree(r.Shown, r.Reference),
	}
	for _, name := range calibrationMeasures {
		b := newBars(r.Shown, r.Reference, "test", name, r.MethodTitle)
		if b.Datasets > 0 {
			view.Bars = append(view.Bars, b)
		}
	}
	return pageHTML.Execute(w, view)
}

// pageView is the data of the page's template.
type pageView struct {
	*Report
	CSS       template.CSS
	Agreement compare.Agreement
	Bars      []bars
	Sections  []Section
}

// BySeed returns a sentence on how many of the reference's scores single seeds meet, "" if the
// studies have one seed.
func (v pageView) BySeed() string {
	seeds := compare.NewSeeds(v.Seeds, v.Reference)
	if len(seeds.Spreads) == 0 {
		return ""
	}
	a := seeds.Agreement(func(compare.Spread) bool { return true })
	return fmt.Sprintf("That is the mean of %d seeds. One seed meets %s, and of another seed’s scores %s: a count above this proves nothing. %s of the scores of %s lie where the seeds expect one more draw in %.0f %% of cases.",
		len(v.Seeds), meanAndRange(a.Met), meanAndRange(a.MetOther), formatPart(a.Inside, a.Intervals), v.Reference.InText, 100*compare.Coverage)
}

// Failed returns the number of scores with failed folds.
func (v pageView) Failed() int {
	return len(compare.Filter(v.Shown, func(s measure.Score) bool { return s.Failed > 0 }))
}

var (
	//go:embed page.css
	pageCSS string

	//go:embed page.html
	pageTemplate string

	pageHTML = template.Must(template.Must(tabular.HTML.Clone()).New("page").
			Funcs(template.FuncMap{"image": Picture.image, "title": Picture.title}).Parse(pageTemplate))
)
