package models_test

import (
	"math"
	"strings"
	"testing"

	"sml/internal/expect"
	"sml/models"
)

// By hand: a third of the way to the end, at half of it, at the end and behind it.
func TestSchedules(t *testing.T) {
	for _, c := range []struct {
		text   string
		at     float64
		want   float64
		ending float64
	}{
		{"linear(0,1,0.2)", 0.1, 0.5, 1},
		{"linear(2,-2,1)", 0.25, 1, -2},
		{"cosine(1,0,0.5)", 0.25, 0.5, 0},
		{"cosine(0,4,1)", 1.0 / 3, 1, 4},
		{"exponential(1,100,0.5)", 0.25, 10, 100},
		{"exponential(-1,-0.01,1)", 0.5, -0.1, -0.01},
	} {
		s := expect.Must(models.ParseSchedule(c.text))
		if s.String() != c.text {
			t.Errorf("%s is written as %s", c.text, s)
		}
		for at, want := range map[float64]float64{0: s.From, c.at: c.want, 1: c.ending, s.End: c.ending} {
			p := models.Position{Step: int(math.Round(3000 * at)), Steps: 3000}
			if got := s.Value(p); math.Abs(got-want) > 1e-15*100 {
				t.Errorf("%s is %v at %v, want %v", c.text, got, at, want)
			}
		}
	}
	for text, want := range map[string]string{
		"bogus":                `unknown schedule "bogus"; want one of constant, cosine, step, warm-up, coslog4, cosine-restarts, or factors such as exponential(1,0.01,1)`,
		"linear(0,1)":          "schedule linear(0,1): want a schedule such as linear(0,1,0.2)",
		"steps(0,1,0.2)":       "want a schedule such as",
		"linear(nan,1,1)":      "want a schedule such as",
		"linear(0,1,0)":        "a schedule ends at 0",
		"linear(0,1,1.5)":      "a schedule ends at 1.5",
		"exponential(0,1,0.5)": "want two numbers of one sign",
	} {
		expect.Error(t, expect.ErrorOf(models.ParseSchedule(text)), want)
	}
}

// By hand, in a training of 100 epochs of 7 steps.
func TestLearningRateSchedules(t *testing.T) {
	for _, c := range []struct {
		text        string
		epoch, step int
		want        float64
	}{
		{"constant", 50, 0, 1},
		{"cosine", 0, 6, 1}, {"cosine", 50, 0, 0.5}, {"cosine", 75, 6, (1 - math.Sqrt2/2) / 2},
		{"step", 49, 6, 1}, {"step", 50, 0, 0.1}, {"step", 74, 6, 0.1}, {"step", 75, 0, 0.01},
		{"warm-up", 0, 0, 0.01}, {"warm-up", 5, 0, 0.505}, {"warm-up", 10, 0, 1}, {"warm-up", 55, 0, 0.5},
		{"exponential(1,0.01,0.5)", 25, 0, 0.1}, {"linear(0.5, 1, 0.1)", 99, 0, 1},
	} {
		s := expect.Must(models.ParseSchedule(c.text))
		p := models.Position{Step: 7*c.epoch + c.step, Steps: 700, Epoch: c.epoch, Epochs: 100}
		if got := s.Value(p); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v at epoch %d of 100: %v, want %v", s, c.epoch, got, c.want)
		}
	}
}

// TestCosLog4 compares ½(1 − cos(2π log₂(1 + 15t))) with its values by hand: 0 where 1 + 15t is 1, 2, 4, 8 and 16,
// 1 where it is the square root of 2, and at t = ½, where it is 8.5, ½(1 − cos(0.549545)).
func TestCosLog4(t *testing.T) {
	s := expect.Must(models.ParseSchedule("coslog4"))
	for _, c := range []struct {
		step, steps     int
		want, tolerance float64
	}{
		{0, 15, 0, 0}, {1, 15, 0, 1e-14}, {3, 15, 0, 1e-14}, {7, 15, 0, 1e-14}, {15, 15, 0, 1e-14},
		{276142, 10_000_000, 1, 1e-8},
		{1, 2, 0.5 * (1 - math.Cos(0.549545)), 1e-6},
	} {
		p := models.Position{Step: c.step, Steps: c.steps, Epochs: 1} // epochs do not count
		if got := s.Value(p); !(math.Abs(got-c.want) <= c.tolerance) {
			t.Errorf("after %d of %d steps the factor is %v, want %v", c.step, c.steps, got, c.want)
		}
	}
}

// PyTorch 1.13: the learning rate of torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(T_0=100, T_mult=2) in 700
// steps from 1.
func TestCosineRestartsAsInPyTorch(t *testing.T) {
	s := expect.Must(models.ParseSchedule("cosine-restarts"))
	for step, want := range map[int]float64{
		0: 1, 25: 0.8535533905932737, 50: 0.5, 99: 0.0002467198171342, 100: 1, 150: 0.8535533905932737, 200: 0.5,
		299: 6.168375916970614e-05, 300: 1, 400: 0.8535533905932737, 600: 0.14644660940672627, 699: 1.5421177605168257e-05,
	} {
		if got := s.Value(models.Position{Step: step, Steps: 700}); math.Abs(got-want) > 1e-14 {
			t.Errorf("after %d of 700 steps the factor is %v, want %v", step, got, want)
		}
	}
}

// A schedule may be the default of a number, which is then chosen like any other.
func TestScheduleAsDefault(t *testing.T) {
	m := models.Method{Name: "adversary", Hyperparameters: models.DeclareHyperparameters("adversary", []models.Hyperparameter{
		{Name: "weight", Default: "linear( 0, 1, 0.5 )", Range: models.Range{Min: 0, Max: 2}},
	})}
	for _, c := range []struct{ chosen, want any }{
		{nil, "linear(0,1,0.5)"},
		{0.3, 0.3},
		{"cosine(1,2,1)", "cosine(1,2,1)"},
		{3.0, "weight=3 is out of range: want 0 to 2"},
		{"linear(0,3,1)", "weight=3 is out of range: want 0 to 2"},
		{"linear(0,NaN,1)", "schedule linear(0,NaN,1): want a schedule such as linear(0,1,0.2)"},
		{"much", "weight=much: want a number, or a schedule"},
		{true, "weight=true: want a number"},
	} {
		chosen := models.Hyperparameters{}
		if c.chosen != nil {
			chosen["weight"] = c.chosen
		}
		h, err := m.Choose(chosen)
		if err == nil && h["weight"] == c.want {
			continue
		}
		if text, _ := c.want.(string); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("weight=%v is %v: %v, want %v", c.chosen, h["weight"], err, c.want)
		}
	}
}
