package trainers

import (
	"math"
	"testing"
)

// PyTorch 1.13: three steps of torch.optim.AdamW(lr=0.01, weight_decay=d) from
// (0.5, −1, 2) with the gradients below.
func TestAdamAsInPyTorch(t *testing.T) {
	gradients := [][]float32{{0.1, -2, 0}, {0.3, 1, -0.5}, {-0.2, 0.5, 0.25}}
	for decay, want := range map[float64][]float64{
		0:   {0.4782431721687317, -0.9867227673530579, 2.009727716445923},
		0.1: {0.47677385807037354, -0.9837484955787659, 2.0037264823913574},
	} {
		values, m, v := []float32{0.5, -1, 2}, make([]float32, 3), make([]float32, 3)
		for i, g := range gradients {
			Adam{0.9, 0.999, 1e-8}.step(values, g, m, v, i+1, 0.01, decay)
		}
		for i := range want {
			if math.Abs(float64(values[i])-want[i]) > 5e-7 {
				t.Errorf("decay %v: value %d is %v, want %v", decay, i, values[i], want[i])
			}
		}
	}
}

// By hand: without moments the first step is the learning rate against each
// gradient's sign, whatever its size.
func TestAdamWithoutMoments(t *testing.T) {
	for _, a := range []Adam{{0, 0.999, 1e-8}, {0, 0, 1e-8}} {
		values, m, v := []float32{0.5, -1, 2}, make([]float32, 3), make([]float32, 3)
		a.step(values, []float32{0.1, -2, 30}, m, v, 1, 0.01, 0)
		for i, want := range []float64{0.49, -0.99, 1.99} {
			if math.Abs(float64(values[i])-want) > 1e-6 {
				t.Errorf("%+v: value %d is %v, want %v", a, i, values[i], want)
			}
		}
	}
}

// A 0 in an Adam that is given is a 0; one with nothing in it is the default.
func TestAdamIsTakenWhole(t *testing.T) {
	for _, c := range []struct{ given, want Adam }{
		{Adam{}, DefaultAdam},
		{Adam{Beta1: 0, Beta2: 0.999, Epsilon: 1e-8}, Adam{Beta1: 0, Beta2: 0.999, Epsilon: 1e-8}},
		{Adam{Epsilon: 1e-3}, Adam{Epsilon: 1e-3}},
	} {
		s, err := Settings{Adam: c.given}.withDefaults()
		if err != nil || s.Adam != c.want {
			t.Errorf("%+v became %+v, %v", c.given, s.Adam, err)
		}
	}
	if _, err := (Settings{Adam: Adam{Beta1: 0.9}}).withDefaults(); err == nil {
		t.Error("an epsilon of 0 was taken for the default")
	}
}

func TestClip(t *testing.T) {
	g := []float32{3, 4}
	clip(g, 10)
	if g[0] != 3 || g[1] != 4 {
		t.Errorf("a norm of 5 was clipped to 10: %v", g)
	}
	clip(g, 1)
	if math.Abs(float64(g[0])-0.6) > 1e-6 || math.Abs(float64(g[1])-0.8) > 1e-6 {
		t.Errorf("clipped to %v, want (0.6, 0.8)", g)
	}
}

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
