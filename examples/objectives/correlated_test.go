package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/graph/gradcheck"
	"sml/models"
	"sml/trainers"
	"sml/trainers/check"
)

func TestCorrelatedPassesChecks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	check.Test(t, "correlated", nil)
	gradients, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
		loss, err := spec(t, "correlated", "", 3, 4).Loss(b, 6)
		if err != nil {
			t.Fatal(err)
		}
		return loss
	}, gradcheck.Settings{Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range gradients {
		if !(g.Error <= 1e-6) {
			t.Errorf("gradient of %s is wrong by %.1e", g.Name, g.Error)
		}
	}
}

// A training finds the correlation of the noise, here its sample correlation in the rows.
func TestCorrelatedLearnsCorrelation(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	const rows, want = 2000, 0.8
	r := rand.New(rand.NewPCG(1, 1))
	var table data.Subset
	var products, first, second float64
	for range rows {
		x, noise := 2*r.Float64()-1, r.NormFloat64()
		other := want*noise + math.Sqrt(1-want*want)*r.NormFloat64()
		table.X = append(table.X, x)
		table.Y = append(table.Y, math.Sin(2*x)+0.5*noise, x+0.3*other)
		products, first, second = products+noise*other, first+noise*noise, second+other*other
	}
	s := spec(t, "correlated", "", 1, 2)
	trained, err := trainers.Train(t.Context(), s, table, trainers.Settings{Epochs: 40, Batch: 50, LearningRate: 0.005}, trainers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, sample := learnedCorrelation(t, trained.Members[0]), products/math.Sqrt(first*second)
	if !(math.Abs(got-sample) <= 0.03) {
		t.Errorf("correlation %v, want %v", got, sample)
	}
}

// learnedCorrelation returns the correlation of the first two targets.
func learnedCorrelation(t *testing.T, trained *graph.Params) float64 {
	t.Helper()
	for i, p := range trained.List() {
		if p.Name != "correlation" {
			continue
		}
		w := graph.ParamValues(trained, trained.Float32s(), i)
		dot := func(i, j int) float64 {
			sum := 0.0
			for k := range p.Columns {
				sum += float64(w[i*p.Columns+k]) * float64(w[j*p.Columns+k])
			}
			return sum
		}
		return dot(0, 1) / math.Sqrt((dot(0, 0)+1)*(dot(1, 1)+1))
	}
	t.Fatal("there is no parameter \"correlation\"")
	return 0
}

// With one target the method has the loss of method pu.
func TestCorrelatedOfOneTarget(t *testing.T) {
	lossOf := func(method string) float32 {
		params := new(graph.Params)
		step, err := spec(t, method, "", 3, 1).NewEvaluation(graph.Compiled, params, 6)
		if err != nil {
			t.Fatal(err)
		}
		defer step.Close()
		params.Initialise(1)
		for i := range step.X {
			step.X[i] = float32(math.Sin(float64(3 * i)))
		}
		for i := range step.Y {
			step.Y[i] = float32(math.Cos(float64(5 * i)))
		}
		if err := step.Run(models.Position{}); err != nil {
			t.Fatal(err)
		}
		return step.Loss()
	}
	if got, want := lossOf("correlated"), lossOf("pu"); math.Abs(float64(got-want)) > 1e-6 {
		t.Errorf("loss %v, want %v", got, want)
	}
}
