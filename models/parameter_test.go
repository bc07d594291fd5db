package models_test

import (
	"context"
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
)

// scaled returns a method whose objective has a parameter "scale", which its predictor reads as a standard deviation.
func scaled() models.Method {
	return models.Method{
		Name: "scaled",
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return b.Add(methods.FullMSE(b, t), b.Sum(b.Square(b.Param("scale", 1, 1, graph.Normal(1)))))
		},
		Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			std := b.Repeat(b.Abs(m.Parameter("scale")), m.Full[0].Shape()[0], m.Full[0].Shape()[1])
			return methods.Normal(m.Full[0], b.Max(std, b.Abs(m.Parameter("scale")))) // a second read is the same input
		},
	}
}

// A predictor may read a parameter several times, which is one input of its graph.
func TestParameterIsOneInput(t *testing.T) {
	g := expect.Must(register(t, scaled()).NewPredictionGraph(1, models.PredictionOptions{Rows: 2}))
	defer g.Close()
	if !slices.Equal(g.Parameters, []string{"scale"}) {
		t.Errorf("the predictor reads the parameters %v", g.Parameters)
	}
}

// A parameter that does not exist is an error that names those that do, in a predictor and after the training.
func TestUnknownParameters(t *testing.T) {
	wrong := scaled()
	wrong.Name = "wrongly-scaled"
	wrong.Predict = func(b *graph.Builder, m models.Moments) models.PredictionNodes {
		return methods.Point(b.Add(m.Full[0], m.Parameter("scales")))
	}
	const want = `neither the network nor the objective has a parameter "scales"; want one of hidden1.weight, hidden1.bias, output.weight, output.bias, scale`
	expect.Error(t, register(t, wrong).Examine(1), want, "parameter_test.go")
	after := scaled()
	after.Name = "scaled-after-training"
	after.AfterTraining = func(_ context.Context, n *models.TrainedNetwork) error {
		scale, err := n.Parameter("scale")
		if err != nil {
			return err
		}
		scale.Values[0] = 7 // a copy: the trained value stays
		again, err := n.Parameter("scale")
		if err != nil || again.Values[0] == 7 {
			t.Errorf("the parameter is %v, %v", again, err)
		}
		_, err = n.Parameter("scales")
		return err
	}
	expect.Error(t, register(t, after).Examine(1), want)
}
