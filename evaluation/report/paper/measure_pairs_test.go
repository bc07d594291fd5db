package paper

import (
	"math"
	"strings"
	"testing"

	"sml/evaluation/measure"
	"sml/internal/expect"
)

func TestMeasurePairs(t *testing.T) {
	var scores []measure.Score
	add := func(dataset, method string, ece, ws, ks float64) {
		for i, mean := range []float64{ece, ws, ks} {
			scores = append(scores, measure.Score{Dataset: dataset, Method: method, Split: "test", Measure: []string{"ece", "ws", "ks"}[i], Mean: mean})
		}
	}
	for _, dataset := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		add(dataset, "mc", 0.5, 1, 0.2)
		add(dataset, "sml", 0.25, 0.5, 0.1)
	}
	add("i", "mc", 0.5, 7.9e5, 0.2)
	add("i", "sml", math.NaN(), math.Inf(1), 0.1)
	scores = append(scores, measure.Score{Dataset: "a", Method: "mc", Split: "test", Measure: "rmse", Mean: 1})
	figure := expect.Must(ofPart(measurePairs, scores)())
	image := svgOf(t, figure)
	// By hand: 17 points over WS and ECE, 18 over WS and KS, 17 over ECE and
	// KS, and the legend's colour; one arrow and two arrows.
	if got := strings.Count(image, "fill:#1F6FD6"); got != 17+18+17+1 {
		t.Errorf("%d marks; want 53", got)
	}
	if got := strings.Count(image, "stroke:#124280;stroke-width:0.8"); got != 1+2 {
		t.Errorf("%d arrows; want 3", got)
	}
	for _, text := range []string{">1 beyond the axes, 1 missing<", ">2 beyond the axes<", ">1 missing<", ">SML<", ">test<"} {
		if !strings.Contains(image, text) {
			t.Errorf("there is no text %s", text)
		}
	}
}

// There is no figure if no point has two measures.
func TestMeasurePairsOfNothing(t *testing.T) {
	lone := measure.Score{Dataset: "a", Method: "mc", Split: "test", Measure: "ws", Mean: 1}
	for _, scores := range [][]measure.Score{nil, {lone}} {
		if figure, err := ofPart(measurePairs, scores)(); len(figure.Panels) > 0 || err != nil {
			t.Errorf("a figure of %v, or %v", scores, err)
		}
	}
}
