package summary

import (
	"math"
	"testing"
)

func TestRank(t *testing.T) {
	if got := rank([]float64{5, math.NaN(), 1, 5, 2}); got[0] != 2.5 || got[3] != 2.5 || got[2] != 0 || got[4] != 1 || !math.IsNaN(got[1]) {
		t.Errorf("ranks are %v", got)
	}
}
