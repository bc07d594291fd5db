package experiment

import (
	"context"
	"math"
	"slices"
	"testing"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/measure"
	"sml/examples/parts"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/distribution"
	"sml/models/methods"
	"sml/trainers"
)

// Methods whose predictions have other parts than a mean and a standard deviation.
func init() {
	models.Register(parts.Quantiles("three-quantiles"))
	models.Register(parts.Classes("three-classes"))
	models.Register(models.Method{
		Name: "kendall-gal", Outputs: models.Outputs(2), SubNetworks: models.EachSubNetwork, DropLayers: models.AllLayers, Source: "Kendall and Gal 2017, equation 9",
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			mean, std := methods.MeanAndStd(b, t.Forward(graph.Drop(0)))
			return b.Mean(methods.RowNLL(b, mean, std, t.Y))
		},
		Predict: kendallGal,
	})
	data.Register(data.Dataset{Name: "three-classes", Rows: 300, Features: 2, Target: "class", Make: func(context.Context, uint64) (*data.Table, error) {
		t := &data.Table{Name: "three-classes", Columns: []string{"a", "b"}, Targets: []string{"class"}}
		for i := range 300 {
			class := float64(i % 3)
			t.X = append(t.X, class+float64(0.1*float64(i%7)), float64(i%5)-class)
			t.Y = append(t.Y, class)
		}
		return t, nil
	}})
}

// kendallGal predicts the mean of the means, with σ² = E[σ²] + Var[μ] over sub-networks.
func kendallGal(b *graph.Builder, m models.Moments) models.PredictionNodes {
	variance := m.MeanOverDraws(func(draw []*graph.Node) *graph.Node {
		return b.Add(b.Square(methods.SoftplusAtLeast(b, draw[1], methods.MinStd)), b.Square(b.Sub(draw[0], m.Mean[0])))
	})
	return methods.Normal(m.Mean[0], b.Sqrt(variance), models.Component{Name: models.DropoutStd, Std: m.Std[0]})
}

// trainAndEvaluate trains a method on a data set and scores it on the held-out rows.
func trainAndEvaluate(t *testing.T, dataset, method string, epochs, members int, chosen models.Hyperparameters) (*Experiment, *models.Model, evaluation.Evaluation, *evaluation.Predictions) {
	t.Helper()
	table := expect.Must(Source{Name: dataset}.Read(t.Context(), "", data.Sound))
	spec := expect.Must(models.NewSpec(method, chosen, models.Architecture{Inputs: len(table.Columns), Targets: 1, Hidden: []int{20}, Dropout: 0.1}))
	e := prepareTest(t, Settings{
		Table: Source{Name: dataset}, Spec: spec, Prediction: Prediction{Samples: 20},
		Training: trainers.Settings{Epochs: epochs, Members: members, LearningRate: 0.01, Seed: 3, Split: "random", Protocol: data.Sound},
	}, NewTable(table))
	trained := expect.Must(e.Train(t.Context(), trainers.Options{}))
	found, p, err := e.Evaluate(t.Context(), trained.Model, e.Rows.Test, e.Sampling())
	expect.NoError(t, err)
	return e, trained.Model, found, p
}

func TestQuantiles(t *testing.T) {
	for _, members := range []int{1, 3} {
		_, m, found, p := trainAndEvaluate(t, "friedman", "three-quantiles", 60, members, models.Hyperparameters{"tail": 0.1})
		if !slices.Equal(p.Family.Levels, []float64{0.1, 0.5, 0.9}) || !p.HasStd() {
			t.Fatalf("levels %v, a standard deviation: %v", p.Family.Levels, p.HasStd())
		}
		if got := found.Standardised.Names(); !slices.Contains(got, "pinball") || !slices.Contains(got, "nll") || !slices.Equal(found.Original.Names(), got) {
			t.Errorf("scores by %v", got)
		}
		// A pinball loss of 0.25 is that of the quantiles of N(0, 1), without any input; an
		// interval that covers nothing is 0.8 off.
		if s := found.Standardised; !(s.Get("pinball") < 0.15) || !(s.Get("ace") < 0.4) {
			t.Errorf("%v", s)
		}
		if got, want := found.Original.Get("pinball"), found.Standardised.Get("pinball")*m.Targets[0].Std; got != want {
			t.Errorf("pinball loss %v in the target's unit; want %v", got, want)
		}
		for _, v := range p.Values {
			if !(v.Quantile(0.1) <= v.Quantile(0.5) && v.Quantile(0.5) <= v.Quantile(0.9)) {
				t.Fatalf("quantiles %v, %v, %v", v.Quantile(0.1), v.Quantile(0.5), v.Quantile(0.9))
			}
		}
	}
}

func TestClasses(t *testing.T) {
	for _, members := range []int{1, 2} {
		e, m, found, p := trainAndEvaluate(t, "three-classes", "three-classes", 60, members, nil)
		if got := found.Standardised.Names(); !slices.Equal(got, []string{"log-loss", "accuracy", "brier", "confidence-ece", "auc"}) {
			t.Errorf("scores by %v", got)
		}
		if s := found.Original; !(s.Get("accuracy") > 0.8) || !(s.Get("log-loss") < 0.7) { // by chance 1/3 and log 3 = 1.1
			t.Errorf("%v", s)
		}
		for _, v := range p.Values {
			classes := v.Distribution.(distribution.Classes)
			if sum := classes[0] + classes[1] + classes[2]; math.Abs(sum-1) > 1e-12 || !math.IsNaN(v.Mean()) {
				t.Fatalf("probabilities %v, and the mean %v", classes, v.Mean())
			}
		}
		y := e.Data().TargetsOf(e.Rows.Test)
		y[3] = 1.5
		_, err := evaluation.Evaluate(p, evaluation.Truth{Y: y, Columns: m.Targets}, data.Sound, nil)
		expect.ErrorText(t, err, "row 3: target is 1.5; want a class from 0 to 2")
	}
}

func TestDraws(t *testing.T) {
	e, m, found, p := trainAndEvaluate(t, "friedman", "kendall-gal", 5, 1, nil)
	if !found.Standardised.Has("nll") || !p.HasStd() || found.Standardised.Has("pinball") {
		t.Errorf("%v", found.Standardised)
	}

	// The draws as a distribution have the moments of the draws.
	s := e.Sampling()
	s.Predict = func(_ *graph.Builder, m models.Moments) models.PredictionNodes {
		draws := m.ForEachDraw(func(draw []*graph.Node) *graph.Node { return draw[0] })
		return models.PredictionNodes{Family: distribution.Empirical(len(draws)), Parameters: draws,
			Components: []models.Component{{Name: "std", Std: m.Std[0]}}}
	}
	_, p, err := e.Evaluate(t.Context(), m, e.Rows.Test[:10], s)
	expect.NoError(t, err)
	s.Predict = methods.PredictSubNetworks
	_, moments, err := e.Evaluate(t.Context(), m, e.Rows.Test[:10], s)
	expect.NoError(t, err)
	for i, v := range p.Values {
		if math.Abs(v.Std()-v.Components[0]) > 1e-12 || math.Abs(v.Mean()-moments.Values[i].Mean()) > 1e-12 {
			t.Errorf("row %d: mean %v and standard deviation %v of the draws; want %v and %v", i, v.Mean(), v.Std(), moments.Values[i].Mean(), v.Components[0])
		}
	}
}

// A row has the same prediction alone and wherever it stands among 5,000 rows, by every method.
func TestRowsArePredictedAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	for _, method := range models.Methods() {
		dataset := "friedman"
		if method.PredictsClasses() {
			dataset = "three-classes"
		}
		e, m, _, _ := trainAndEvaluate(t, dataset, method.Name, 3, min(method.Members, 2), nil)
		different := e.Rows.Test[:23]
		var rows []int
		for i := range 5000 {
			rows = append(rows, different[7*i%len(different)])
		}
		for _, engine := range graph.Engines() {
			sampling := e.Sampling()
			sampling.Engine = engine
			predict := func(rows ...int) []models.Prediction {
				p, err := evaluation.Predict(t.Context(), m, e.Gather(m, rows), sampling)
				if err != nil {
					t.Fatal(method.Name, err)
				}
				return p.Values
			}
			alone := make(map[int]models.Prediction)
			for _, row := range different {
				alone[row] = predict(row)[0]
			}
			for i, v := range predict(rows...) {
				if !v.Equal(alone[rows[i]]) {
					t.Fatalf("%s, %s: row %d as number %d is %v, and %v alone", method.Name, engine, rows[i], i, v, alone[rows[i]])
				}
			}
		}
	}
}

// A network that predicts only a mean has the scores that need only a mean.
func TestNoStandardDeviation(t *testing.T) {
	_, _, found, p := trainAndEvaluate(t, "friedman", "de", 5, 1, nil)
	if got := found.Standardised.Names(); !slices.Equal(got, []string{"rmse", "r2", "mae"}) || p.HasStd() || found.DropoutFraction != nil {
		t.Errorf("scores by %v", got)
	}
	// Members that agree have a standard deviation, and it is 0.
	equal := &evaluation.Predictions{Targets: 1, Values: []models.Prediction{models.NewPrediction(distribution.Normal, []float64{1, 0}, nil)}}
	e, err := evaluation.Evaluate(equal, evaluation.Truth{Y: []float64{1}, Columns: data.Scalers{{Name: "y", Std: 1}}}, data.Paper, nil)
	if err != nil || !e.Standardised.Has("nll") || !slices.Equal(e.Standardised.Names(), measure.Names()[:11]) {
		t.Errorf("%v, %v", e.Standardised, err)
	}
}
