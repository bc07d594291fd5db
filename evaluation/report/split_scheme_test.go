package report

import (
	"strings"
	"testing"
)

func TestSplitScheme(t *testing.T) {
	image := svgOf(t, SplitScheme(1))
	// By hand: ten parts of 50 rows each as dots, eight inner and two outer, and
	// the legend; as many areas; each part named on both sides.
	for text, want := range map[string]int{
		"fill:#B4D32A": 8*50 + 1, fillOrange: 2*50 + 1,
		"fill:#C8161D": 8 + 1, "fill:#FFA0A4": 2 + 1,
		">0<": 2, ">9<": 2,
	} {
		if got := strings.Count(image, text); got != want {
			t.Errorf("%d times %s; want %d", got, text, want)
		}
	}
}
