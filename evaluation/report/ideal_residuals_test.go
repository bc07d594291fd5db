package report

import (
	"strings"
	"testing"
)

func TestIdealResiduals(t *testing.T) {
	image := svgOf(t, IdealResiduals(1))
	if strings.Count(image, "<image ") != 1 || !strings.Contains(image, `preserveAspectRatio="none"`) || !strings.Contains(image, "data:image/png;base64,") {
		t.Error("there is not one picture of the points")
	}
	// Two lines of either kind from the origin, and one in the legend.
	for _, line := range []string{"stroke:#F28E1C;stroke-width:1.1", "stroke:#1B5FC1;stroke-width:1.1"} {
		if got := strings.Count(image, line); got != 3 {
			t.Errorf("%d lines %s; want 3", got, line)
		}
	}
	if image == svgOf(t, IdealResiduals(2)) {
		t.Error("another seed draws the same points")
	}
}
