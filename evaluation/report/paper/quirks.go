package paper

import (
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
	for _, q := range quirks {
		texts := []report.LabelledText{{Label: "Paper", Text: q.paper}, {Label: "Sound", Text: q.sound}}
		s.Entries = append(s.Entries, report.Entry{Name: q.topic, Texts: texts})
	}
	return s
}

// quirks are the questionable choices, each with the way in which either protocol handles it.
var quirks = []struct{ topic, paper, sound string }{
	{
		"Random folds",
		"All ten folds have ⌊n/10⌋ test rows; the up to nine rows left over are never tested.",
		"Every row is tested exactly once.",
	},
	{
		"Edges of label and pca folds",
		"Both ends belong to a fold, so a row on an edge is tested in two folds.",
		"The upper end belongs only to the next fold.",
	},
	{
		"Direction of the pca folds",
		"The principal component is fitted on all rows, including the test rows.",
		"The same, because the component only defines the split; networks and scalers do not use it.",
	},
	{
		"Batches",
		"The last partial batch of an epoch is dropped.",
		"The last partial batch is used.",
	},
	{
		"ECE",
		"Quantiles are rounded to two decimals and counted in bins with 21 edges from −0.0001 to 1.0001, so that perfectly calibrated predictions score 0.02.",
		"Quantiles are not rounded; the edges of the bins are k/20.",
	},
	{
		"σ = 0",
		"Residuals are divided by σ + 1e-10: one row with σ = 0 can make WS 10⁵ and more.",
		"Residuals are divided by σ: such a row makes WS infinite.",
	},
	{
		"WS",
		"The notebook compares with 100,000 normal draws without a seed. This program computes the exact distance, which those draws estimate.",
		"This program computes the exact distance.",
	},
	{
		"β study",
		"For β = 0.5 predictions are f and σ_total; for every other β they are the mean and the spread of the sub-networks.",
		"Predictions are f and σ_total for all β.",
	},
	{
		"abalone",
		"The first row was read as a header, which leaves 4176 rows.",
		"All 4177 rows are used.",
	},
	{
		"Randomness",
		"The authors set no seeds. Here all random numbers follow from one seed.",
		"All random numbers follow from one seed.",
	},
}
