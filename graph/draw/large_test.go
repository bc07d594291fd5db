package draw

import (
	"strings"
	"testing"

	"sml/internal/expect"
)

// The error for a picture with too many edges names DOT.
func TestTooManyLines(t *testing.T) {
	d := &drawing{edges: make([]edge, maxEdges+1)}
	if _, err := d.svg(); err == nil || !strings.Contains(err.Error(), "5001 lines") || !strings.Contains(err.Error(), "DOT") {
		t.Errorf("error %v", err)
	}
}

func svgOf(t *testing.T, d *drawing) string {
	t.Helper()
	svg := expect.Must(d.svg())
	return svg
}
