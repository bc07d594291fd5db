package paper

import (
	"strings"
	"testing"

	"sml/internal/expect"
)

func TestSplitScheme(t *testing.T) {
	figure, _, err := splitScheme(t.Context(), nil)
	expect.NoError(t, err)
	image := svgOf(t, figure)
	// By hand: ten parts of 50 rows each as dots, eight inner and two outer, and
	// the legend; as many areas; each part named on both sides.
	for text, want := range map[string]int{
		"fill:#B4D32A": 8*50 + 1, "fill:#F28E1C": 2*50 + 1,
		"fill:#C8161D": 8 + 1, "fill:#FFA0A4": 2 + 1,
		">0<": 2 + 4, ">9<": 2, // and the origins of the axes
	} {
		if got := strings.Count(image, text); got != want {
			t.Errorf("%d times %s; want %d", got, text, want)
		}
	}
}
