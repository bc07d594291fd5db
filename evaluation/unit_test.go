package evaluation

import (
	"math"
	"testing"

	"sml/data"
	"sml/data/preparation"
	"sml/internal/expect"
	"sml/internal/portable"
	"sml/models"
	"sml/models/distribution"
)

// fitTransform returns a transform that was fitted on targets.
func fitTransform(t *testing.T, name string, y []float64) distribution.Transform {
	t.Helper()
	x := make([]float64, len(y))
	for i := range x {
		x[i] = float64(i)
	}
	table := &data.Table{Name: "t", Columns: []string{"x"}, X: x, Targets: []string{"y"}, Y: y}
	p := expect.Must(preparation.Fit(table, nil, preparation.Options{Transform: name}))
	return p.Targets[0]
}

// scoreTransformed judges normal predictions of targets that were transformed.
func scoreTransformed(t *testing.T, tr distribution.Transform, column data.Scaler, values []models.Prediction, y []float64) Evaluation {
	t.Helper()
	p := &Predictions{Targets: 1, Values: values}
	truth := Truth{Y: y, Columns: data.Scalers{column}, Transforms: []distribution.Transform{tr}}
	return expect.Must(Evaluate(p, truth, data.Sound, []string{"nll", "nll-full", "crps", "rmse", "r2", "ws"}))
}

// The target of a normal prediction of log y is log-normal. Its CRPS is y(2Φ(ω) − 1) −
// 2·exp(μ + σ²/2)(Φ(ω − σ) + Φ(σ/√2) − 1), ω = (log y − μ)/σ (Baran and Lerch 2015, eq.
// 4), its log-density −½ω² − log(yσ√2π).
func TestScoresOfLogNormalPredictions(t *testing.T) {
	column := data.Scaler{Name: "y", Mean: 2, Std: 1.5}
	tr := fitTransform(t, "log", []float64{0.1, 500})
	for _, c := range []struct{ mu, sigma, y float64 }{{2, 0.3, 6}, {2, 0.3, 60}, {0.5, 0.8, 0.2}, {3, 1, 20}} {
		values := []models.Prediction{normal((c.mu-column.Mean)/column.Std, c.sigma/column.Std)}
		e := scoreTransformed(t, tr, column, values, []float64{c.y})
		omega := (math.Log(c.y) - c.mu) / c.sigma
		cdf := portable.NormalCDF
		crps := c.y*(2*cdf(omega)-1) - 2*math.Exp(c.mu+c.sigma*c.sigma/2)*(cdf(omega-c.sigma)+cdf(c.sigma/math.Sqrt2)-1)
		near(t, "CRPS", e.Original.Get("crps"), crps, 0.01*crps) // 200 levels stand for all
		density := omega*omega/2 + math.Log(c.y*c.sigma) + math.Log(2*math.Pi)/2
		near(t, "NLL", e.Original.Get("nll"), density-math.Log(2*math.Pi)/2, 1e-7) // it adds 1e-10 to σ²
		near(t, "NLL with its constant", e.Original.Get("nll-full"), density, 1e-8)
		near(t, "WS", e.Original.Get("ws"), e.Standardised.Get("ws"), 0)
	}
}

// A σ of 0 leaves the distance to the inverse of the mean.
func TestTransformedScoresWithoutSpread(t *testing.T) {
	column := data.Scaler{Name: "y", Std: 1}
	e := scoreTransformed(t, fitTransform(t, "log", []float64{1, 9}), column, []models.Prediction{normal(math.Log(5), 0)}, []float64{3})
	near(t, "CRPS", e.Original.Get("crps"), 2, 1e-14)
	near(t, "RMSE", e.Original.Get("rmse"), 2, 1e-14)
}

// A network may be unsure over many orders of magnitude: scores in the target's unit
// are finite, and the mean is no farther off than the training targets are.
func TestScoresOfUnsurePredictions(t *testing.T) {
	y := []float64{0, 0, 0, 3, 250, 1e4, 2.8e9}
	column := data.Scaler{Name: "y", Mean: 8, Std: 7}
	var values []models.Prediction
	for i := range y {
		values = append(values, normal(float64(i)/4-1, 3))
	}
	e := scoreTransformed(t, fitTransform(t, "log1p", y), column, values, y)
	for _, v := range e.Original {
		if math.IsNaN(v.Score) || math.IsInf(v.Score, 0) {
			t.Errorf("%s is %v", v.Measure, v.Score)
		}
	}
	if rmse := e.Original.Get("rmse"); rmse > 2.8e9 {
		t.Errorf("the RMSE is %v", rmse)
	}
}

// With quantile-normal, and with sqrt at 0, a target has no density, and so no NLL.
func TestNoDensityNoNLL(t *testing.T) {
	column := data.Scaler{Name: "y", Std: 1}
	values := []models.Prediction{normal(0.5, 1), normal(1, 1)}
	for _, c := range []struct {
		transform string
		y         []float64
		want      bool
	}{
		{"quantile-normal", []float64{1, 2}, false},
		{"sqrt", []float64{0, 2}, false},
		{"sqrt", []float64{1, 2}, true},
		{"log1p", []float64{0, 2}, true},
	} {
		e := scoreTransformed(t, fitTransform(t, c.transform, c.y), column, values, c.y)
		for _, name := range []string{"nll", "nll-full"} {
			if got := e.Original.Has(name); got != c.want {
				t.Errorf("%s of %s, targets %v: %v, want %v", name, c.transform, c.y, got, c.want)
			}
			if !e.Standardised.Has(name) {
				t.Errorf("%s of %s: no standardised score", name, c.transform)
			}
		}
		if !e.Original.Has("crps") {
			t.Errorf("%s: no CRPS", c.transform)
		}
	}
}
