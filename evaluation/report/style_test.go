package report

import (
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

func TestSignedTicks(t *testing.T) {
	var labels []string
	for _, tick := range (signedTicks{plot.DefaultTicks{}}).Ticks(-1, 1) {
		labels = append(labels, tick.Label)
	}
	all := strings.Join(labels, " ")
	if strings.Contains(all, "-") || !strings.Contains(all, "−1") {
		t.Errorf("labels are %q; want a minus sign, U+2212", all)
	}
}
