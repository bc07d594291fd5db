package drawing

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Every text has a length; a letter and its subscript end and begin where they
// did when they were placed.
func TestTextLengths(t *testing.T) {
	image := svgOf(t, withSubscripts())
	if n := strings.Count(image, "<text "); n == 0 || strings.Count(image, `<text textLength="`) != n {
		t.Errorf("%d of %d texts have a length", strings.Count(image, `<text textLength="`), n)
	}
	piece := regexp.MustCompile(`<text textLength="([0-9.]+)" lengthAdjust="spacingAndGlyphs" x="([0-9.]+)" y="[^"]*" transform="[^"]*"\s+style="[^"]*">([^<]*)</text>`)
	var end float64
	subscripts := 0
	for _, found := range piece.FindAllStringSubmatch(image, -1) {
		length, _ := strconv.ParseFloat(found[1], 64)
		x, err := strconv.ParseFloat(found[2], 64)
		if err != nil || length <= 0 {
			t.Fatalf("%q has no length", found[0])
		}
		if found[3] == "drop" {
			subscripts++
			if gap := x - end; gap < -0.05 || gap > 0.05 {
				t.Errorf("a subscript begins %v points after its letter's end", gap)
			}
		}
		end = x + length
	}
	if subscripts < 3 {
		t.Errorf("%d subscripts found; want those of the axis and the legend", subscripts)
	}
	if got := withTextLengths(`<text style="font-size:8px"> </text>`); strings.Contains(got, "textLength") {
		t.Errorf("a text of spaces has a length: %s", got)
	}
}
