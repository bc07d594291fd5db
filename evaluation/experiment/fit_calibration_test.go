package experiment

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/stat"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/internal/expect"
	"sml/models"
	"sml/models/distribution"
	"sml/trainers"
)

// A cross-validated ensemble of any family is calibrated on all training rows, with an odd number of members as well. The
// intervals of the first one, which trains for longer, cover about as many rows as they say.
func TestCrossValidationCalibrates(t *testing.T) {
	for _, c := range []struct {
		method          string
		members, epochs int
	}{{"pu-de", 8, 20}, {"de", 5, 2}, {"mdn", 5, 2}, {"quantiles", 5, 2}, {"sml-de", 5, 2}} {
		s := friedmanSettings(c.method, 16, 0.1)
		s.Training = trainers.Settings{Members: c.members, Epochs: c.epochs, CrossValidation: true, Protocol: data.Sound, Split: "random"}
		s.Prediction.Samples = 10
		e := prepareTest(t, s, friedman(t))
		trained := expect.Must(e.Train(t.Context(), trainers.Options{}))
		if m := decodeModel(t, trained.Model); m.Calibration == nil || m.Calibration.Rows != len(e.Rows.Train) {
			t.Fatalf("%s: the calibration is %+v; want one of %d rows", c.method, m.Calibration, len(e.Rows.Train))
		}
		if c.method == "pu-de" {
			checkCoverage(t, e, trained)
			continue
		}
		_, predictions, err := e.Evaluate(t.Context(), trained.Model, e.Rows.Test, e.Sampling())
		expect.NoError(t, err)
		for _, v := range predictions.Values {
			if low, high := v.Quantile(0.05), v.Quantile(0.95); !(low < high) || math.IsInf(high-low, 0) {
				t.Errorf("%s: an interval from %v to %v", c.method, low, high)
				break
			}
		}
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

// bootstrapSettings are the settings of a training of small networks on bootstrap samples.
func bootstrapSettings(t *testing.T, method string) Settings {
	t.Helper()
	s := friedmanSettings(method, 8, 0)
	s.Training = trainers.Settings{Members: 6, Epochs: 4, Bootstrap: true, Protocol: data.Sound, Split: "random"}
	return s
}

// An ensemble that is trained on bootstrap samples is calibrated on the rows that two or more members did not draw. A
// member does not draw a row with the probability 1/e, so that they are 1 − (1 − 1/e)⁶ − (6/e)·(1 − 1/e)⁵ = 71.4 % of
// the rows for six members. The calibration has the same bytes for any number of workers.
func TestBootstrapCalibrates(t *testing.T) {
	for _, method := range []string{"pu-de", "de", "quantiles"} {
		const wantFraction = 0.714
		s := bootstrapSettings(t, method)
		var texts []string
		for _, workers := range []int{1, 3} {
			e := prepareTest(t, s, friedman(t))
			trained, err := e.Train(t.Context(), trainers.Options{Workers: workers})
			if err != nil {
				t.Fatal(method, err)
			}
			texts = append(texts, string(trained.Model.Calibration))
			m := decodeModel(t, trained.Model)
			fraction := float64(m.Calibration.Rows) / float64(len(e.Rows.Train))
			// Each of 900 rows is left out with a probability of 1 − wantFraction.
			if std := math.Sqrt(wantFraction * (1 - wantFraction) / 900); math.Abs(fraction-wantFraction) > 4*std {
				t.Errorf("%s: it is calibrated on the fraction %v of the rows; want %v ± %v", method, fraction, wantFraction, 4*std)
			}
			checkCoverage(t, e, trained)
		}
		if texts[0] != texts[1] {
			t.Errorf("%s: calibrations with 1 and 3 workers differ", method)
		}
	}
}

// checkCoverage checks that 90 % intervals cover about as many test rows.
func checkCoverage(t *testing.T, e *Experiment, trained *Trained) {
	t.Helper()
	scores, _, err := e.Evaluate(t.Context(), trained.Model, e.Rows.Test, e.Sampling())
	expect.NoError(t, err)
	covered := scores.Original.Get("coverage90")
	// 100 test rows: four standard deviations of the number of covered rows are 0.12 of them.
	if math.Abs(covered-0.9) > 0.12 {
		t.Errorf("%s, %s: 90 %% intervals cover %v of the test rows", e.Spec.Method, e.Calibration.Kind, covered)
	}
}

// Residuals and standard deviations of two and of five members are changed to be as those of eight: the variance of the
// residuals, the mean of the predicted variances and their standard deviation. Members' means are drawn as the truth plus
// independent normal errors, and their variances around a common one, so that the expected numbers are known: a variance
// between m normal numbers has the variance 2/(m − 1) times its square.
func TestMatchMembers(t *testing.T) {
	const n = 40_000
	const all = 8
	const memberVariance = 2.25
	const ownVariance = 4.0  // variance that a member predicts, with the standard deviation
	const ownDeviation = 1.0 // between members
	r := rand.New(rand.NewPCG(1, 2))
	rows := calibrate.Rows{Predictions: &evaluation.Predictions{Targets: 1, Family: distribution.Normal}}
	var spreads []evaluation.Spread
	for i := range n {
		members := 2 + 3*(i%2)
		means, variances := make([]float64, members), make([]float64, members)
		for k := range members {
			means[k] = math.Sqrt(memberVariance) * r.NormFloat64()
			variances[k] = ownVariance + ownDeviation*math.Sqrt(3)*(2*r.Float64()-1)
		}
		mean, variance := stat.MeanVariance(means, nil)
		within, deviation := stat.MeanVariance(variances, nil)
		between := variance * (1 - 1/float64(members)) // population variance of the means
		prediction := models.NewPrediction(distribution.Normal, []float64{mean, math.Sqrt(within + between)}, nil)
		rows.Predictions.Values = append(rows.Predictions.Values, prediction)
		rows.Y = append(rows.Y, r.NormFloat64()) // a noise of 1
		spreads = append(spreads, evaluation.Spread{
			Members:  members,
			Variance: variance,
			Between:  between,
			Within:   deviation,
		})
	}
	matchMembers(rows, spreads, all)
	want := map[string]float64{
		"variance of residuals":                   1 + memberVariance/all,
		"mean variance":                           ownVariance + memberVariance*(1-1.0/all),
		"standard deviation of the mean variance": math.Sqrt(math.Pow(memberVariance*(1-1.0/all), 2)*2/(all-1) + ownDeviation*ownDeviation/all),
	}
	for first, members := range []int{2, 5} {
		var residuals, variances, squares float64 // means over the rows
		for i := first; i < n; i += 2 {
			p := rows.Predictions.Values[i]
			variance := p.Std() * p.Std()
			residuals += (rows.Y[i] - p.Mean()) * (rows.Y[i] - p.Mean()) / (n / 2)
			variances += variance / (n / 2)
			squares += variance * variance / (n / 2)
		}
		got := map[string]float64{
			"variance of residuals":                   residuals,
			"mean variance":                           variances,
			"standard deviation of the mean variance": math.Sqrt(squares - variances*variances),
		}
		for name, v := range want {
			if math.Abs(got[name]-v) > 0.05*v { // four standard errors over 20,000 rows
				t.Errorf("%d members: the %s is %v, want %v", members, name, got[name], v)
			}
		}
	}
}

// Residuals of predicted quantiles of two members are changed to be as those of eight, level by level: members' quantiles
// are drawn as the truth plus independent normal errors, which are larger for the outer level.
func TestMatchQuantiles(t *testing.T) {
	const n, members, all = 40_000, 2, 8
	truth := []float64{-10, 0} // so far apart that quantiles do not cross
	memberVariance := []float64{2.25, 1}
	r := rand.New(rand.NewPCG(1, 2))
	family := distribution.Quantiles(0.1, 0.5)
	rows := calibrate.Rows{Predictions: &evaluation.Predictions{Targets: 1, Family: family}}
	var spreads []evaluation.Spread
	for range n {
		s := evaluation.Spread{Members: members}
		quantiles := make([]float64, len(truth))
		for k := range truth {
			errors := []float64{r.NormFloat64(), r.NormFloat64()}
			mean, variance := stat.MeanVariance(errors, nil)
			quantiles[k] = truth[k] + math.Sqrt(memberVariance[k])*mean
			s.Quantiles = append(s.Quantiles, memberVariance[k]*variance)
		}
		rows.Predictions.Values = append(rows.Predictions.Values, models.NewPrediction(family, quantiles, nil))
		rows.Y = append(rows.Y, r.NormFloat64())
		spreads = append(spreads, s)
	}
	matchMembers(rows, spreads, all)
	for k, level := range family.Levels {
		residuals := make([]float64, n)
		for i, v := range rows.Predictions.Values {
			residuals[i] = rows.Y[i] - v.Quantile(level)
		}
		got := stat.Variance(residuals, nil)
		if want := 1 + memberVariance[k]/all; math.Abs(got-want) > 0.05*want {
			t.Errorf("level %v: the residuals have the variance %v, want %v", level, got, want)
		}
	}
}
