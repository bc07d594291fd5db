package chart

import (
	"fmt"
	"math"
	"testing"
)

func TestRoundTicks(t *testing.T) {
	cases := []struct {
		n         int
		low, high float64
		want      string // by hand
	}{
		{4, 0, 1.5, "[0 0.5 1.0 1.5]"},
		{3, -1.9, 1.9, "[−1 0 1]"},
		{4, -11, 13, "[−10 −5 0 5 10]"},
		{3, 0, 43000, "[0 20000 40000]"},
		{3, 0, 2.1e6, "[0 1e+06 2e+06]"},
		{3, 0, 2.1e-6, "[0 1e−06 2e−06]"},
		{3, 0.301, 0.3019, "[0.3010 0.3012 0.3014 0.3016 0.3018]"},
		{3, 1, 1, "[]"},
		{3, math.Inf(-1), 1, "[]"},
	}
	for _, c := range cases {
		labels := []string{}
		for _, tick := range RoundTicks(c.low, c.high, c.n) {
			labels = append(labels, tick.Label)
		}
		if got := fmt.Sprint(labels); got != c.want {
			t.Errorf("%d ticks from %v to %v: %s; want %s", c.n, c.low, c.high, got, c.want)
		}
	}
}
