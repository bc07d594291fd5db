package optimizer_test

import (
	"math"
	"testing"

	"sml/models"
	"sml/trainers/optimizer"
)

// By hand: the gradient of bowl at w = (3, 4) with curvatures (½, 1) is (1.5, 4), of norm √18.25, and at the distance
// 0.1 in its direction it is (1.5 + ½·0.1·1.5/√18.25, 4 + 0.1·4/√18.25). The weights are set back.
func TestSAM(t *testing.T) {
	w, grad := []float32{3, 4}, make([]float32, 2)
	sam := optimizer.SAM(0.1, 2)
	sam.(optimizer.BatchUser).UseBatch(newBowl(w))
	bowl(w, grad)
	sam.Apply(w, grad, optimizer.StepInfo{Step: 1})
	norm := math.Sqrt(18.25)
	near(t, grad, []float64{1.5 + 0.5*0.1*1.5/norm, 4 + 0.1*4/norm})
	near(t, w, []float64{3, 4})
}

// quarticBatch has the loss ½ Σ cᵢ wᵢ² + (Σ wᵢ)⁴/40 + 0.3 w₀ w₂ with c = (½, 1, 2).
type quarticBatch struct{ w []float32 }

func (b *quarticBatch) Gradient(grad []float32) float64 {
	loss := bowl(b.w, grad)
	sum := float64(b.w[0] + b.w[1] + b.w[2])
	for i := range grad {
		grad[i] += float32(sum * sum * sum / 10)
	}
	grad[0] += 0.3 * b.w[2]
	grad[2] += 0.3 * b.w[0]
	return loss + sum*sum*sum*sum/40 + 0.3*float64(b.w[0]*b.w[2])
}

func (b *quarticBatch) Loss() float64 { return b.Gradient(make([]float32, 3)) }

func (b *quarticBatch) HessianVector(product, v []float32) { panic("not needed") }

// PyTorch 1.13 in float64: six steps of torch.optim.LBFGS(lr=0.5, max_iter=1, history_size=2) from (0.5, −1, 2).
func TestLBFGSAsInPyTorch(t *testing.T) {
	w, grad := []float32{0.5, -1, 2}, make([]float32, 3)
	s := start(t, lookup(t, "lbfgs"), models.Hyperparameters{"pairs": 2}, 3)
	batch := &quarticBatch{w}
	useBatch(s, batch)
	for step, want := range [][]float64{
		{0.40631163708086787, -0.9477317554240631, 1.6459566074950691},
		{0.2984281974380224, -0.5939229226302662, 0.8969905944612808},
		{0.23406786002402113, -0.31503746908881936, 0.44297265481020315},
		{0.18438779987317266, -0.1588998978887235, 0.21054020129176113},
		{0.14388203593101379, -0.07894928284471422, 0.0956113919891415},
		{0.11104659991967697, -0.03839348751200404, 0.0394348514711843},
	} {
		batch.Gradient(grad)
		s.Step(w, grad, optimizer.StepInfo{Step: step + 1, Rate: 0.5})
		near(t, w, want)
	}
}

// probedBatch is a bowl that remembers the vector that the Hessian was last multiplied with.
type probedBatch struct {
	*bowlBatch
	v []float32
}

func (b *probedBatch) HessianVector(product, v []float32) {
	b.v = v
	b.bowlBatch.HessianVector(product, v)
}

// The first step of Sophia by its formulas (Liu et al. 2023, algorithm 3): with curvatures (½, 1, 2) and the probe u,
// m = 0.04·g, h = 0.01·c·u² and w moves by the rate times m/(0.01·h), limited to 1.
func TestFirstStepOfSophia(t *testing.T) {
	const rate = 0.01
	w, grad := []float32{0.5, -1, 1e-5}, make([]float32, 3)
	batch := &probedBatch{bowlBatch: newBowl(w)}
	s := start(t, lookup(t, "sophia"), nil, 3)
	useBatch(s, batch)
	bowl(w, grad)
	var want []float64
	for i, v := range w {
		c := math.Ldexp(0.5, i)
		want = append(want, float64(v)-rate*math.Copysign(1, float64(v)))
		if i == 2 {
			u := float64(batchProbe(t))
			want[i] = float64(v) - rate*math.Min(1, 0.04*c*float64(v)/(0.01*0.01*c*u*u))
		}
	}
	s.Step(w, grad, optimizer.StepInfo{Step: 1, Rate: rate})
	near(t, w, want)
}

// batchProbe returns the third number of the probe of Sophia's first step.
func batchProbe(t *testing.T) float32 {
	batch := &probedBatch{bowlBatch: newBowl(make([]float32, 3))}
	s := start(t, lookup(t, "sophia"), nil, 3)
	useBatch(s, batch)
	s.Step(batch.w, make([]float32, 3), optimizer.StepInfo{Step: 1})
	return batch.v[2]
}

// Hutchinson's estimates have the Hessian's diagonal as their mean: the standard deviation of c·u² is √2·c, and of the
// running mean of 20,000 of them with beta2 = 0.999 about √2·c/√2000, 3 % of c. Source: Liu et al. 2023, equation 8.
func TestSophiaEstimatesDiagonal(t *testing.T) {
	w := make([]float32, 3)
	s := start(t, lookup(t, "sophia"), models.Hyperparameters{"beta2": 0.999, "every": 1}, 3)
	useBatch(s, newBowl(w))
	for step := range 20000 {
		s.Step(w, make([]float32, 3), optimizer.StepInfo{Step: step + 1})
	}
	for i, h := range s.Slots()[1].Values {
		if c := math.Ldexp(0.5, i); math.Abs(float64(h)-c) > 0.12*c {
			t.Errorf("the estimate for a curvature of %v is %v", c, h)
		}
	}
}
