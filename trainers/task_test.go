package trainers

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/networks"
)

// normalised is batch normalisation of the inputs: x − mean of the batch in a training,
// x − running mean elsewhere.
func normalised(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	return func(graph.Pass) *graph.Node {
		rows, columns := x.Shape()[0], x.Shape()[1]
		mean := b.Buffer("running mean", 1, columns, graph.Fill(0))
		if b.Training() {
			ones := make([]float64, rows)
			for i := range ones {
				ones[i] = 1 / float64(rows)
			}
			batch := b.MatMul(b.Constant(1, rows, ones), x)
			b.Update("running mean", b.Add(b.Scale(0.75, mean), b.Scale(0.25, batch)))
			mean = batch
		}
		return networks.Dense(b, "output", b.Sub(x, mean), a.Outputs)
	}
}

// The running mean after each step is ¾ of its old value and ¼ of the batch's mean, by hand. No optimizer
// moves it, and evaluations read it.
func TestBuffersFollowTheTraining(t *testing.T) {
	spec := registered(t, "normalised", models.Method{Objective: squared}, normalised)
	rows := wave(40)
	r := mustTrain(t, spec, rows, Settings{Epochs: 3, Batch: 40, Decay: 0.1, Seed: 2}, Options{})
	var want [2]float64
	for range 3 {
		for c := range want {
			mean := 0.0
			for i := range 40 {
				mean += rows.X[2*i+c] / 40
			}
			want[c] = 0.75*want[c] + 0.25*mean
		}
	}
	for c, got := range parameter(t, r.Members[0], "running mean") {
		if math.Abs(float64(got)-want[c]) > 1e-6 {
			t.Errorf("running mean %d is %v, want %v", c, got, want[c])
		}
	}

	// Loss outside of a training, by hand: mean (x − running mean)·w + bias against y.
	for i := range parameter(t, r.Members[0], "running mean") {
		parameter(t, r.Members[0], "running mean")[i] = 2
	}
	step := expect.Must(spec.NewEvaluation(graph.Compiled, r.Members[0], 40))
	defer step.Close()
	w, bias := parameter(t, r.Members[0], "output.weight"), parameter(t, r.Members[0], "output.bias")
	loss := 0.0
	for i := range 40 {
		out := float64(bias[0])
		for c := range 2 {
			step.X[2*i+c] = float32(rows.X[2*i+c])
			out += (rows.X[2*i+c] - 2) * float64(w[c])
		}
		step.Y[i] = float32(rows.Y[i])
		loss += (out - rows.Y[i]) * (out - rows.Y[i]) / 40
	}
	if err := step.Run(models.Position{}); err != nil || math.Abs(float64(step.Loss())-loss) > 1e-5*loss {
		t.Errorf("loss %v, want %v; %v", step.Loss(), loss, err)
	}
	step.UpdateBuffers()
	if got := parameter(t, r.Members[0], "running mean")[0]; got != 2 {
		t.Errorf("an evaluation moved the running mean to %v", got)
	}
}

// A student that learns its teacher's predictions predicts the same, in its own units. The units of the columns are the
// table's, by which the expected loss is computed here.
func TestDistillation(t *testing.T) {
	teacherSpec := expect.Must(models.NewSpec("mc", nil, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{4}, Activation: "tanh"}))
	taught := mustTrain(t, teacherSpec, wave(40), Settings{Epochs: 5, Batch: 10, Seed: 1}, Options{})
	dir := filepath.Join(t.TempDir(), "teacher")
	teacher := modelOf(teacherSpec, taught)
	expect.NoError(t, teacher.Save(dir, false))
	registered(t, "distilled", models.Method{
		Hyperparameters: []models.Hyperparameter{{Name: "teacher", Default: dir, Help: "directory of its model"}},
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			teacher := t.Frozen(t.Text("teacher"))
			return t.MSE(t.Forward(graph.Full), teacher.Mean(teacher.Forward(0, graph.Full)))
		},
	}, nil)
	spec := expect.Must(models.NewSpec("distilled", nil, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{4}, Activation: "tanh"}))
	params := expect.Must(spec.NewParams(4))
	if len(params.List()) != 4 {
		t.Errorf("the student has %d parameters, want its own 4", len(params.List()))
	}

	rows := wave(10)
	rows.XScale = data.Scalers{{Name: "a", Mean: 0.5, Std: 1}, {Name: "b", Mean: 0, Std: 3}}
	rows.YScale = data.Scalers{{Name: "y", Mean: 1, Std: 2}}
	own, his := make([]float64, 20), make([]float64, 20) // standardised inputs
	for i, v := range rows.X {
		own[i] = (v - rows.XScale[i%2].Mean) / rows.XScale[i%2].Std
		his[i] = (v - teacher.Inputs[i%2].Mean) / teacher.Inputs[i%2].Std
	}
	says := networkOutputs(t, teacherSpec, taught.Members[0], his, 10)
	differences := make([]float64, 10)
	for i, v := range networkOutputs(t, spec, params, own, 10) {
		differences[i] = float64(v) - (float64(says[i])*4+3-1)/2
	}
	want := meanSquare(differences)
	checkLoss(t, spec, params, rows.XScale, rows.YScale, own, 10, want)

	r := mustTrain(t, spec, rows, Settings{Epochs: 400, Batch: 10, LearningRate: 0.02, Seed: 2}, Options{})
	if last := r.History.Rows[len(r.History.Rows)-1].Values[0]; !(last < 0.01*want) {
		t.Errorf("the student's distance is %v, from %v", last, want)
	}
	rows.XScale[1].Name = "c"
	expect.Error(t, trainError(t, spec, rows, Settings{Epochs: 1, Batch: 10}, Options{}), `is "b", and of this training "c"`)
	expect.NoError(t, os.RemoveAll(dir))
	expect.Error(t, expect.ErrorOf(spec.NewParams(1)), "no model in "+dir)
}

// The inputs that a training fills at the steps 0 to 7 of 4 epochs of 2 batches, computed by hand. The
// history has their means over an epoch.
func TestWhereTheTrainingStands(t *testing.T) {
	spec := registered(t, "standing", models.Method{
		Hyperparameters: []models.Hyperparameter{{Name: "weight", Default: 1}, {Name: "plain", Default: 3}},
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return b.WeightedSum(
				graph.Term{Name: "fit", Weight: 1, Value: squared(b, t)},
				graph.Term{Name: "step", Weight: 1, Value: t.Step()}, graph.Term{Name: "progress", Weight: 1, Value: t.Progress()},
				graph.Term{Name: "rows", Weight: 1, Value: t.TrainingRows()}, graph.Term{Name: "scheduled", Weight: 1, Value: t.Scalar("weight")},
				graph.Term{Name: "plain", Weight: 1, Value: t.Scalar("plain")}, t.Term("weighted", "weight", b.Const(2)),
			)
		},
	}, nil)
	spec = expect.Must(models.NewSpec(spec.Method, models.Hyperparameters{"weight": "linear(1,5,0.5)"}, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{8}}))
	r := mustTrain(t, spec, wave(20), Settings{Epochs: 4, Batch: 10, Seed: 2}, Options{})
	// loss, fit, step, progress, rows, scheduled (1, 2 | 3, 4 | 5, 5 | 5, 5), plain, weighted
	for epoch, want := range [][]float64{{0.5, 0.0625, 20, 1.5, 3, 2}, {2.5, 0.3125, 20, 3.5, 3, 2}, {4.5, 0.5625, 20, 5, 3, 2}, {6.5, 0.8125, 20, 5, 3, 2}} {
		got := r.History.Rows[epoch].Values
		if !slices.Equal(got[2:], want) {
			t.Errorf("epoch %d: %v, want %v behind loss and fit", epoch+1, got, want)
		}
		sum := got[1] + want[0] + want[1] + want[2] + want[3] + want[4] + 2*want[3]
		if math.Abs(got[0]-sum) > 1e-5*sum {
			t.Errorf("epoch %d: the loss is %v, want %v", epoch+1, got[0], sum)
		}
	}
	if _, err := models.NewSpec("standing", models.Hyperparameters{"weight": "linear(1,5)"}, models.Architecture{Inputs: 2, Targets: 1}); err == nil {
		t.Error("half a schedule is accepted")
	}
}

// The range of an input is over the training and validation rows, in units of its standard deviation: by
// hand (9 − 1)/2, and 0 for a constant input. The row with 100 is neither.
func TestInputRangeIsOfTheTrainingRows(t *testing.T) {
	spec := registered(t, "ranges", models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
		first, second := b.Columns(t.InputRange(), 0, 1), b.Columns(t.InputRange(), 1, 2)
		return b.WeightedSum(
			graph.Term{Name: "fit", Weight: 1, Value: squared(b, t)},
			graph.Term{Name: "first", Value: b.Sum(first)}, graph.Term{Name: "second", Value: b.Sum(second)},
		)
	}}, nil)
	rows := data.Subset{
		X: []float64{1, 5, 100, 5, 9, 5, 3, 5, 4, 5}, Y: []float64{1, 2, 3, 4, 5},
		Indices: []int32{0, 2, 3, 4},
		XScale:  data.Scalers{{Mean: 4, Std: 2}, {Mean: 5, Std: 1}}, YScale: data.Scalers{{Mean: 3, Std: 1}},
	}
	r := mustTrain(t, spec, rows, Settings{Epochs: 1, Batch: 1, Validation: 0.25, Seed: 1}, Options{})
	if got := r.History.Rows[0].Values[2:4]; !slices.Equal(got, []float64{4, 0}) {
		t.Errorf("ranges %v, want 4 and 0", got)
	}
}

// A term of weight 0 is in the history and trains nothing: neither its gradient nor a value that is not
// finite reaches a weight. A checkpoint keeps its values.
func TestTermsOfWeightZeroAreLogged(t *testing.T) {
	terms := func(extra bool) models.Objective {
		return func(b *graph.Builder, t *models.Task) *graph.Node {
			full := t.Forward(graph.Full)
			list := []graph.Term{{Name: "fit", Weight: 1, Value: t.MSE(full, t.Y)}}
			if extra {
				list = append(list,
					graph.Term{Name: "size", Value: t.Mean(b.Square(full))},
					graph.Term{Name: "infinite", Value: b.Log(b.Sum(b.Scale(0, full)))},
				)
			}
			return b.WeightedSum(list...)
		}
	}
	settings := Settings{Epochs: 3, Batch: 10, Seed: 2}
	trained := func(name string, extra bool) (models.Spec, *Result, []State) {
		spec := registered(t, name, models.Method{Objective: terms(extra)}, nil)
		dir := t.TempDir()
		r := mustTrain(t, spec, wave(20), settings, Options{Checkpoint: dir})
		_, states, err := ReadCheckpoint(dir, "")
		expect.NoError(t, err)
		return spec, r, states
	}
	_, plain, _ := trained("one-term", false)
	spec, logged, states := trained("three-terms", true)
	if !slices.Equal(plain.Members[0].Float32s(), logged.Members[0].Float32s()) {
		t.Error("terms of weight 0 change the weights")
	}
	if want := []string{"loss", "fit", "size", "infinite"}; !slices.Equal(logged.History.Columns, want) {
		t.Fatalf("the history has the columns %q, want %q", logged.History.Columns, want)
	}
	for i, row := range logged.History.Rows {
		loss, fit, size, infinite := row.Values[0], row.Values[1], row.Values[2], row.Values[3]
		if loss != plain.History.Rows[i].Values[0] || fit != loss || !(size > 0) || !math.IsInf(infinite, -1) {
			t.Errorf("epoch %d: %v", i+1, row.Values)
		}
	}
	if again, err := Train(t.Context(), spec, wave(20), settings, Options{Resume: states}); err != nil || !equal(again, logged) {
		t.Errorf("after a checkpoint: %v", err)
	}
}

// A scope's learning rate, through the builder and the optimizer: Adam's first step is
// the learning rate times the sign of the gradient, whatever its size, so 0.01 for one
// parameter and a tenth of it for the slow ones; the frozen one stays. Of the rest, only
// the one that is asked for as a Weight decays.
func TestGroupsHaveTheirRates(t *testing.T) {
	spec := registered(t, "grouped", models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
		own := b.Param("own", 1, 1, graph.Fill(1))
		var slow, slowWeight, still *graph.Node
		b.Within(graph.Scope{Prefix: "slow.", Rate: 0.1}, func() {
			slow, slowWeight = b.Param("own", 1, 1, graph.Fill(1)), b.Weight("weight", 1, 1, graph.Fill(1))
		})
		b.Within(graph.Scope{Prefix: "still.", Frozen: true}, func() { still = b.Param("own", 1, 1, graph.Fill(1)) })
		return b.Add(squared(b, t), b.Sum(b.Add(b.Add(b.Add(own, b.Scale(3, slow)), b.Scale(3, slowWeight)), still)))
	}}, nil)
	r := mustTrain(t, spec, wave(20), Settings{Epochs: 1, Batch: 20, LearningRate: 0.01, Seed: 2, Decay: 1}, Options{})
	for name, want := range map[string]float64{"own": 0.99, "slow.own": 0.999, "slow.weight": 0.998, "still.own": 1} { // a decay of 1 takes as much again
		if got := parameter(t, r.Members[0], name)[0]; math.Abs(float64(got)-want) > 1e-6 {
			t.Errorf("%s is %v after a step, want %v", name, got, want)
		}
	}
}

// The learning rate and the decay of a scope have the ranges of the training's, and some parameter is trained.
func TestRatesOfScopesAreChecked(t *testing.T) {
	for name, c := range map[string]struct {
		scope graph.Scope
		decay float64
		want  string
	}{
		"frozen":  {graph.Scope{Frozen: true}, 0, "all parameters of the network are buffers"},
		"fast":    {graph.Scope{Rate: 2000}, 0, "learning rate is 2: want 1e-09 to 1, and there are parameters with 2000 times"},
		"decayed": {graph.Scope{Rate: 10}, 500, "weight decay 500 at a learning rate of 0.01 changes the sign of weights"},
	} {
		spec := registered(t, "scope-"+name, models.Method{Objective: squared}, func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
			return func(graph.Pass) (out *graph.Node) {
				b.Within(c.scope, func() { out = networks.Dense(b, "output", x, a.Outputs) })
				return out
			}
		})
		settings := Settings{Epochs: 1, Batch: 20, Decay: c.decay}
		expect.Error(t, trainError(t, spec, wave(20), settings, Options{}), c.want)
	}
}

// A penalty is the mean over the passes of a network, and each pass counts once, however often the objective calls it.
func TestPenaltyIsMeanOverPasses(t *testing.T) {
	penalised := func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
		return func(pass graph.Pass) *graph.Node {
			w, factor := b.Param("w", x.Shape()[1], a.Outputs, graph.Normal(1)), 1.0
			size := b.Sum(b.Square(w))
			if pass != graph.Full {
				w, factor = b.Add(w, b.Normal(graph.Noise{Pass: pass, Shared: true}, x.Shape()[1], a.Outputs)), 3.0
			}
			b.Penalty("size", b.Scale(factor, size))
			return b.MatMul(x, w)
		}
	}
	objective := func(b *graph.Builder, t *models.Task) *graph.Node {
		fit := b.Add(squared(b, t), t.MSE(t.ForwardAt(b.Scale(2, t.X), graph.Full), t.Y))
		fit = b.Add(fit, t.MSE(t.Forward(graph.Drop(0)), t.Y))
		return b.WeightedSum(graph.Term{Name: "fit", Weight: 1, Value: fit}, graph.Term{Name: "size", Weight: 0.01, Value: t.Penalty("size")})
	}
	spec := registered(t, "penalised", models.Method{SubNetworks: models.SubNetworkMoments, Objective: objective}, penalised)
	r := mustTrain(t, spec, wave(20), Settings{Epochs: 1, Batch: 20, Seed: 2, LearningRate: 1e-9}, Options{})
	want := 0.0
	for _, w := range parameter(t, r.Members[0], "w") {
		want += 2 * float64(w*w) // the mean of the factors 1 and 3
	}
	if got := r.History.Rows[0].Values[2]; math.Abs(got-want) > 1e-5*want {
		t.Errorf("penalty %v, want %v", got, want)
	}
}
