package draw

import "testing"

// The effort is bounded: the 824 lines of 40 layers with gradients take a
// second, where every try there is would take minutes.
func TestManyLayers(t *testing.T) {
	hidden := make([]int, 40)
	for i := range hidden {
		hidden[i] = 20
	}
	d := methodPicture(t, "sml", nil, hidden, true)
	if svg := d.SVG(); svg != d.SVG() {
		t.Error("two pictures of one graph differ")
	}
}

// By hand: of the lines 1→3, 2→1, 3→2 the first crosses both others; of
// lines in reverse order every pair crosses; lines from or to one point do not.
func TestCrossings(t *testing.T) {
	lines := func(ends ...float64) (list []line) {
		for i := 0; i < len(ends); i += 2 {
			list = append(list, line{from: ends[i], to: ends[i+1]})
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
