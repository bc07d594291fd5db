package report

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
)

// Page is a report of a study, in one file: what was found, then the tables
// and figures, then how it was done. What is empty is left out.
type Page struct {
	Title       string
	Intro       []string // paragraphs
	Scores      []measure.Score
	Reference   Reference           // whose scores stand beside; none if it is empty
	MethodTitle func(string) string // of a label; nil leaves the label
	Figures     []Picture
	Recipes     []experiment.Recipe // for table 1
	Protocol    data.Protocol       // that the study ran in; none if it is empty
	Facts       [][2]string         // name and value: settings, versions, seeds, machine, time
	Notes       []string            // paragraphs below the facts
}

// Picture is a figure on a page.
type Picture struct {
	ID      string // in the address: letters, digits and hyphens, unlike that of any other picture
	Number  string // of the paper: "2"; may be empty
	Caption string // also read out in the figure's place
	Figure  *Figure
}

// WriteHTML writes the page as one self-contained HTML file, which asks for
// nothing from anywhere: styles and figures are inside. It fits a phone and a
// wide window, light and dark. The same page gives the same bytes.
func (p Page) WriteHTML(w io.Writer) error {
	view := pageView{Page: p, CSS: template.CSS(pageCSS), Quirks: quirks, Agreement: Agree(p.Scores, p.Reference)}
	for i, picture := range p.Figures {
		if !identifier(picture.ID) || slices.ContainsFunc(p.Figures[:i], func(other Picture) bool { return other.ID == picture.ID }) {
			return fmt.Errorf("report: page: figure %d has the ID %q; want one of its own, of letters, digits and hyphens", i+1, picture.ID)
		}
		if picture.Figure == nil {
			return fmt.Errorf("report: page: figure %q has nothing to draw", picture.ID)
		}
		image, err := picture.inline()
		if err != nil {
			return fmt.Errorf("report: page: figure %q: %w", picture.ID, err)
		}
		view.Pictures = append(view.Pictures, pictureView{picture, image})
	}
	for _, name := range []string{"ece", "ws"} {
		if b := newBars(p.Scores, p.Reference, "test", name, p.MethodTitle); b.Of > 0 {
			view.Bars = append(view.Bars, b)
		}
		if t := SplitTable(p.Scores, name, p.MethodTitle); len(t.body) > 1 {
			view.Shift = append(view.Shift, tableView{t})
		}
	}
	for _, split := range OtherSplits(p.Scores) {
		for _, t := range ScoreTables(p.Scores, p.Reference, split, p.MethodTitle) {
			view.Shift = append(view.Shift, tableView{t})
		}
	}
	for _, t := range ScoreTables(p.Scores, p.Reference, "test", p.MethodTitle) {
		view.Tables = append(view.Tables, tableView{t})
	}
	if view.Agreement.Of > 0 {
		view.Comparison = append(view.Comparison, tableView{AgreementTable(p.Scores, p.Reference, p.MethodTitle)})
	}
	if len(view.Agreement.Misses) > 0 {
		view.Comparison = append(view.Comparison, tableView{MissTable(p.Scores, p.Reference, p.MethodTitle)})
	}
	if len(p.Recipes) > 0 {
		view.Table1 = []tableView{{Table1(p.Recipes, p.Protocol)}}
	}
	return pageHTML.Execute(w, view)
}

func identifier(id string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789-"
	return id != "" && strings.Trim(strings.ToLower(id), letters) == ""
}

// largestSVG is the size in bytes from which a figure is inlined as pixels.
// A phone takes seconds to draw an SVG of that many lines, at every scroll.
const largestSVG = 1 << 20

// inline returns the picture as an element of HTML.
func (p Picture) inline() (template.HTML, error) {
	label := template.HTMLEscapeString(p.label())
	var svg bytes.Buffer
	if err := writeSVG(&svg, p.Figure); err != nil {
		return "", err
	}
	if svg.Len() > largestSVG {
		var pixels bytes.Buffer
		if err := writePNG(&pixels, p.Figure); err != nil {
			return "", err
		}
		return template.HTML(`<img alt="` + label + `" src="data:image/png;base64,` + base64.StdEncoding.EncodeToString(pixels.Bytes()) + `">`), nil
	}
	// What stands before the element is for a file of its own. The size that it
	// asks for gives way to the page's.
	_, element, ok := strings.Cut(svg.String(), "<svg ")
	viewBox := strings.Index(element, "viewBox=")
	if !ok || viewBox < 0 {
		return "", fmt.Errorf("its SVG has no element with a viewBox")
	}
	return template.HTML(`<svg role="img" aria-label="` + label + `" ` + element[viewBox:]), nil
}

// label is what a figure is called: its number and its caption.
func (p Picture) label() string {
	if p.Number == "" {
		return p.Caption
	}
	return "Figure " + p.Number + ". " + p.Caption
}

// pageView is what the template sees beside the page's own fields.
type pageView struct {
	Page
	CSS        template.CSS
	Agreement  Agreement
	Bars       []bars
	Tables     []tableView
	Shift      []tableView
	Comparison []tableView
	Table1     []tableView
	Pictures   []pictureView
	Quirks     []quirk
}

type pictureView struct {
	Picture
	Image template.HTML
}

// Failed counts the scores that lack folds.
func (v pageView) Failed() int {
	failed := 0
	for _, s := range v.Scores {
		if s.Failed > 0 {
			failed++
		}
	}
	return failed
}

// MetPercent is the share of the reference's scores that are met.
func (v pageView) MetPercent() float64 {
	return 100 * float64(v.Agreement.Met) / float64(max(1, v.Agreement.Of))
}

var (
	//go:embed page.css
	pageCSS string

	//go:embed page.html
	pageText string

	pageHTML = template.Must(template.Must(tableHTML.Clone()).New("page").Parse(pageText))
)
