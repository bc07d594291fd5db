package trainers

import (
	"math"
	"testing"
)

func TestSchedules(t *testing.T) {
	for _, c := range []struct {
		s     Schedule
		epoch int
		want  float64
	}{
		{Constant, 99, 1}, {Cosine, 0, 1}, {Cosine, 50, 0.5}, {Cosine, 75, (1 - math.Sqrt2/2) / 2},
		{Step, 49, 1}, {Step, 50, 0.1}, {Step, 74, 0.1}, {Step, 75, 0.01},
	} {
		if got := c.s.factor(c.epoch, 100); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%s at epoch %d of 100: %v, want %v", c.s, c.epoch, got, c.want)
		}
	}
}
