package paper

import (
	"testing"

	"sml/data"
	"sml/evaluation/study"
	"sml/internal/expect"
)

// The paper's evaluation: 13 sets, 6 methods, three kinds of split of ten or five
// folds, its settings.
func TestPaperPreset(t *testing.T) {
	p := expect.Must(study.NewPlan(t.Context(), study.Config{Preset: "paper"}, "test", makeTable, false))
	if len(p.Cells) != 6*3*(6*10+7*5) {
		t.Errorf("%d cells", len(p.Cells))
	}
	for _, c := range p.Cells {
		if c.Table.Name != "yacht" {
			continue
		}
		s, a := c.Training, c.Spec.Architecture
		if s.Epochs != 1000 || s.Batch != 100 || s.LearningRate != 0.001 || s.Seed != 1 || s.Protocol != data.Paper || a.Dropout != 0.1 || a.Hidden[1] != 50 || c.Prediction.Samples != 200 {
			t.Errorf("%+v", c)
		}
	}
}

// The notebook's β study predicts by the sub-networks, but for β = 0.5; nobody
// else does.
func TestBetaPreset(t *testing.T) {
	for _, protocol := range []data.Protocol{data.Paper, data.Sound} {
		p := expect.Must(study.NewPlan(t.Context(), study.Config{Preset: "beta", Protocol: string(protocol), Datasets: []string{"yacht"}}, "test", makeTable, false))
		for _, c := range p.Cells {
			if want := protocol == data.Paper && c.Spec.Hyperparameters["beta"] != 0.5; want != (c.Prediction.Mode != "") {
				t.Errorf("%s under %s predicts by %q", c.Label, protocol, c.Prediction.Mode)
			}
		}
	}
}
