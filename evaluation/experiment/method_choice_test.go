package experiment

import (
	"math/rand/v2"
	"strings"
	"testing"

	"sml/data"
	"sml/data/preparation"
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/internal/expect"
	"sml/models"
	"sml/models/distribution"
	"sml/trainers"
)

// Only a training whose method and calibration are the defaults has an alternative, which is a choice of settings that a
// training accepts. docs/reference/defaults.md is the source of the cases.
func TestAlternative(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Settings) // of settings with the defaults of a table of 500 rows
		want   bool
	}{
		{"defaults", func(*Settings) {}, true},
		{"calibration rows", func(s *Settings) { s.Training.Calibrate = 0.2; s.Training.CrossValidation = false }, true},
		{"20,000 rows", func(s *Settings) { s.Table.Rows = 20_000 }, true},
		{"20,001 rows", func(s *Settings) { s.Table.Rows = 20_001 }, false},
		{"another method", func(s *Settings) { s.Spec.Method = "pu-de" }, false},
		{"hyperparameter", func(s *Settings) { s.Spec.Hyperparameters = models.Hyperparameters{"dropout": 0.2} }, false},
		{"two targets", func(s *Settings) { s.Spec.Architecture.Targets = 2 }, false},
		{"other calibration", func(s *Settings) { s.Calibration.Kind = "conformal" }, false},
		{"other coverage", func(s *Settings) { s.Calibration.Coverage = 0.95 }, false},
		{"groups by a column", func(s *Settings) { s.Calibration.GroupColumn = "site" }, false},
		{"epoch by the density", func(s *Settings) { s.Training.ValidationMeasure = validationNLL }, false},
		{"start from a model", func(s *Settings) { s.InitFrom = "model" }, false},
		{"paper protocol", func(s *Settings) { s.Training.Protocol = data.Paper }, false},
		{"no calibration", func(s *Settings) { s.Calibration = calibrate.Options{} }, false},
		{"published data set", func(*Settings) {}, false},
	} {
		s := DefaultSettings()
		s.Table.Name = "mine.csv"
		s.Table.Rows = 500
		s.Training.CrossValidation = true
		s.Training.Members = 8
		s.Training.ValidationMeasure = validationCRPS
		s.Training.Protocol = data.Sound
		s.Spec.Method = "crps-de"
		s.Spec.Architecture.Targets = 1
		s.Calibration = calibrate.Options{Kind: "predictive", Coverage: 0.9}
		c.change(&s)
		recipe := RecipeFor(s.Table.Name, s.Table.Rows)
		if c.name == "published data set" {
			recipe = Recipe{Method: "crps-de"}
		}
		got, ok := recipe.Alternative(s, s)
		if ok != c.want {
			t.Errorf("%s: has an alternative: %v, want %v", c.name, ok, c.want)
		}
		if ok && (got.Spec.Method != "quantiles" || got.Training.Members != 8 || got.Table.Transform != preparation.None) {
			t.Errorf("%s: the alternative is %+v", c.name, got)
		}
	}
}

// Quantile networks are chosen if they lower the CRPS of held-out rows by 1 %, and the choice says why.
func TestMethodChoice(t *testing.T) {
	trained := func(method string, std float64) *Trained {
		rng := rand.New(rand.NewPCG(1, 1))
		rows := calibrate.Rows{Predictions: &evaluation.Predictions{Targets: 1}}
		for range 200 {
			y := rng.NormFloat64()
			mean := y + float64(std*rng.NormFloat64())
			rows.Predictions.Values = append(rows.Predictions.Values, models.NewPrediction(distribution.Normal, []float64{mean, std}, nil))
			rows.Y = append(rows.Y, y)
		}
		c := expect.Must(calibrate.Fit(rows, calibrate.Options{}))
		return &Trained{Model: &models.Model{Spec: models.Spec{Method: method}}, heldOut: &heldOutRows{rows, c}}
	}
	skewed := MethodChoice{Tails: &calibrate.Tails{Skewness: -0.81, Weight: 1.5}}
	for _, c := range []struct {
		first, second float64 // standard deviations of the errors
		want          string
	}{{0.2, 0.1, "quantiles"}, {0.1, 0.2, "crps-de"}, {0.1, 0.1, "crps-de"}, {0.1, 0.098, "quantiles"}, {0.1, 0.0995, "crps-de"}} {
		got, err := skewed.better(trained("crps-de", c.first), trained("quantiles", c.second))
		if err != nil || got.Method != c.want || got.Choice.Method != c.want || len(got.Model.Choice) == 0 {
			t.Errorf("errors of %v and %v: %+v, %v; want %s", c.first, c.second, got.Choice, err, c.want)
		}
	}
	small, large := 1283.0, 1371.0
	heavy := &calibrate.Tails{Skewness: 0.1, Weight: 2.5}
	for _, c := range []struct {
		choice MethodChoice
		want   string
	}{
		{MethodChoice{Method: "quantiles", Tails: skewed.Tails, CRPS: &large, QuantileCRPS: &small}, "quantiles of 8 networks, since residuals are skewed (0.81, above 0.4) and held-out CRPS is 1283 in place of 1371"},
		{MethodChoice{Method: "crps-de", Tails: heavy, CRPS: &small, QuantileCRPS: &large}, "crps-de of 8 networks: residuals are heavy-tailed (weight 2.50, above 2), but quantile networks do not lower the held-out CRPS by 1 %: 1371 in place of 1283"},
		{MethodChoice{Method: "crps-de", Tails: heavy}, "crps-de of 8 networks: residuals are heavy-tailed (weight 2.50, above 2), but the training of quantile networks diverged"},
		{MethodChoice{Method: "crps-de", Tails: &calibrate.Tails{Skewness: 0.4, Weight: 2}}, "crps-de of 8 networks, since residuals have a skewness of 0.40, at most 0.4, and a tail weight of 2.00, at most 2"},
		{MethodChoice{Method: "crps-de"}, "crps-de of 8 networks, since too few held-out rows tell how skewed the residuals are"},
	} {
		c.choice.Networks = 8
		if got := c.choice.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// The ensemble stays if the training of the quantile networks diverges.
func TestAlternativeDiverges(t *testing.T) {
	table := data.Friedman(300, 1)
	rng := rand.New(rand.NewPCG(1, 1))
	for row := range table.Y {
		table.Y[row] += 20 * rng.ExpFloat64()
	}
	prepare := func(method string) *Experiment {
		spec := expect.Must(models.NewSpec(method, nil, models.Architecture{Inputs: 10, Targets: 1, Hidden: []int{4}}))
		s := Settings{Spec: spec, Table: Source{Name: "friedman"}}
		s.Training = trainers.Settings{Members: 4, Epochs: 2, Batch: 25, LearningRate: 0.01, CrossValidation: true, Protocol: data.Sound}
		return prepareTest(t, s, NewTable(table))
	}
	diverging := trainers.Options{AfterStep: func(trainers.StepReport) error { return &trainers.DivergedError{} }}
	got := expect.Must(prepare("crps-de").TrainBetter(t.Context(), prepare("quantiles"), trainers.Options{}, func() (trainers.Options, error) { return diverging, nil }))
	if got.Method != "crps-de" || !got.Choice.Tails.IsSkewed() || !strings.HasSuffix(got.Choice.String(), "but the training of quantile networks diverged") {
		t.Errorf("%s: %s", got.Method, got.Choice)
	}
}
