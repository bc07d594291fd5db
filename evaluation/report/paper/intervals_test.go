package paper

import (
	"io"
	"math"
	"testing"

	"sml/evaluation/report"
	"sml/evaluation/study"
)

// seedsOf are so many seeds, whose scores are the paper's with what edit makes of them.
func seedsOf(n int, edit func(seed int, x float64) float64) *part {
	r := &report.Report{Scores: printedScores()}
	for seed := range n {
		own := study.SeedScores{Seed: uint64(seed), Scores: printedScores()}
		for i := range own.Scores {
			own.Scores[i].Mean = edit(seed, own.Scores[i].Mean)
		}
		r.Seeds = append(r.Seeds, own)
	}
	return newPart(r)
}

func TestIntervals(t *testing.T) {
	f, _, err := seedIntervals(t.Context(), seedsOf(1, func(_ int, x float64) float64 { return x }))
	if len(f.Panels) > 0 || err != nil {
		t.Errorf("one seed has %v, %v", f, err)
	}
	f, caption, err := seedIntervals(t.Context(), seedsOf(3, func(seed int, x float64) float64 { return x + float64(seed-1)/10 }))
	if err != nil || len(f.Panels) != len(publishedMeasures) || caption == "" {
		t.Fatalf("%v, %q, %v", f, caption, err)
	}
	for i, note := range []string{"78 of 78 inside", "78 of 78 inside", "78 of 78 inside", "78 of 78 inside"} { // the seeds lie around the paper
		if got := f.Panels[i].Note; got != note {
			t.Errorf("panel %d says %q; want %q", i, got, note)
		}
	}
	if err := f.WritePNG(io.Discard); err != nil {
		t.Error(err)
	}
	// Whatever scores are, the figure can be drawn.
	for name, edit := range map[string]func(int, float64) float64{
		"∞":         func(seed int, x float64) float64 { return x / float64(seed) },
		"NaN":       func(int, float64) float64 { return math.NaN() },
		"all equal": func(int, float64) float64 { return 0 },
		"huge":      func(seed int, x float64) float64 { return x * 1e300 },
	} {
		f, _, err := seedIntervals(t.Context(), seedsOf(2, edit))
		if err == nil {
			err = f.WriteSVG(io.Discard)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
