package trainers

import (
	"testing"
)

// A 0 in an Adam with other fields set is a 0. The zero Adam is the default.
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
