package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
	"sml/internal/expect"
)

const (
	fillTrain  = "fill:#2AA14F"
	fillTest   = "fill:#1F6FD6"
	fillOrange = "fill:#F28E1C"

	arrowTest = "stroke:#124280;stroke-width:0.8" // 0.6 of the test blue, by hand
)

func score(dataset, method, split string, mean float64) measure.Score {
	return measure.Score{Dataset: dataset, Method: method, Split: split, Measure: "nll", Mean: mean}
}

func TestOverview(t *testing.T) {
	figure := expect.Must(Overview([]measure.Score{
		score("yacht", "mc", "train", -2), score("yacht", "mc", "test", -1),
		score("yacht", "sml", "train", -2.5), score("yacht", "sml", "test", -1.5),
		score("power", "mc", "train", 1), score("power", "mc", "test", 1.5),
		score("power", "sml", "train", 0.5), score("power", "sml", "test", math.Inf(1)),
		score("power", "sml", "pca-extrapolate", 1.4e6),
		{Dataset: "naval", Method: "pu", Split: "test", Measure: "ece", Mean: 1},
	}, "nll", strings.ToUpper))
	image := svgOf(t, figure)
	// By hand: the marks of four cells, of two means and two medians, and the
	// sample of the legend.
	for _, c := range []struct {
		mark string
		want int
	}{
		{fillTrain, 4 + 4 + 1}, {fillTest, 4 + 4 + 1},
		{fillOrange, 1 + 2 + 1},
		{arrowTest, 3}, // the infinite score, mean and median of SML
	} {
		if got := strings.Count(image, c.mark); got != c.want {
			t.Errorf("%d of %s; want %d", got, c.mark, c.want)
		}
	}
	for _, text := range []string{">yacht<", ">power<", ">mean<", ">median<", ">NLL<", ">MC<", ">SML<", ">train<", ">pca-extrapolate<", ">↑ 3 values above the axis<"} {
		if !strings.Contains(image, text) {
			t.Errorf("there is no text %s", text)
		}
	}
	for _, text := range []string{"naval", ">PU<", "label-", "hollow"} {
		if strings.Contains(image, text) {
			t.Errorf("there is a text %s", text)
		}
	}
}

func TestOverviewCountsWhatIsMissing(t *testing.T) {
	figure := expect.Must(Overview([]measure.Score{
		score("yacht", "mc", "test", -1), score("yacht", "sml", "test", math.NaN()),
		score("power", "mc", "test", 1), // sml is not given
		score("naval", "mc", "test", 0), score("naval", "sml", "test", 0),
	}, "nll", sameTitle))
	image := svgOf(t, figure)
	for _, text := range []string{"2 values missing", "hollow: over fewer data sets"} {
		if !strings.Contains(image, text) {
			t.Errorf("there is no text %q", text)
		}
	}
	// By hand: mean and median of SML are over one data set of three, and only
	// these are not filled: four marks, two of the summary, one sample.
	if got := strings.Count(image, fillTest); got != 4+2+1 {
		t.Errorf("%d filled marks; want 7", got)
	}
}

// Beyond the limits −0.02 and 1.02 with their border, marks are 0.7, 1.7 and 2.7 steps away, and the arrow 0.7 steps beyond
// the last.
func TestOverviewStacksGoOutwards(t *testing.T) {
	p := overview{datasets: []string{"yacht"}, methods: []string{"a", "b"}, marks: []chart.Mark{chart.Dash, chart.Star}}.newPanel([]measure.Score{
		score("yacht", "a", "train", math.Inf(1)), score("yacht", "a", "test", 5), score("yacht", "b", "train", 0.5), score("yacht", "b", "test", -3),
	}, "nll", false)
	p.low, p.high = 0, 1
	p.scores = slices.DeleteFunc(p.scores, func(s overviewScore) bool { return s.column > 0 }) // the mean and the median
	p.stacks = map[stack]int{{method: 0, side: 1}: 2, {method: 1, side: -1}: 1}
	var got []string
	for _, l := range p.stackLayers(1) {
		got = append(got, fmt.Sprintf("%.2f", l.Y[0]))
	}
	if want := "[-0.72 -1.42 1.72 2.72 3.42]"; fmt.Sprint(got) != want {
		t.Errorf("marks and arrows are at %v; want %s", got, want)
	}
	if note, want := p.note(), "↑ 2 values above the axis, ↓ 1 value below the axis"; note != want {
		t.Errorf("note is %q; want %q", note, want)
	}
}

// There is no figure if no score is finite; scores on other splits are left out.
func TestOverviewOfNothing(t *testing.T) {
	one := score("yacht", "mc", "test", 1)
	for _, scores := range [][]measure.Score{nil, {score("yacht", "mc", "test", math.NaN())}, {score("yacht", "mc", "single-pca", 1)}} {
		if figure, err := Overview(scores, "nll", sameTitle); len(figure.Panels) > 0 || err != nil {
			t.Errorf("a figure of %v, or %v", scores, err)
		}
	}
	if figure, err := Overview([]measure.Score{one}, "ece", sameTitle); len(figure.Panels) > 0 || err != nil {
		t.Errorf("a figure of another measure, or %v", err)
	}
}

func svgOf(t *testing.T, figure chart.Figure) string {
	t.Helper()
	var image strings.Builder
	expect.NoError(t, figure.WriteSVG(&image))
	return image.String()
}
