package optimizer_test

import (
	"reflect"
	"testing"

	"sml/models"
	"sml/trainers/optimizer"
)

// shapeRecorder is a State and a gradient transform that keeps the shapes of the parameters.
type shapeRecorder struct{ shapes []optimizer.Shape }

func (r *shapeRecorder) SetShapes(shapes []optimizer.Shape)              { r.shapes = shapes }
func (*shapeRecorder) Slots() []optimizer.Slot                           { return nil }
func (*shapeRecorder) Step(values, grad []float32, _ optimizer.StepInfo) {}

func (*shapeRecorder) Apply(_, _ []float32, info optimizer.StepInfo) optimizer.StepInfo { return info }

// SetShapes gets the parameters: a state the parameters of its group, counted from the first weight
// of the group, or one row of all weights; and a gradient transform all parameters.
func TestShapes(t *testing.T) {
	shapes := []optimizer.Shape{{From: 0, Rows: 2, Columns: 1}, {From: 2, Rows: 1, Columns: 1}, {From: 4, Rows: 1, Columns: 2}}
	groups := []optimizer.Group{{From: 0, To: 3, Rate: 1, Shapes: shapes[:2]}, {From: 4, To: 6, Rate: 0.1, Shapes: shapes[2:]}}
	for _, c := range []struct {
		groups []optimizer.Group
		states [][]optimizer.Shape // of each state
		all    []optimizer.Shape   // of the gradient transform
	}{
		{groups, [][]optimizer.Shape{shapes[:2], {{From: 0, Rows: 1, Columns: 2}}}, shapes},
		{nil, [][]optimizer.Shape{{{From: 0, Rows: 1, Columns: 6}}}, []optimizer.Shape{{From: 0, Rows: 1, Columns: 6}}},
	} {
		transform := new(shapeRecorder)
		var states []*shapeRecorder
		start(t, optimizer.Optimizer{
			Name: "recorder",
			New: func(models.Hyperparameters, int) optimizer.State {
				states = append(states, new(shapeRecorder))
				return states[len(states)-1]
			},
			Transforms: func(models.Hyperparameters, int) []optimizer.GradientTransform {
				return []optimizer.GradientTransform{transform}
			},
		}, nil, 6, c.groups...)
		var got [][]optimizer.Shape
		for _, s := range states {
			got = append(got, s.shapes)
		}
		if !reflect.DeepEqual(got, c.states) || !reflect.DeepEqual(transform.shapes, c.all) {
			t.Errorf("states have %v and the transform %v, want %v and %v", got, transform.shapes, c.states, c.all)
		}
	}
}
