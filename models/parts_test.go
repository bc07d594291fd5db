package models_test

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sml/models"
	"sml/models/methods"
)

// What a predictor or a combiner says that the method does not declare, or that is no
// quantile or probability, is told before a training with the method and the line.
func TestMistakesInParts(t *testing.T) {
	three := func(models.Hyperparameters) []float64 { return []float64{0.1, 0.5, 0.9} }
	two := func(p ...float64) models.Predictor {
		return func(models.Moments) models.Prediction { return models.Prediction{Probabilities: p} }
	}
	line := regexp.MustCompile(`\(at [a-z_]+\.go:\d+\)`)
	for want, m := range map[string]models.Method{
		"predictor of method M gives 2 quantiles; want one for each of the 3 levels [0.1 0.5 0.9]": {Levels: three, Predict: func(models.Moments) models.Prediction {
			return models.Prediction{NoStd: true, Quantiles: []float64{1, 2}}
		}},
		"predictor of method M gives 0 quantiles; want one for each of the 3": {Levels: three, Predict: methods.FullNetwork},
		"predictor of method M gives 1 quantiles, and the method has no Levels": {Predict: func(models.Moments) models.Prediction {
			return models.Prediction{NoStd: true, Quantiles: []float64{1}}
		}},
		"predictor of method M gives probabilities of 2 classes; want 0":                    {Predict: two(0.5, 0.5)},
		"predictor of method M gives probabilities of 1 classes; want 2":                    {Classes: 2, Predict: two(1)},
		"predictor of method M gives the probabilities [0.5 0.4], whose sum is 0.9: want 1": {Classes: 2, Predict: two(0.5, 0.4)},
		"predictor of method M gives the probabilities [1.5 -0.5]: none is negative":        {Classes: 2, Predict: two(1.5, -0.5)},
		"predictor of method M gives the standard deviation 1, and says by NoStd that it has none": {Predict: func(models.Moments) models.Prediction {
			return models.Prediction{Std: 1, NoStd: true}
		}},
		"predictor of method M gives probabilities and the standard deviation 1": {Classes: 2, Predict: func(models.Moments) models.Prediction {
			return models.Prediction{Std: 1, Probabilities: []float64{0.5, 0.5}}
		}},
		"predictor of method M gives quantiles and a standard deviation of 0": {Levels: three, Predict: func(models.Moments) models.Prediction {
			return models.Prediction{Quantiles: []float64{1, 2, 3}}
		}},
		"predictor of method M gives {Mean:0 Std:0 StdDrop:0 MeanShift:0 NoStd:true Quantiles:[NaN 1 2] Probabilities:[]} for ordinary outputs": {Levels: three, Predict: func(models.Moments) models.Prediction {
			return models.Prediction{NoStd: true, Quantiles: []float64{1, 2, math.NaN()}}
		}},
		"levels of method M are [0.5 0.5]; want them above 0, below 1 and ascending": {Predict: methods.FullNetwork,
			Levels: func(models.Hyperparameters) []float64 { return []float64{0.5, 0.5} }},
		"levels of method M are none": {Predict: methods.FullNetwork, Levels: func(models.Hyperparameters) []float64 { return nil }},
		`levels of method M: hyperparameter "tail" is read`: {Predict: methods.FullNetwork,
			Levels: func(h models.Hyperparameters) []float64 { return []float64{h.Float("tail")} }},
		"predictor of method M: runtime error: index out of range [2]": {Stochastic: true, Draws: true, Drop: models.AllLayers, Predict: func(d models.Moments) models.Prediction {
			return models.Prediction{Mean: d.Draws[2][0]}
		}},
		"combiner of method M, of 2 predictions: a mixture of Gaussians is made of means and standard deviations alone": {
			Members: 2, Predict: methods.FullNetwork, Combine: methods.GaussianMixture},
		"combiner of method M gives 0 quantiles; want one for each of the 3 levels": {Levels: three, Members: 2,
			Predict: func(models.Moments) models.Prediction {
				return models.Prediction{NoStd: true, Quantiles: []float64{1, 2, 3}}
			},
			Combine: func([]models.Prediction) models.Prediction { return models.Prediction{} }},
	} {
		m.Objective = squared
		method := registered(t, mistake{name: "part", method: m})
		err := spec(t, method.Name, nil).Examine(method.Members)
		want = strings.Replace(want, "method M", "method "+method.Name, 1)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		} else if !line.MatchString(err.Error()) && !strings.Contains(want, "ordinary") && !strings.Contains(want, "deviation of 0") {
			t.Errorf("%v names no line", err)
		}
		models.Forget(method.Name)
	}
}

func TestRegisterRefusesParts(t *testing.T) {
	for want, m := range map[string]models.Method{
		"looks at draws: it needs Stochastic": {Draws: true},
		"has 1 classes: want 2 or more":       {Classes: 1},
		"has 2 classes: want 2 or more and no": {Classes: 2,
			Levels: func(models.Hyperparameters) []float64 { return nil }},
	} {
		func() {
			defer func() {
				if p, _ := recover().(string); !strings.Contains(p, want) {
					t.Errorf("%q: the panic is %q", want, p)
				}
			}()
			m.Name, m.Objective, m.Predict = "wrong-parts", squared, methods.FullNetwork
			models.Register(m)
		}()
	}
}

// Quantiles are put in order, in a copy: the network's outputs may stand for them.
func TestQuantilesAreOrdered(t *testing.T) {
	full := []float64{2, 1, 3}
	m := models.Method{Name: "m", Predict: func(d models.Moments) models.Prediction {
		return models.Prediction{NoStd: true, Quantiles: d.Full}
	}}
	p, err := m.Prediction(models.Moments{Full: full, Levels: []float64{0.1, 0.5, 0.9}})
	if err != nil || !slices.Equal(p.Quantiles, []float64{1, 2, 3}) || full[0] != 2 {
		t.Errorf("%v, %v; the outputs are %v", p, err, full)
	}
}

func TestDrawQuantiles(t *testing.T) {
	d := models.Moments{Draws: [][]float64{{0, 3}, {0, 1}, {0, 4}, {0, 1.5}, {0, 9}}}
	// NumPy 1.24.2: quantile([3, 1, 4, 1.5, 9], [0, .05, .3, .5, .95, 1])
	want := []float64{1, 1.1, 1.8, 3, 8, 9}
	for i, q := range d.DrawQuantiles(1, 0, .05, .3, .5, .95, 1) {
		if math.Abs(q-want[i]) > 1e-14 {
			t.Errorf("quantile %d is %v; want %v", i, q, want[i])
		}
	}
}

// By hand.
func TestEnsembleOfParts(t *testing.T) {
	for _, c := range []struct{ members, want models.Prediction }{
		{models.Prediction{Mean: 1, NoStd: true, Quantiles: []float64{0, 1}}, models.Prediction{Mean: 2, NoStd: true, Quantiles: []float64{1, 3}}},
		{models.Prediction{Mean: 1, NoStd: true, Probabilities: []float64{0.25, 0.75}}, models.Prediction{Mean: 2, NoStd: true, Probabilities: []float64{0.5, 0.5}}},
		{models.Prediction{Mean: 1, NoStd: true}, models.Prediction{Mean: 2, Std: math.Sqrt2}},
	} {
		other := models.Prediction{Mean: 3, NoStd: true}
		if c.members.Quantiles != nil {
			other.Quantiles = []float64{2, 5}
		}
		if c.members.Probabilities != nil {
			other.Probabilities = []float64{0.75, 0.25}
		}
		if got := methods.Ensemble([]models.Prediction{c.members, other}); !got.Equal(c.want) {
			t.Errorf("%+v; want %+v", got, c.want)
		}
	}
}
