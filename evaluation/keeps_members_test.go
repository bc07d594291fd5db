package evaluation

import (
	"math"
	"testing"

	"sml/data"
)

// A model that keeps members has each member's prediction beside the joint prediction: the joint mean of pu-de is
// the mean of the members' means, and a model with the first member alone makes the same prediction as this member. Joint
// predictions are the same as those of a model that keeps no members.
func TestKeepsMembers(t *testing.T) {
	m := untrained(t, "pu-de", 3, nil)
	subset := data.Subset{X: points(5)}
	want, err := Predict(t.Context(), m, subset, Sampling{})
	if err != nil {
		t.Fatal(err)
	}
	m.KeepsMembers = true
	got, err := Predict(t.Context(), m, subset, Sampling{})
	if err != nil {
		t.Fatal(err)
	}
	m.Members = m.Members[:1]
	first, err := Predict(t.Context(), m, subset, Sampling{})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range got.Values {
		if !p.Equal(want.Values[i]) || want.Values[i].Members != nil {
			t.Errorf("row %d: %v, without members %v", i, p, want.Values[i])
		}
		if len(p.Members) != 3 || len(first.Values[i].Members) != 1 {
			t.Fatalf("row %d: there are %d members, and %d of one", i, len(p.Members), len(first.Values[i].Members))
		}
		mean := 0.0
		for _, member := range p.Members {
			mean += member.Mean() / 3
		}
		if math.Abs(mean-p.Mean()) > 1e-12 {
			t.Errorf("row %d: the mean of the members is %v, the joint one %v", i, mean, p.Mean())
		}
		if got, want := p.Members[0].Mean(), first.Values[i].Mean(); got != want {
			t.Errorf("row %d: the first member's mean is %v, want %v", i, got, want)
		}
	}
}
