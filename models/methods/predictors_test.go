package methods_test

import (
	"math"
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/distribution"
	"sml/models/methods"
)

// predictionOf runs the nodes of one prediction.
func predictionOf(t *testing.T, build func(b *graph.Builder) models.PredictionNodes) models.Prediction {
	t.Helper()
	b := graph.New(graph.Float64, new(graph.Params))
	nodes := build(b)
	outputs := slices.Clone(nodes.Parameters)
	for _, c := range nodes.Components {
		outputs = append(outputs, c.Std)
	}
	r := expect.Must(graph.NewRunner(graph.Compiled, b, outputs...))
	defer r.Close()
	expect.NoError(t, r.Run())
	var values []float64
	for i := range outputs {
		values = append(values, r.Output64(i)[0])
	}
	count := len(nodes.Parameters)
	return models.NewPrediction(nodes.Family, values[:count], values[count:])
}

// constants returns nodes with these values.
func constants(b *graph.Builder, values ...float64) []*graph.Node {
	var nodes []*graph.Node
	for _, v := range values {
		nodes = append(nodes, b.Constant(1, 1, []float64{v}))
	}
	return nodes
}

// predictedBy returns the prediction of one network with invented outputs.
func predictedBy(predict models.Predictor) func(b *graph.Builder) models.PredictionNodes {
	return func(b *graph.Builder) models.PredictionNodes {
		return predict(b, models.Moments{
			Full: constants(b, 2, 0.5), Mean: constants(b, 1.5, 0), Std: constants(b, 0.25, 0),
			MeanOverDraws: func(of func([]*graph.Node) *graph.Node) *graph.Node {
				return b.MeanOf(of(constants(b, 1.25, 1)), of(constants(b, 1.75, -2)))
			},
		})
	}
}

// combinedBy returns the combination of members of a family with these parameters.
func combinedBy(combine models.Combiner, f distribution.Family, members ...[]float64) func(b *graph.Builder) models.PredictionNodes {
	return func(b *graph.Builder) models.PredictionNodes {
		var nodes []models.PredictionNodes
		for _, p := range members {
			nodes = append(nodes, models.PredictionNodes{Family: f, Parameters: constants(b, p...)})
		}
		return combine(b, nodes)
	}
}

// TestPredictors uses expected values worked by hand from the formulas in the
// comments.
func TestPredictors(t *testing.T) {
	softplus := func(x float64) float64 { return math.Log1p(math.Exp(x)) }
	aleatoric := math.Sqrt((math.Pow(softplus(1), 2) + math.Pow(softplus(-2), 2)) / 2)
	shifted := func(b *graph.Builder) models.PredictionNodes {
		member := func(p ...float64) models.PredictionNodes {
			c := constants(b, p...)
			return methods.Normal(c[0], c[1], models.Component{Name: models.DropoutStd, Std: c[2]}, models.Component{Name: models.DropoutOffset, Std: c[3]})
		}
		return models.CombineAsNormal(b, []models.PredictionNodes{member(1, 1, 0.5, 0.5), member(3, 2, 2, 0)})
	}
	quantiles := distribution.Quantiles(0.25, 0.75)
	quarters := []float64{math.Log(0.25), math.Log(0.75)}
	for name, c := range map[string]struct {
		build      func(b *graph.Builder) models.PredictionNodes
		mean, std  float64
		components []float64
	}{
		"MC":          {predictedBy(methods.PredictSubNetworks), 1.5, 0.25, []float64{0.25}},
		"SML":         {predictedBy(methods.PredictFullWithShift), 2, 0.75, []float64{0.25, 0.5}}, // 0.25 + |2 − 1.5|
		"DE":          {predictedBy(methods.PredictFullNetwork), 2, math.NaN(), nil},
		"PU":          {predictedBy(methods.PredictNormal), 2, softplus(0.5), nil},
		"MC+PU":       {predictedBy(methods.PredictMixtureOfDraws), 1.5, math.Sqrt(aleatoric*aleatoric + 0.25*0.25), []float64{aleatoric, 0.25}},
		"spread":      {combinedBy(models.CombineByFamily, distribution.Point, []float64{1}, []float64{2}), 1.5, math.Sqrt(0.5), nil},                               // sample variance 0.5
		"matched":     {combinedBy(models.CombineAsNormal, distribution.Normal, []float64{1, 1}, []float64{3, 2}), 2, math.Sqrt(3.5), []float64{math.Sqrt(2.5), 1}}, // (1+1 + 4+9)/2 − 2² = 3.5, (1 + 4)/2
		"with parts":  {shifted, 2, math.Sqrt(3.5), []float64{1.25, 0.25}},
		"mixture":     {combinedBy(models.CombineByFamily, distribution.Normal, []float64{1, 1}, []float64{3, 2}), 2, math.Sqrt(3.5), nil},
		"of mixtures": {combinedBy(models.CombineByFamily, distribution.NormalMixture(1), []float64{0, 1, 1}, []float64{0, 3, 2}), 2, math.Sqrt(3.5), nil},
		// Uniform from 1 to 3 with ½, and tails of mean distance ¼·2/½ = 1 with ¼ each: the variance is ½·4/12 + ½·(1 + 2·1 + 2·1).
		"quantiles": {combinedBy(models.CombineByFamily, quantiles, []float64{0, 1}, []float64{2, 5}), 2, math.Sqrt(1./6 + 2.5), nil},
		"classes":   {combinedBy(models.CombineByFamily, distribution.Categorical(2), quarters, []float64{quarters[1], quarters[0]}), math.NaN(), math.NaN(), nil},
	} {
		got := predictionOf(t, c.build)
		same := func(got, want float64) bool {
			return math.Abs(got-want) <= 1e-14 || math.IsNaN(got) && math.IsNaN(want)
		}
		if !same(got.Mean(), c.mean) || !same(got.Std(), c.std) || !slices.EqualFunc(got.Components, c.components, same) {
			t.Errorf("%s: mean %v, std %v, components %v; want %v, %v, %v", name, got.Mean(), got.Std(), got.Components, c.mean, c.std, c.components)
		}
	}
}

// TestEnsembleOfClasses expects the mean of each probability, (¼ + ¾)/2.
func TestEnsembleOfClasses(t *testing.T) {
	quarters := []float64{math.Log(0.25), math.Log(0.75)}
	got := predictionOf(t, combinedBy(models.CombineByFamily, distribution.Categorical(2), quarters, []float64{quarters[1], quarters[0]}))
	for class, p := range got.Distribution.(distribution.Classes) {
		if math.Abs(p-0.5) > 1e-15 {
			t.Errorf("class %d has the probability %v; want 0.5", class, p)
		}
	}
}

// TestMixtureHasTheMembersDensity expects the mean of the members' densities.
func TestMixtureHasTheMembersDensity(t *testing.T) {
	one, two := distribution.Normal.New([]float64{1, 1}), distribution.Normal.New([]float64{3, 2})
	got := predictionOf(t, combinedBy(models.CombineByFamily, distribution.Normal, []float64{1, 1}, []float64{3, 2}))
	for _, y := range []float64{-4, 0, 1, 2.5, 9} {
		want := math.Log((math.Exp(one.LogDensity(y)) + math.Exp(two.LogDensity(y))) / 2)
		if math.Abs(got.LogDensity(y)-want) > 1e-13 {
			t.Errorf("log density %v at %v; want %v", got.LogDensity(y), y, want)
		}
	}
}

// TestClasses uses that e¹⁰⁰⁰ and 3·e¹⁰⁰⁰ are a quarter and three quarters of their sum.
func TestClasses(t *testing.T) {
	got := predictionOf(t, func(b *graph.Builder) models.PredictionNodes {
		return methods.Classes(b, constants(b, 1000, 1000+math.Log(3), -1000))
	})
	for i, want := range []float64{0.25, 0.75, 0} {
		if p := got.Distribution.(distribution.Classes)[i]; math.Abs(p-want) > 1e-13 {
			t.Errorf("probability %d is %v, want %v", i, p, want)
		}
	}
}

func TestGaussianNeitherOverflowsNorVanishes(t *testing.T) {
	for s, want := range map[float64]float64{1000: 1000, -27: math.Log1p(math.Exp(-27)), -28: 1e-12, -700: 1e-12} { // log 1e-12 = −27.6
		got := predictionOf(t, func(b *graph.Builder) models.PredictionNodes {
			return methods.PredictNormal(b, models.Moments{Full: constants(b, 0, s)})
		})
		if math.Abs(got.Std()/want-1) > 1e-12 {
			t.Errorf("softplus(%v) = %v, want %v", s, got.Std(), want)
		}
	}
}

// TestEveryMethodPredicts tries each method, alone and combined, on invented outputs, one of
// them far below where a standard deviation has its floor. Predictions are finite and the
// same by both engines.
func TestEveryMethodPredicts(t *testing.T) {
	for _, m := range models.Methods() {
		for members := 1; members < 4; members++ {
			if members > 1 && m.Combine == nil {
				continue
			}
			compiled, tape := predictInvented(t, m, members, graph.Compiled), predictInvented(t, m, members, graph.Tape)
			for i, p := range compiled {
				if !p.IsFinite() || p.Std() < 0 {
					t.Errorf("%s, %d members: row %d has mean %v, std %v and components %v", m.Name, members, i, p.Mean(), p.Std(), p.Components)
				}
				for _, v := range [][2]float64{{p.Mean(), tape[i].Mean()}, {p.Std(), tape[i].Std()}, {p.Quantile(0.9), tape[i].Quantile(0.9)}} {
					if !(math.Abs(v[0]-v[1]) <= 1e-12*math.Abs(v[0])) && !math.IsNaN(v[0]+v[1]) {
						t.Errorf("%s, %d members, row %d: %v compiled, and %v by the tape", m.Name, members, i, v[0], v[1])
					}
				}
			}
		}
	}
}

// predictInvented returns predictions of three rows and two targets.
func predictInvented(t *testing.T, m models.Method, members int, engine graph.Engine) []models.Prediction {
	t.Helper()
	const rows, targets, draws = 3, 2, 5
	s := expect.Must(models.NewSpec(m.Name, nil, models.Architecture{Inputs: 3, Targets: targets, Hidden: []int{4}}))
	o := models.PredictionOptions{Rows: rows, Draws: draws, Engine: engine}
	g := expect.Must(s.NewPredictionGraph(members, o))
	defer g.Close()
	var said [][]float64
	for k := range members {
		said = append(said, expect.Must(g.Run(inventedOutputs(m, s.Architecture.OutputsPerTarget(), k, rows*targets, draws), rows)))
	}
	return expect.Must(g.Combine(said, rows))
}

// inventedOutputs returns what member k says of some rows and targets.
func inventedOutputs(m models.Method, outputs, k, count, draws int) models.NetworkOutputs {
	value := func(i int) float64 { return 1.5 * math.Sin(float64(3*i+7*k)) }
	var o models.NetworkOutputs
	for i := range count * outputs {
		o.Full = append(o.Full, float32(value(i)))
		if m.UsesSubNetworks() {
			o.Mean, o.Std = append(o.Mean, value(i+50)), append(o.Std, math.Abs(value(i+90)))
		}
	}
	if k == 2 && outputs > 1 {
		o.Full[2] = -700 // the second output of the first target
	}
	for d := range draws {
		var draw []float32
		for i := range count * outputs {
			draw = append(draw, float32(value(100*d+i)))
		}
		if m.SubNetworks == models.EachSubNetwork {
			o.Draws = append(o.Draws, draw)
		}
	}
	return o
}
