package evaluation

import (
	"context"
	"math"
	"slices"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/internal/expect"
	"sml/internal/kernels"
	"sml/models"
)

// untrained returns a model with random weights.
func untrained(t testing.TB, method string, members int, edit func(*models.Architecture)) *models.Model {
	t.Helper()
	a := models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{20, 10}, Activation: "relu", Dropout: 0.2}
	if edit != nil {
		edit(&a)
	}
	s := expect.Must(models.NewSpec(method, nil, a))
	m := &models.Model{Spec: s}
	for k := range members {
		p := expect.Must(s.NewParams(uint64(k)))
		m.Members = append(m.Members, p)
	}
	for range a.Targets {
		m.Targets = append(m.Targets, data.Scaler{Name: "y", Mean: 10, Std: 2})
	}
	return m
}

func points(n int) []float64 {
	x := make([]float64, 2*n)
	for i := range x {
		x[i] = math.Sin(float64(5 * i))
	}
	return x
}

func predict(t *testing.T, m *models.Model, x []float64, s Sampling) *Predictions {
	t.Helper()
	return expect.Must(Predict(t.Context(), m, data.Subset{X: x}, s))
}

// The moments must be those of the draws, one mask for each draw and all rows, taken
// one by one.
func TestPredictAgainstEveryDraw(t *testing.T) {
	const n, samples, seed = 7, 30, 5
	m := untrained(t, "sml", 1, nil)
	p := predict(t, m, points(n), Sampling{Samples: samples, Seed: seed})

	b := graph.New(graph.Float32, m.Members[0])
	f := expect.Must(m.Forward(b, n))
	r := expect.Must(graph.NewRunner(graph.Engines()[0], b, f(graph.Drop(0)), f(graph.Full)))
	defer r.Close()
	kernels.GatherStandardised(r.Input(models.InputX), points(n), 2, data.Subset{X: points(n)}.RowNumbers(2), nil, nil)
	draws := make([][]float64, n)
	for i := range samples {
		r.SampleMasks(graph.MaskKey{Seed: m.MaskSeed(seed, 0), Step: uint32(i), StepRows: n})
		expect.NoError(t, r.Run())
		for row := range n {
			draws[row] = append(draws[row], float64(r.Output(0)[row]))
		}
	}
	for row, d := range draws {
		mean, squares := 0.0, 0.0
		for _, v := range d {
			mean += v / samples
		}
		for _, v := range d {
			squares += (v - mean) * (v - mean)
		}
		std := math.Sqrt(squares / (samples - 1))
		full := float64(r.Output(1)[row])
		got := p.Values[row]
		if got.Mean() != full || math.Abs(got.Components[0]-std) > 1e-12 || math.Abs(got.Std()-std-math.Abs(full-mean)) > 1e-12 {
			t.Errorf("row %d: %+v, want mean %v and σ_drop %v", row, got, full, std)
		}
		if got.Components[0] == 0 {
			t.Errorf("row %d: the draws are all equal", row)
		}
	}
}

func TestEnsembleOfOneIsItsMember(t *testing.T) {
	for ensemble, member := range map[string]string{"pu-de": "pu", "sml-de": "sml"} {
		a := predict(t, untrained(t, ensemble, 1, nil), points(20), Sampling{Samples: 10})
		b := predict(t, untrained(t, member, 1, nil), points(20), Sampling{Samples: 10})
		if !slices.EqualFunc(a.Values, b.Values, models.Prediction.Equal) {
			t.Errorf("%s with one member predicts otherwise than %s", ensemble, member)
		}
	}
}

func TestWithoutDropoutThereIsNoSpread(t *testing.T) {
	p := predict(t, untrained(t, "sml", 1, func(a *models.Architecture) { a.Dropout = 0 }), points(20), Sampling{})
	for i, v := range p.Values {
		if v.Std() > 1e-12 { // rounding of a mean of 200 equal numbers
			t.Errorf("row %d: %+v", i, v)
		}
	}
}

func TestPredictRejects(t *testing.T) {
	m := untrained(t, "sml", 1, nil)
	for name, c := range map[string]struct {
		rows data.Subset
		s    Sampling
	}{
		"one sub-network":     {data.Subset{X: points(3)}, Sampling{Samples: 1}},
		"no rows":             {data.Subset{}, Sampling{}},
		"none of three rows":  {data.Subset{X: points(3), Indices: []int32{}}, Sampling{}},
		"row 3 of three rows": {data.Subset{X: points(3), Indices: []int32{0, 3}}, Sampling{}},
		"half a row":          {data.Subset{X: points(3)[:5]}, Sampling{}},
		"unknown engine":      {data.Subset{X: points(3)}, Sampling{Engine: "steam"}},
		"one scaler of two":   {data.Subset{X: points(3), XScale: data.Scalers{{Std: 1}}}, Sampling{}},
	} {
		if _, err := Predict(t.Context(), m, c.rows, c.s); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Predict(ended, m, data.Subset{X: points(3)}, Sampling{}); err == nil {
		t.Error("an ended context was not noticed")
	}
}

// Rows that are gathered from a table are predicted as if they stood by
// themselves, in units that come out exactly.
func TestPredictGathers(t *testing.T) {
	const n = maxBlockRows + 20
	m := untrained(t, "sml", 1, nil)
	table := points(3 * n)
	rows := data.Subset{X: make([]float64, len(table)), XScale: data.Scalers{{Mean: 0.5, Std: 0.5}, {Mean: -1, Std: 4}}}
	var alone []float64
	for i := range 3 * n {
		for j := range 2 {
			table[2*i+j] = float64(int(64*table[2*i+j])) / 64 // few bits: no rounding below
			rows.X[2*i+j] = table[2*i+j]*rows.XScale[j].Std + rows.XScale[j].Mean
		}
	}
	for i := range n {
		r := int32(i * 7 % (3 * n))
		rows.Indices = append(rows.Indices, r)
		alone = append(alone, table[2*r:2*r+2]...)
	}
	s := Sampling{Samples: 5, Seed: 1}
	want := predict(t, m, alone, s)
	got := expect.Must(Predict(t.Context(), m, rows, s))
	if !slices.EqualFunc(got.Values, want.Values, models.Prediction.Equal) {
		t.Error("other predictions than of the rows alone")
	}
	lines := expect.Must(SubNetworkOutputs(t.Context(), m, rows, s))
	full := expect.Must(FullNetworkOutputs(m, rows, ""))
	for i, v := range want.Values {
		mean := 0.0
		for _, line := range lines {
			mean += float64(line[i]) / 5
		}
		if float64(full[i]) != v.Mean() || math.Abs(math.Abs(mean-v.Mean())-v.Components[1]) > 1e-6 {
			t.Fatalf("row %d: full %v, mean of the sub-networks %v; want %+v", i, full[i], mean, v)
		}
	}
}

// One mask for all rows: for a linear network a sub-network is one of the
// finitely many functions, here of a single hidden unit that is kept or not.
func TestSubNetworksShareTheirMask(t *testing.T) {
	m := untrained(t, "mc", 1, func(a *models.Architecture) {
		a.Hidden, a.Dropout, a.Activation = []int{1}, 0.5, "identity"
	})
	lines := expect.Must(SubNetworkOutputs(t.Context(), m, data.Subset{X: points(50)}, Sampling{Samples: 40, Seed: 3}))
	constant := 0
	for _, line := range lines {
		if len(line) != 50 {
			t.Fatalf("a line of %d points", len(line))
		}
		same := 0
		for _, v := range line {
			if v == line[0] {
				same++
			}
		}
		if same == len(line) {
			constant++ // the unit is dropped: only the bias is left
		} else if same > 5 {
			t.Fatalf("a line is flat in %d of its 50 points: its mask changes on the way", same)
		}
	}
	// 40 draws of a fair coin; outside of 6…34 with probability below 1e-5.
	if constant < 6 || constant > 34 {
		t.Errorf("the unit is dropped in %d of 40 sub-networks", constant)
	}
}

func TestEvaluateUnits(t *testing.T) {
	p := &Predictions{Targets: 2, Samples: 200, Components: []string{models.DropoutStd}, Values: []models.Prediction{
		normal(0, 1, 0.5), normal(1, 1, 1),
		normal(1, 0.5, 0.5), normal(-1, 0, 0), // σ = 0 has no share
	}}
	columns := data.Scalers{{Name: "a", Mean: 10, Std: 2}, {Name: "b", Mean: 0, Std: 1}}
	// In units of a: targets 12 and 12 are 1 and 1, so errors −1 and 0.
	e := expect.Must(Evaluate(p, Truth{Y: []float64{12, 1, 12, -1}, Columns: columns}, data.Sound, nil))
	for name, c := range map[string]struct{ got, want float64 }{
		"rmse of a":           {e.Columns[0].Standardised.Get("rmse"), math.Sqrt(0.5)},
		"rmse of a, original": {e.Columns[0].Original.Get("rmse"), 2 * math.Sqrt(0.5)},
		"rmse of b":           {e.Columns[1].Standardised.Get("rmse"), 0},
		"mean rmse":           {e.Standardised.Get("rmse"), math.Sqrt(0.5) / 2},
		"share":               {float64(*e.DropoutFraction), (0.5 + 1 + 1) / 3},
	} {
		if math.Abs(c.got-c.want) > 1e-15 {
			t.Errorf("%s is %v, want %v", name, c.got, c.want)
		}
	}
	if e.Rows != 2 || e.Samples != 200 {
		t.Errorf("%d rows, %d samples", e.Rows, e.Samples)
	}
	if _, err := Evaluate(p, Truth{Y: []float64{1, 2, 3}, Columns: columns}, data.Sound, nil); err == nil {
		t.Error("targets of another length were accepted")
	}
}
