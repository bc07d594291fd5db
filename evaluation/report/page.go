package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
)

// Section is a part of a page under a heading. A page leaves out sections that have only a heading and an
// introduction.
type Section struct {
	ID       string // id attribute of the section's element, to which links lead
	Title    string
	Text     []string // introduction: paragraphs above the tables
	Tables   []Table
	Pictures []Picture
	Entries  []Entry
	Notes    []string // paragraphs at the end
}

// isEmpty reports whether a section has only a heading and an introduction.
func (s Section) isEmpty() bool {
	return len(s.Tables)+len(s.Entries)+len(s.Notes)+len(s.Pictures) == 0
}

// Entry is an entry of a definition list: a name and texts about it.
type Entry struct {
	Name  string
	Texts []LabelledText
}

// LabelledText is a text with a label before it.
type LabelledText struct {
	Label string // "" for a text without a label
	Text  string
}

// sections returns the sections of the page below the summary, without empty ones.
func (r *Report) sections() []Section {
	all := []Section{
		{ID: "scores", Title: "Test scores", Tables: r.ScoreTables("test")},
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
	return Section{
		ID:     "shift",
		Title:  "Data shift",
		Tables: slices.DeleteFunc(r.SplitTables(), func(t Table) bool { return len(t.Body) < 2 }), // a row for each split
		Text: []string{
			"Random folds test on rows like the training rows. The pca folds sort the rows by the first principal component of their inputs, the label folds by their target: the extrapolate folds test on rows beyond the training rows, the interpolate folds on rows in a gap between them."},
	}
}

// referenceSection returns the section that compares the scores with the reference. It leaves out the long table of all
// intervals, and the table of scores that are not reproduced if there are none.
func (r *Report) referenceSection() Section {
	seeds := r.seedsTables()
	agreement := slices.DeleteFunc(r.agreementTables(), func(t Table) bool { return len(t.Body) == 0 })
	return Section{
		ID:     "reference",
		Title:  "Comparison with " + r.Reference.InText,
		Tables: append(seeds[:min(2, len(seeds))], agreement...),
	}
}

// settingsSection returns the section with the report's facts, and its notes in alphabetical order, each
// once, since several studies may have the same note.
func (r *Report) settingsSection() Section {
	notes := slices.Compact(slices.Sorted(slices.Values(r.Notes)))
	s := Section{ID: "settings", Title: "Settings, machines and notes", Notes: notes}
	for _, fact := range r.Facts {
		s.Entries = append(s.Entries, Entry{Name: fact.Name, Texts: []LabelledText{{Text: fact.Value}}})
	}
	return s
}

// summaryMeasures are the measures of a page's summary. What users need comes first: the error of the distribution
// and of the mean, in standard deviations of the target, and the coverage. Only then follow ece and ws, which judge
// calibration alone: a method with useless means may have the best.
var summaryMeasures = []string{"crps", "rmse", "coverage90", "ece", "ws"}

// WriteHTML writes the page as one HTML file that contains its styles and figures and loads nothing else.
// The page fits phones and wide windows, and follows the reader's light or dark mode. Equal reports give
// equal bytes.
func (r *Report) WriteHTML(w io.Writer) error {
	view := pageView{
		Report:    r,
		CSS:       template.CSS(pageCSS + chart.CSS),
		Sections:  r.sections(),
		Agreement: Agree(r.Shown, r.Reference),
	}
	for _, name := range summaryMeasures {
		chart := r.newBarChart("test", name)
		if chart.Datasets > 0 {
			view.Bars = append(view.Bars, chart)
		}
	}
	return pageHTML.Execute(w, view)
}

// pageView is the data of the page's template. Its fields and methods, and the report's, are used there.
type pageView struct {
	*Report
	CSS       template.CSS
	Agreement Agreement
	Bars      []barChart
	Sections  []Section
}

// BySeed returns sentences on how many of the reference's scores a single seed reproduces, or "" if
// fewer than two seeds are complete.
func (v pageView) BySeed() string {
	seeds := CompareSeeds(v.Seeds, v.Reference)
	if len(seeds.Spreads) == 0 {
		return ""
	}
	a := seeds.totalAgreement()
	means := fmt.Sprintf("These scores are means over %d seeds. A single seed reproduces %s scores of %s and, for comparison, %s scores of another seed: no count above that shows a better agreement.",
		len(v.Seeds), meanAndRange(a.ReproducedBySeed), v.Reference.InText, meanAndRange(a.ReproducedByPair))
	intervals := fmt.Sprintf(" %s scores of %s lie in the interval that would contain the score of one more seed in %.0f %% of cases.",
		formatFraction(a.Inside, a.Intervals), v.Reference.InText, 100*SeedCoverage)
	return means + intervals
}

// BarsNote returns sentences on how to read the bars of the summary.
func (v pageView) BarsNote() string {
	note := "Lower is better."
	hasReference := false
	for _, chart := range v.Bars {
		if chart.Nominal != 0 { // lower is not better
			note = fmt.Sprintf("Lower is better, but %s should be %v.", chart.Caption, chart.Nominal)
		}
		hasReference = hasReference || chart.Reference
	}
	if hasReference {
		note += " The tick and the grey number are " + v.Reference.InText + "’s scores."
	}
	for _, chart := range v.Bars {
		if chart.Beyond {
			note += " Bars of " + chart.Caption + " that fade out are longer than the scale."
		}
	}
	return note
}

// Failed returns the number of shown scores with failed folds. The page's template warns if there are any.
func (v pageView) Failed() int {
	return len(FilterScores(v.Shown, func(s measure.Score) bool { return s.Failed > 0 }))
}

var (
	//go:embed page.css
	pageCSS string

	//go:embed page.html
	pageTemplate string

	pageHTML = template.Must(template.Must(tableHTML.Clone()).New("page").
			Funcs(template.FuncMap{"image": Picture.image, "title": Picture.title}).Parse(pageTemplate))
)
