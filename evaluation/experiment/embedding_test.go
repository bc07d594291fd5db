package experiment_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"sml/evaluation/experiment"
	"sml/internal/expect"
	"sml/models"
)

// A category that no training row had is predicted like the rare ones, which share an embedding: here
// their targets are 100 higher. A missing category is not.
func TestUnknownCategory(t *testing.T) {
	lines := []string{"town,size,y"}
	for i := range 400 {
		town, y := fmt.Sprintf("t%02d", i%20), i%20+i%3
		if i%20 == 0 {
			town, y = fmt.Sprintf("rare%d", i), y+100 // in one row each
		}
		lines = append(lines, fmt.Sprintf("%s,%d,%d", town, i%3, y))
	}
	model := filepath.Join(t.TempDir(), "model")
	sml(t, "train", "--data", writeTable(t, "towns.csv", lines), "--method", "pu", "--epochs", "300", "--validation", "0", "--hidden", "16", "--quiet", "--out", model)
	m := expect.Must(experiment.Open(model))
	defer m.Close()
	want := models.Embedding{First: 0, Categories: 20} // 19 towns, and all others
	if e := m.Architecture.Embeddings; len(e) != 1 || e[0] != want {
		t.Fatalf("the embedded columns are %v, want %v", e, want)
	}
	rows := []experiment.Row{
		{"town": "nowhere", "size": 1},
		{"town": "rare40", "size": 1},
		{"town": "t03", "size": 1},
		{"town": nil, "size": 1},
	}
	predictions := expect.Must(m.Predict(t.Context(), rows, experiment.Outputs{}))
	mean := func(row int) float64 { return *predictions[row][0].Mean }
	if mean(0) != mean(1) {
		t.Errorf("an unknown category is predicted as %v and a rare one as %v", mean(0), mean(1))
	}
	if !(mean(0) > 80) || !(mean(2) < 20) || mean(3) == mean(0) {
		t.Errorf("predictions: unknown %v, known %v, missing %v", mean(0), mean(2), mean(3))
	}
}
