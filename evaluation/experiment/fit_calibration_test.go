package experiment

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/models"
	"sml/models/distribution"
	"sml/trainers"
)

// trainCrossValidated returns a training of eight small networks with cross-validation on a toy table.
func trainCrossValidated(t *testing.T) (*Experiment, *Trained) {
	t.Helper()
	table := friedman(t)
	s := Settings{Table: Source{Name: table.Name}}
	var err error
	s.Spec, err = models.NewSpec("pu-de", nil, models.Architecture{Inputs: len(table.Columns), Targets: 1, Hidden: []int{16}})
	if err != nil {
		t.Fatal(err)
	}
	s.Training = trainers.Settings{Members: 8, Epochs: 20, CrossValidation: true, Protocol: data.Sound, Split: "random"}
	e := prepareTest(t, s, table)
	trained, err := e.Train(t.Context(), trainers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e, trained
}

// A cross-validated ensemble is calibrated on all training rows, and its 90 % intervals cover about as many of
// the test rows.
func TestCrossValidationCalibrates(t *testing.T) {
	e, trained := trainCrossValidated(t)
	m := decodeModel(t, trained.Model)
	if m.Calibration == nil || m.Calibration.Rows != len(e.Rows.Train) {
		t.Fatalf("the calibration is %+v; want one of %d rows", m.Calibration, len(e.Rows.Train))
	}
	scores, _, err := e.Evaluate(t.Context(), trained.Model, e.Rows.Test, e.Sampling())
	if err != nil {
		t.Fatal(err)
	}
	covered := scores.Original.Get("coverage90")
	// 200 test rows: four standard deviations of the number of covered rows are 0.085 of them.
	if math.Abs(covered-0.9) > 0.085 {
		t.Errorf("90 %% intervals cover %v of the test rows", covered)
	}
}

// Ensembles of other families are calibrated, too, with an odd number of members as well.
func TestCrossValidationOfOtherFamilies(t *testing.T) {
	for _, method := range []string{"de", "mdn", "quantiles", "sml-de"} {
		s := Settings{Table: Source{Name: "friedman"}}
		var err error
		s.Spec, err = models.NewSpec(method, nil, models.Architecture{Inputs: 10, Targets: 1, Hidden: []int{6}, Dropout: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		s.Training = trainers.Settings{Members: 5, Epochs: 2, CrossValidation: true, Protocol: data.Sound, Split: "random"}
		s.Prediction.Samples = 10
		e := prepareTest(t, s, friedman(t))
		trained, err := e.Train(t.Context(), trainers.Options{})
		if err != nil {
			t.Fatal(method, err)
		}
		scores, predictions, err := e.Evaluate(t.Context(), trained.Model, e.Rows.Test, e.Sampling())
		if err != nil {
			t.Fatal(method, err)
		}
		if scores.Uncalibrated == nil {
			t.Errorf("%s is not calibrated", method)
		}
		for _, v := range predictions.Values {
			if low, high := v.Quantile(0.05), v.Quantile(0.95); !(low < high) || math.IsInf(high-low, 0) {
				t.Errorf("%s: an interval from %v to %v", method, low, high)
				break
			}
		}
	}
}

// A training that starts from a model which was trained on the same rows cannot calibrate on them.
func TestCrossValidationFromAParent(t *testing.T) {
	e, trained := trainCrossValidated(t)
	again := prepareTest(t, e.Settings, friedman(t))
	err := again.StartFrom(decodeModel(t, trained.Model))
	if err == nil || !strings.Contains(err.Error(), "it was trained on 900 of the 900 calibration rows") {
		t.Errorf("got %v", err)
	}
}

// Rows are divided by the members that hold them out, also if a member holds out rows with different others.
func TestDivideByMembers(t *testing.T) {
	got := divideByMembers([][]int32{{0, 1, 4}, {1, 2}, {2, 3, 6}, {0, 3, 4}})
	want := []validationPart{
		{members: []int{0, 1}, rows: []int{1}},
		{members: []int{1, 2}, rows: []int{2}},
		{members: []int{2}, rows: []int{6}},
		{members: []int{0, 3}, rows: []int{0, 4}},
		{members: []int{2, 3}, rows: []int{3}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("parts %v, want %v", got, want)
	}
}

// The residuals of two members, shrunk, are as large in standard deviations as the residuals of eight. Members are
// drawn as the truth plus independent normal errors, so that both sizes are known.
func TestShrinkTargets(t *testing.T) {
	const n = 20_000
	const members = 2
	const all = 8
	const memberVariance = 2.25
	const ownVariance = 1.0 // variance that each member predicts
	r := rand.New(rand.NewPCG(1, 2))
	rows := calibrate.Rows{Predictions: &evaluation.Predictions{Targets: 1, Family: distribution.Normal}}
	var spreads []evaluation.Spread
	for range n {
		a := math.Sqrt(memberVariance) * r.NormFloat64()
		b := math.Sqrt(memberVariance) * r.NormFloat64()
		between := (a - b) * (a - b) / 4 // population variance of the two means
		std := math.Sqrt(ownVariance + between)
		prediction := models.NewPrediction(distribution.Normal, []float64{(a + b) / 2, std}, nil)
		rows.Predictions.Values = append(rows.Predictions.Values, prediction)
		rows.Y = append(rows.Y, r.NormFloat64()) // a noise of 1
		spreads = append(spreads, evaluation.Spread{Members: members, Variance: 2 * between, Between: between})
	}
	shrinkTargets(rows, spreads, all)
	var residuals, variances float64
	for i, y := range rows.Y {
		p := rows.Predictions.Values[i]
		residuals += (y - p.Mean()) * (y - p.Mean())
		variances += p.Std() * p.Std()
	}
	got := math.Sqrt(residuals / variances)
	wantResidual := 1 + memberVariance/all
	wantVariance := ownVariance + memberVariance*(1-1.0/all)
	want := math.Sqrt(wantResidual / wantVariance)
	if math.Abs(got-want) > 0.02*want { // four standard errors of a root mean square over 20,000 rows
		t.Errorf("the residuals have the size %v, want %v", got, want)
	}
}
