package paper

import (
	_ "embed"

	"sml/data"
	"sml/evaluation/report"
)

// quirksSection returns the section on questionable choices of the paper and of the notebook that its authors
// published: what the protocols data.Paper and data.Sound do about each. protocol is the protocol of the
// report's studies, or "" if they differ in it.
func quirksSection(protocol data.Protocol) report.Section {
	introduction := "Some choices of the paper and of its notebook are questionable. The paper protocol follows them, so that its scores are comparable with the paper's; the sound protocol corrects them."
	if protocol != "" {
		introduction += " This study used the " + string(protocol) + " protocol."
	}
	s := report.Section{ID: "quirks", Title: "Differences between the paper and sound protocols", Text: []string{introduction}}
	for _, row := range readTable(quirkTable)[1:] { // below the titles of the columns
		choice, paper, sound := row[0], row[1], row[2]
		texts := []report.LabelledText{{Label: "Paper", Text: paper}, {Label: "Sound", Text: sound}}
		s.Entries = append(s.Entries, report.Entry{Name: choice, Texts: texts})
	}
	return s
}

// quirkTable has the questionable choices in CSV, each with the way in which either protocol handles it.
//
//go:embed quirks.csv
var quirkTable string
