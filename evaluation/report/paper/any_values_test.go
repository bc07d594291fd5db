package paper

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/report/chart"
)

// anyNumber is a float64 of any size, evenly over sizes, now and then one that is
// not finite.
func anyNumber(rng *rand.Rand) float64 {
	if rng.IntN(8) == 0 {
		return []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[rng.IntN(3)]
	}
	return math.Float64frombits(rng.Uint64())
}

// For values of any size, every position in a figure is a number, and drawing takes little time.
func TestFiguresOfAnyValues(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	// A loop over ticks without an end would take memory without end.
	defer time.AfterFunc(time.Minute, func() { panic("a figure takes more than a minute") }).Stop()
	rng := rand.New(rand.NewPCG(7, 0))
	list := func(n int) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = anyNumber(rng)
		}
		return values
	}
	check := func(name string, figure chart.Figure, err error) {
		t.Helper()
		if err != nil || len(figure.Panels) == 0 {
			return // said, not drawn
		}
		image := svgOf(t, figure)
		if strings.Contains(image, "NaN") || strings.Contains(image, "Inf") {
			t.Errorf("%s has a position that is not a number", name)
		}
	}
	for range 20 {
		toys := wobbling(1)
		toys[0][1].Layers = []chart.Layer{{X: []float64{0, 1, 2}, Y: list(3)}}
		figure, err := toys.Figure()
		check("sub-networks", figure, err)
		var scores []measure.Score
		for _, s := range manyScores() {
			if rng.IntN(20) == 0 {
				s.Mean = anyNumber(rng)
				scores = append(scores, s)
			}
		}
		figure, err = report.Overview(scores, "nll", methodTitle)
		check("overview", figure, err)
		figure, err = ofPart(measurePairs, scores)()
		check("measure pairs", figure, err)
		points := []chart.Layer{{X: list(9), Y: list(9)}, {X: list(9), Y: list(9)}}
		check("residual grid", drawResiduals([][]chart.Layer{points}, []string{"a"}, []string{"mc", "sml"}), nil)
	}
}
