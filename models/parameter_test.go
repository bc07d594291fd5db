package models_test

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
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

// predictedStd returns the standard deviation that a network with the given parameters predicts for the first of two rows.
func predictedStd(t *testing.T, s models.Spec, params *graph.Params) float64 {
	t.Helper()
	const networks = 1
	g := expect.Must(s.NewPredictionGraph(networks, models.PredictionOptions{Rows: 2}))
	defer g.Close()
	if !slices.Equal(g.Parameters, []string{"scale"}) {
		t.Errorf("the predictor reads the parameters %v", g.Parameters)
	}
	outputs := s.PlausibleOutputs(0, 2)
	outputs.Params = params
	values := expect.Must(g.Run(outputs, 2))
	p := expect.Must(g.Combine([][]float64{values}, 2))
	return p[0].Std()
}

// Each network predicts with its own value of a parameter, also after its model is saved and loaded.
func TestPredictorsReadParameters(t *testing.T) {
	s := register(t, scaled())
	expect.NoError(t, s.Examine(2))
	m := storingExample(t) // for the columns
	m.Spec, m.Stored, m.Members = s, nil, nil
	for seed := range uint64(3) {
		params := expect.Must(s.NewParams(seed))
		m.Members = append(m.Members, params)
	}
	dir := filepath.Join(t.TempDir(), "model")
	expect.NoError(t, m.Save(dir, false))
	loaded := expect.Must(models.Load(dir))
	for k, params := range m.Members {
		scale := expect.Must(models.FindParameter(params, "scale"))
		want := math.Abs(float64(scale.Values[0]))
		if got := predictedStd(t, s, params); got != want {
			t.Errorf("member %d predicts the standard deviation %v; want %v", k, got, want)
		}
		if got := predictedStd(t, s, loaded.Members[k]); got != want {
			t.Errorf("member %d of the loaded model predicts the standard deviation %v; want %v", k, got, want)
		}
	}
	if form, err := loaded.PredictionForm(); err != nil || form.Family.Name != "normal-mixture" {
		t.Errorf("the loaded model predicts the form.Family %q, %v", form.Family.Name, err)
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
	err := register(t, wrong).Examine(1)
	if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "parameter_test.go") {
		t.Errorf("%v; want %s", err, want)
	}
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
	err = register(t, after).Examine(1)
	expect.Error(t, err, want)
}
