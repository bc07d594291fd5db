package optimizer_test

import (
	"math"
	"slices"
	"testing"

	"sml/models"
	"sml/trainers/optimizer"
)

// layerwise is a State that treats layers separately: a step has the length of the learning rate
// times the norm of the parameter, as LARS without momentum (You et al. 2017, algorithm 1) and LAMB.
type layerwise []optimizer.Shape

func (l *layerwise) SetShapes(shapes []optimizer.Shape) { *l = shapes }
func (layerwise) Slots() []optimizer.Slot               { return nil }

func (l layerwise) Step(values, grad []float32, info optimizer.StepInfo) {
	for _, p := range l {
		w, g := values[p.From:][:p.Rows*p.Columns], grad[p.From:][:p.Rows*p.Columns]
		rate := float32(info.Rate * norm(w) / norm(g))
		for i, v := range g {
			w[i] -= float32(rate * v)
		}
	}
}

func norm(x []float32) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(float64(v) * float64(v))
	}
	return math.Sqrt(sum)
}

// shapeRecorder is a gradient transform that keeps the shapes of the parameters.
type shapeRecorder struct{ shapes []optimizer.Shape }

func (r *shapeRecorder) SetShapes(shapes []optimizer.Shape) { r.shapes = shapes }
func (*shapeRecorder) Slots() []optimizer.Slot              { return nil }

func (*shapeRecorder) Apply(_, _ []float32, info optimizer.StepInfo) optimizer.StepInfo { return info }

// SetShapes gets the parameters: a state the parameters of its group, counted from the first weight
// of the group, and a gradient transform all parameters.
func TestShapes(t *testing.T) {
	shapes := []optimizer.Shape{{From: 0, Rows: 2, Columns: 1}, {From: 2, Rows: 1, Columns: 1}, {From: 4, Rows: 1, Columns: 2}}
	o := optimizer.Optimizer{
		Name: "layerwise", New: func(models.Hyperparameters, int) optimizer.State { return new(layerwise) },
	}
	values := []float32{3, 4, 2, 7, 5, 12}
	step := func(s optimizer.State) []float32 {
		values, grad := slices.Clone(values), []float32{0, 2, -1, 1, 3, 4}
		s.Step(values, grad, optimizer.StepInfo{Step: 1, Rate: 0.1})
		return values
	}
	checkClose := func(what string, got []float32, want ...float64) {
		for i, w := range want {
			if math.Abs(float64(got[i])-w) > 1e-6 {
				t.Errorf("%s: %v, want %v", what, got, want)
				return
			}
		}
	}
	groups := []optimizer.Group{{From: 0, To: 3, Rate: 1, Shapes: shapes[:2]}, {From: 4, To: 6, Rate: 0.1, Shapes: shapes[2:]}}
	checkClose("in groups", step(start(t, o, nil, 6, groups...)), 3, 3.5, 2.2, 7, 5-0.013*3/5*10, 12-0.013*4/5*10)
	checkClose("one row", step(start(t, o, nil, 6)), 3, 4-0.1*2*norm(values)/norm([]float32{0, 2, -1, 1, 3, 4}))
	recorder := new(shapeRecorder)
	o.Transforms = func(models.Hyperparameters, int) []optimizer.GradientTransform {
		return []optimizer.GradientTransform{recorder}
	}
	if start(t, o, nil, 6, groups...); !slices.Equal(recorder.shapes, shapes) {
		t.Errorf("a transform has the shapes %v, want %v", recorder.shapes, shapes)
	}
}
