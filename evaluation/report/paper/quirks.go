package paper

import (
	"sml/data"
	"sml/evaluation/report"
)

// quirks returns the section on choices of the paper, or of the notebook that its authors published,
// that can be questioned: the differences between data.Paper and data.Sound, and choices that both
// share. protocol is the protocol of the report's studies, "" if they differ in it.
func quirks(protocol data.Protocol) report.Section {
	s := report.Section{ID: "quirks", Title: "The paper and the sound protocol", Text: []string{
		"Some choices of the paper and of its notebook can be questioned. The paper protocol follows them, so that scores can be compared; the sound protocol does the better thing.",
	}}
	if protocol != "" {
		s.Text[0] += " This study ran under the " + string(protocol) + " protocol."
	}
	for _, q := range []struct{ topic, paper, sound string }{
		{
			"Random folds",
			"All ten folds have ⌊n/10⌋ test rows; the up to nine rows left over are never tested.",
			"Every row is tested exactly once.",
		},
		{
			"Edges of label and pca folds",
			"Both ends belong to a fold, so a row on an edge is tested in two folds.",
			"The upper end belongs to the next fold alone.",
		},
		{
			"Direction of the pca folds",
			"The principal component is fitted on all rows, the test rows too.",
			"The same, as it defines the split; networks and scalers never see it.",
		},
		{
			"Batches",
			"The last partial batch of an epoch is dropped.",
			"It is used.",
		},
		{
			"ECE",
			"Quantiles are rounded to two decimals and binned by 21 edges from −0.0001 to 1.0001, so that honest predictions score 0.02.",
			"Quantiles are binned as they are, by edges k/20.",
		},
		{
			"σ = 0",
			"Residuals are divided by σ + 1e-10: one row with σ = 0 can make WS 10⁵ and more.",
			"They are divided by σ: such a row makes WS infinite.",
		},
		{
			"WS",
			"The notebook compares with 100,000 normal draws, without a seed. This program uses the exact distance, which those draws estimate.",
			"The exact distance.",
		},
		{
			"β study",
			"For β = 0.5 predictions are f and σ_total, for every other β the mean and the spread of the sub-networks.",
			"They are f and σ_total for all β.",
		},
		{
			"abalone",
			"The first row was read as a header: 4176 rows.",
			"All 4177 rows.",
		},
		{
			"Randomness",
			"The authors seeded nothing. Here every draw follows from one seed.",
			"The same: every draw follows from one seed.",
		},
	} {
		s.Terms = append(s.Terms, report.Term{Name: q.topic, Texts: []report.LabelledText{{Label: "Paper", Text: q.paper}, {Label: "Sound", Text: q.sound}}})
	}
	return s
}
