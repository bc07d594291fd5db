package optimizer_test

import (
	"math"
	"testing"

	"sml/trainers/optimizer"
)

func TestClipNorm(t *testing.T) {
	g := []float32{3, 4}
	optimizer.ClipNorm(10).Apply(nil, g, optimizer.StepInfo{})
	if g[0] != 3 || g[1] != 4 {
		t.Errorf("a norm of 5 was clipped to 10: %v", g)
	}
	optimizer.ClipNorm(1).Apply(nil, g, optimizer.StepInfo{})
	if math.Abs(float64(g[0])-0.6) > 1e-6 || math.Abs(float64(g[1])-0.8) > 1e-6 {
		t.Errorf("clipped to %v, want (0.6, 0.8)", g)
	}
}
