package models_test

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
)

// A network that is too large is refused, with the allowed range, before memory is allocated for it.
func TestArchitectureIsBounded(t *testing.T) {
	wide := func(n ...int) func(*models.Architecture) { return func(a *models.Architecture) { a.Hidden = n } }
	many := func(n, width int) func(*models.Architecture) { return wide(slices.Repeat([]int{width}, n)...) }
	for _, c := range []struct {
		edit           func(*models.Architecture)
		members, batch int
		want           string
	}{
		{wide(1_000_000_000), 1, 1, "units in hidden layer 1 is 1000000000: want 1 to 65536"},
		{wide(50, 70_000), 1, 1, "hidden layer 2 is 70000"},
		{wide(0), 1, 1, "want 1 to 65536"},
		{many(1000, 65_536), 1, 1, "want at most"},
		{many(1001, 1), 1, 1, "hidden layers is 1001: want 0 to 1000"},
		{many(257, 4), 1, 1, "hidden layers is 257: want at most 256"},
		{func(a *models.Architecture) { a.Inputs = math.MaxInt }, 1, 1, "inputs is 9223372036854775807: want 1 to 65536"},
		{func(a *models.Architecture) { a.Targets = math.MaxInt }, 1, 1, "targets is 9223372036854775807"},
		{func(a *models.Architecture) { a.Outputs = math.MinInt }, 1, 1, "outputs is"},
		{func(a *models.Architecture) { a.Dropout = math.NaN() }, 1, 1, "dropout rate"},
		{func(a *models.Architecture) { a.Periodic = 65 }, 1, 1, "the number of frequencies is 65: want 0 to 64"},
		{wide(50), math.MaxInt, 1, "members is 9223372036854775807: want 1 to 1000"},
		{wide(65_536), 1000, 1, "units in its 1000 members"},
		{wide(10_000, 10_000), 5, 1, "weights in its 5 members"},
		{wide(50), 1, -5, "batch is -5"},
		{wide(65_536), 1, 1 << 20, "choose a batch of at most 4095 rows"},
	} {
		a := models.Architecture{Inputs: 3, Targets: 1, Outputs: 1, Hidden: []int{50, 50}, Activation: "relu", Dropout: 0.1, Drop: models.AllLayers}
		c.edit(&a)
		expect.Error(t, a.Check(c.members, c.batch), c.want)
	}
	a := models.Architecture{Inputs: 65_536, Targets: 1, Outputs: 1, Hidden: []int{4000}, Activation: "relu", Drop: models.NoLayers}
	expect.NoError(t, a.Check(1, 3000))
	// A −0 is a 0, so that the same network has the same bytes.
	s, err := models.NewSpec("sml", models.Hyperparameters{"beta": math.Copysign(0, -1)}, models.Architecture{Inputs: 1, Targets: 1, Activation: "relu", Dropout: math.Copysign(0, -1)})
	if err != nil || math.Signbit(s.Architecture.Dropout) || math.Signbit(s.Hyperparameters.Float("beta")) {
		t.Errorf("%+v, %v", s, err)
	}
}

// The products of the limits are ints: no check can overflow.
func TestLimitsDoNotOverflow(t *testing.T) {
	l := models.Limits
	layers, width := l.Layers.Max, l.Units.Max
	if weights := l.Members.Max * (layers + 1) * (width + 1) * width; weights > math.MaxInt {
		t.Errorf("%g weights", weights)
	}
	if values := l.Members.Max * l.Batch.Max * (layers + 2) * width; values > math.MaxInt {
		t.Errorf("%g values of a step", values)
	}
	if rows := l.Members.Max * l.Epochs.Max; rows > math.MaxInt {
		t.Errorf("%g lines of a history", rows)
	}
}

// Weights that an objective declares for itself count too.
func TestOwnParametersAreBounded(t *testing.T) {
	models.Register(models.Method{
		Name: "own-parameters", Predict: methods.PredictFullNetwork,
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			b.Param("own", 1<<(bits.UintSize/2-1), 1<<(bits.UintSize/2+1), graph.Fill(0)) // 2⁶⁴ weights, which an int counts as 0
			return b.MSE(t.Forward(graph.Full), t.Y)
		},
	})
	t.Cleanup(func() { models.Forget("own-parameters") })
	s := expect.Must(models.NewSpec("own-parameters", nil, models.Architecture{Inputs: 1, Targets: 1, Activation: "relu"}))
	expect.Error(t, expect.ErrorOf(s.NewParams(1)), "want at most 268435456")
}

func TestHyperparametersHaveRanges(t *testing.T) {
	sml := expect.Must(models.Lookup("sml"))
	free := models.Method{Name: "free", Hyperparameters: []models.Hyperparameter{{Name: "h"}}}
	for _, c := range []struct {
		m    models.Method
		name string
		v    float64
		want string // nothing: it is allowed
	}{
		{sml, "beta", 10, ""}, // β ≫ 1, which the paper tries
		{sml, "gamma", 1e6, ""},
		{sml, "alpha", 1e7, "want 0 to 1000000"},
		{sml, "beta", math.NaN(), "not a finite number"},
		{sml, "beta", 1e-300, "not a float32"},
		{sml, "through", 0.5, "want true or false"},
		{free, "h", -1e30, ""},
		{free, "h", math.Inf(-1), "not a finite number"},
		{free, "h", 1e39, "not a float32"},
		{free, "h", -1e-40, "not a float32"},
	} {
		_, err := c.m.Choose(models.Hyperparameters{c.name: c.v})
		if c.want == "" {
			expect.NoError(t, err)
			continue
		}
		expect.Error(t, err, c.want)
	}
}

// Embedded columns are inputs one behind the other.
func TestEmbeddingsFit(t *testing.T) {
	for _, c := range []struct {
		columns []models.Embedding
		fit     bool
	}{
		{nil, true}, {[]models.Embedding{{First: 0, Categories: 2}, {First: 2, Categories: 3}}, true}, {[]models.Embedding{{First: 1, Categories: 5}}, false},
		{[]models.Embedding{{First: -1, Categories: 2}}, false}, {[]models.Embedding{{First: 0, Categories: 0}}, false},
		{[]models.Embedding{{First: 0, Categories: 3}, {First: 2, Categories: 1}}, false}, {[]models.Embedding{{First: 2, Categories: math.MaxInt}}, false},
	} {
		a := models.Architecture{Inputs: 5, Targets: 1, Outputs: 1, Hidden: []int{3}, Drop: models.NoLayers, EmbeddingWidth: 4, Embeddings: c.columns}
		if err := a.Check(1, 10); (err == nil) != c.fit {
			t.Errorf("%v: %v", c.columns, err)
		}
	}
}
