package draw

import (
	"strings"
	"testing"
)

// The time for a layout is bounded: the 824 edges of 40 layers with gradients take a second. All tries
// would take minutes.
func TestManyLayers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	hidden := make([]int, 40)
	for i := range hidden {
		hidden[i] = 20
	}
	d := methodPicture(t, "sml", nil, hidden, true)
	if svgOf(t, d) != svgOf(t, d) {
		t.Error("two pictures of one graph differ")
	}
}

// The error for a picture with too many edges names DOT.
func TestTooManyLines(t *testing.T) {
	d := &drawing{edges: make([]edge, maxEdges+1)}
	if _, err := d.svg(); err == nil || !strings.Contains(err.Error(), "5001 lines") || !strings.Contains(err.Error(), "DOT") {
		t.Errorf("error %v", err)
	}
}

func svgOf(t *testing.T, d *drawing) string {
	t.Helper()
	svg, err := d.svg()
	if err != nil {
		t.Fatal(err)
	}
	return svg
}

// By hand: of the lines 1→3, 2→1, 3→2 the first crosses both others; of
// lines in reverse order every pair crosses; lines from or to one point do not.
func TestCrossings(t *testing.T) {
	lines := func(ends ...float64) (list []segment) {
		for i := 0; i < len(ends); i += 2 {
			list = append(list, segment{startY: ends[i], endY: ends[i+1]})
		}
		return list
	}
	var reverse []float64
	for i := range 100 {
		reverse = append(reverse, float64(i), float64(100-i))
	}
	for _, c := range []struct {
		ends []float64
		want int
	}{
		{[]float64{1, 3, 2, 1, 3, 2}, 2}, {reverse, 100 * 99 / 2}, {[]float64{1, 1, 1, 2, 1, 3}, 0}, {[]float64{1, 1, 2, 1, 3, 1}, 0}, {nil, 0},
	} {
		if got := crossings(lines(c.ends...)); got != c.want {
			t.Errorf("%v: %d crossings, want %d", c.ends, got, c.want)
		}
	}
}
