package report

import (
	"math"
	"testing"
)

func TestBars(t *testing.T) {
	scores := gridScores("ws", map[string][]float64{"a": {1, 3}, "b": {4, 4}, "c": {1000, 1000}})
	reference := Reference{Lookup: func(_, method, _, _ string) (float64, bool) { return 3, method == "a" }}
	got := (&Report{Shown: scores, Reference: reference, MethodTitle: sameTitle}).newBarChart("test", "ws")
	// By hand: the means are 2, 4 and 1000, so the scale ends at 4, as 1000 is
	// more than four times the median.
	want := []bar{
		{Method: "a", Value: "2.00", Reference: "3.00", Width: 50, Tick: 75},
		{Method: "b", Value: "4.00", Width: 100, Tick: -1},
		{Method: "c", Value: "1000", Width: 100, Tick: -1, Beyond: true},
	}
	if got.Datasets != 2 || !got.Reference || !got.Beyond || len(got.Bars) != len(want) {
		t.Fatalf("bars are %+v", got)
	}
	for i := range want {
		if got.Bars[i] != want[i] {
			t.Errorf("bar %d is %+v; want %+v", i, got.Bars[i], want[i])
		}
	}
}

func TestBarsWithoutANumber(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), 0, -1} {
		r := &Report{Shown: gridScores("ws", map[string][]float64{"a": {x}}), MethodTitle: sameTitle}
		for _, b := range r.newBarChart("test", "ws").Bars {
			if !(b.Width >= 0 && b.Width <= 100) {
				t.Errorf("the bar of %v is %v wide; want 0 to 100", x, b.Width)
			}
		}
	}
}
