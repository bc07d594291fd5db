package trainers

import (
	"math"
	"strings"
	"testing"

	"sml/trainers/optimizer"
)

// By hand, in a training of 100 epochs of 7 steps.
func TestSchedules(t *testing.T) {
	for _, c := range []struct {
		s           Schedule
		epoch, step int
		want        float64
	}{
		{Cosine, 0, 6, 1}, {Cosine, 50, 0, 0.5}, {Cosine, 75, 6, (1 - math.Sqrt2/2) / 2},
		{Step, 49, 6, 1}, {Step, 50, 0, 0.1}, {Step, 74, 6, 0.1}, {Step, 75, 0, 0.01},
		{WarmUp, 0, 0, 0.01}, {WarmUp, 5, 0, 0.505}, {WarmUp, 10, 0, 1}, {WarmUp, 55, 0, 0.5},
		{"exponential(1,0.01,0.5)", 25, 0, 0.1}, {"linear(0.5,1,0.1)", 99, 0, 1},
	} {
		at := optimizer.At{Step: 7*c.epoch + c.step + 1, Steps: 700, Epoch: c.epoch, Epochs: 100, Rate: 2}
		if got := c.s.link().Before(nil, nil, at).Rate; math.Abs(got-2*c.want) > 1e-15 {
			t.Errorf("%s at epoch %d of 100: %v, want %v", c.s, c.epoch, got, 2*c.want)
		}
	}
	if Constant.link() != nil {
		t.Error("a constant rate is multiplied by something")
	}
}

func TestParseSchedule(t *testing.T) {
	if s, err := ParseSchedule("linear(1, 0.1, 0.5)"); err != nil || s != "linear(1,0.1,0.5)" {
		t.Errorf("%q, %v", s, err)
	}
	for name, want := range map[string]string{
		"bogus":           `unknown schedule "bogus": there is constant, cosine, step, warm-up, or factors such as exponential(1,0.01,1)`,
		"linear(0,1,0.1)": "schedule linear(0,1,0.1) of the learning rate: its factor is 0: want 1e-06 to 1",
		"linear(1,2)":     "schedule linear(1,2): want a number, or a schedule such as linear(0,1,0.2)",
	} {
		if _, err := ParseSchedule(name); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v; want %s", name, err, want)
		}
	}
}
