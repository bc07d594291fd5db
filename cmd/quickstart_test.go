package cmd

import (
	"context"
	"testing"
)

// Figure 1 shows a curve without noise and one that is noise, MC beside SML.
func TestToyPanels(t *testing.T) {
	saved := append([]quickTable(nil), quickTables...)
	defer func() { copy(quickTables, saved) }()
	for i := range quickTables {
		quickTables[i].epochs = 1
	}
	panels, err := toyPanels(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(panels) != 2 {
		t.Fatalf("%d rows; want toy and toy-modulated", len(panels))
	}
	for i, want := range []struct {
		dataset             string
		inputs, truth, data int // of package data's toys
	}{{"toy", 1000, 1000, 0}, {"toy-modulated", 2000, 0, 20000}} {
		for j, title := range []string{"MC", "SML"} {
			p := panels[i][j]
			if p.Title != title || p.Dataset != want.dataset || len(p.X) != want.inputs || len(p.Truth) != want.truth || len(p.Data) != want.data || len(p.Lines) != 200 {
				t.Errorf("panel %d, %d: %s on %s with %d inputs, %d of truth, %d rows of data, %d lines", i, j, p.Title, p.Dataset, len(p.X), len(p.Truth), len(p.Data), len(p.Lines))
			}
		}
	}
}
