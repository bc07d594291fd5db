package draw

import (
	"strings"
	"testing"
)

// The 824 edges of 40 layers with gradients take a second at most.
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
