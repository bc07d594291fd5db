package evaluation

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sml/models"
)

// analytic is the sampling of analytic moments by one worker.
var analytic = Sampling{Moments: AnalyticMoments, Workers: 1}

// A network that drops units in its last layer has sub-networks with the full network's mean; without dropout they have no
// spread either.
func TestAnalyticOffset(t *testing.T) {
	for _, dropout := range []float64{0, 0.2} {
		m := untrained(t, "sml", 1, func(a *models.Architecture) {
			a.Dropout = dropout
			a.Drop = models.LastLayer
		})
		p := predict(t, m, points(9), analytic)
		spread := slices.Index(p.Components, models.DropoutStd)
		offset := slices.Index(p.Components, models.DropoutOffset)
		for i, v := range p.Values {
			if v.Components[offset] != 0 || (v.Components[spread] > 0) != (dropout > 0) {
				t.Errorf("dropout %v, row %d: %v are %v", dropout, i, p.Components, v.Components)
			}
		}
	}
}

// The moments of many draws are those of the formula: exactly for a mask in front of the output, where a mean of n draws
// deviates by σ/√n, and a standard deviation by about σ/√(2n); approximately behind further layers.
func TestAnalyticMomentsAgainstDraws(t *testing.T) {
	const samples = 100_000
	for _, c := range []struct {
		network   string
		drop      models.Layers
		tolerance float64 // of mean and standard deviation, in standard deviations
	}{
		{"mlp", models.LastLayer, 5 / math.Sqrt(samples)},
		{"realmlp", models.LastLayer, 5 / math.Sqrt(samples)},
		{"mlp", models.AllLayers, 0.1},
		{"tabm", models.AllLayers, 0.15},
	} {
		m := untrained(t, "w-dropout", 1, func(a *models.Architecture) {
			a.Network = c.network
			a.Drop = c.drop
			if c.network != "mlp" {
				a.Activation = ""
			}
			if c.network == "tabm" {
				a.Copies = 2
			}
		})
		if c.network == "realmlp" { // its output layer starts from 0
			values := m.Members[0].Float32s()
			for i := range values {
				values[i] += float32(math.Sin(float64(i)))
			}
		}
		got := predict(t, m, points(4), analytic)
		want := predict(t, m, points(4), Sampling{Samples: samples})
		for i, w := range want.Values {
			v := got.Values[i]
			if shift := (v.Mean() - w.Mean()) / w.Std(); !(math.Abs(shift) < c.tolerance) {
				t.Errorf("%s, %s layers, row %d: the mean is %v standard deviations from the mean of the draws", c.network, c.drop, i, shift)
			}
			if ratio := v.Std() / w.Std(); !(math.Abs(ratio-1) < c.tolerance) {
				t.Errorf("%s, %s layers, row %d: the standard deviation is %v times the standard deviation of the draws", c.network, c.drop, i, ratio)
			}
		}
	}
}

func TestMomentsRefused(t *testing.T) {
	for _, c := range []struct {
		method, network string
		moments         MomentSource
		want            string
	}{
		{"mc-pu", "", AnalyticMoments, "method mc-pu uses the outputs of each sub-network"},
		{"swag", "", AnalyticMoments, "method swag stores its sub-networks"},
		{"concrete", "", AnalyticMoments, "method concrete uses the outputs of each sub-network"},
		{"mc", "concrete", AnalyticMoments, "it depends on uniform noise"},
		{"mc", "bayes", AnalyticMoments, "it depends on normal noise"},
		{"mc", "", "exact", `unknown moments "exact"; want one of sampled, analytic`},
		{"pu", "", AnalyticMoments, ""}, // has no sub-networks
		{"mc", "tabm", AnalyticMoments, ""},
	} {
		m := untrained(t, c.method, 1, func(a *models.Architecture) { a.Network = c.network })
		_, err := NewPredictor(m, Sampling{Moments: c.moments})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s on network %q: got %v, want %q", c.method, c.network, err, c.want)
		}
	}
}
