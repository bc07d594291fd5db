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
)

// saveTeacher saves a model of one target in the units of the table, in the place of an earlier one in the directory, and returns it.
func saveTeacher(t *testing.T, dir string, spec models.Spec, members []*graph.Params) *models.Model {
	t.Helper()
	teacher := &models.Model{Spec: spec, Members: members, Targets: data.Scalers{{Name: "y", Std: 1}}}
	for i := range spec.Architecture.Inputs {
		teacher.Inputs = append(teacher.Inputs, data.Scaler{Name: string(rune('a' + i)), Std: 1})
	}
	expect.NoError(t, teacher.Save(dir, true))
	return teacher
}

func meanSquare(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v * v
	}
	return sum / float64(len(values))
}

// networkOutputs returns the outputs of a network for each row of x.
func networkOutputs(t *testing.T, spec models.Spec, params *graph.Params, x []float64, rows int) []float32 {
	t.Helper()
	b := graph.New(graph.Float32, params)
	f := expect.Must(spec.Forward(b, rows))
	r := expect.Must(graph.NewRunner(graph.Compiled, b, f(graph.Full)))
	defer r.Close()
	for i, v := range x {
		r.Input(models.InputX)[i] = float32(v)
	}
	expect.NoError(t, r.Run())
	return slices.Clone(r.Output(0))
}

// checkLoss reports an error unless the loss of the rows of x is want, for columns with the given scalers.
func checkLoss(t *testing.T, spec models.Spec, params *graph.Params, inputs, targets data.Scalers, x []float64, rows int, want float64) {
	t.Helper()
	step := expect.Must(spec.NewStep(graph.Compiled, params, rows))
	defer step.Close()
	expect.NoError(t, step.Scale(inputs, targets))
	for i, v := range x {
		step.X[i] = float32(v)
	}
	if err := step.Run(models.Position{}); err != nil || math.Abs(float64(step.Loss())-want) > 1e-5*want {
		t.Errorf("loss %v, want %v; %v", step.Loss(), want, err)
	}
}

// embeddedCategories is the number of categories of the embedded column of embeddingInputs.
const embeddedCategories = 12

// embeddingInputs returns a network of a number and a column of categories, which it embeds in width numbers, or not
// at all if width is 0. The number has the given number of bins.
func embeddingInputs(width, bins int) models.Architecture {
	a := models.Architecture{Inputs: 1 + embeddedCategories, Targets: 1, Hidden: []int{4}, EmbeddingWidth: width, Bins: bins}
	if width > 0 {
		a.Embeddings = []models.Embedding{{First: 1, Categories: embeddedCategories}}
	}
	return a
}

// A teacher reads its inputs by its own embedding and bins, whatever the pupil does with them: the loss is the mean
// squared difference of the outputs that both networks have by themselves.
func TestEmbeddedTeacher(t *testing.T) {
	const rows = 24
	columns := 1 + embeddedCategories
	teacherSpec := expect.Must(models.NewSpec("mc", nil, embeddingInputs(3, 4)))
	weights := expect.Must(teacherSpec.NewParams(1))
	embedding := parameter(t, weights, "embedding1.weight")
	for i := range embedding { // categories then differ from one another, and bins from an untrained network's
		embedding[i] = float32(math.Sin(float64(i)))
	}
	teacherSpec.FitBins(weights, [][]float32{{-1, -0.5, 0, 0.25, 0.5, 0.75, 1, 2}})
	dir := filepath.Join(t.TempDir(), "teacher")
	teacher := saveTeacher(t, dir, teacherSpec, []*graph.Params{weights})
	x := make([]float64, rows*columns)
	for row := range rows {
		x[row*columns] = math.Sin(float64(3 * row))
		x[row*columns+1+row%embeddedCategories] = 1
	}
	registered(t, "taught-by-embeddings", models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
		teacher := t.Frozen(dir)
		return t.MSE(t.Forward(graph.Full), teacher.Mean(teacher.Forward(0, graph.Full)))
	}}, nil)
	taught := networkOutputs(t, teacherSpec, weights, x, rows)
	for _, a := range []models.Architecture{embeddingInputs(3, 4), embeddingInputs(5, 8), embeddingInputs(0, 0)} {
		spec := expect.Must(models.NewSpec("taught-by-embeddings", nil, a))
		params := expect.Must(spec.NewParams(4))
		differences := make([]float64, rows)
		for i, v := range networkOutputs(t, spec, params, x, rows) {
			differences[i] = float64(v) - float64(taught[i])
		}
		checkLoss(t, spec, params, teacher.Inputs, teacher.Targets, x, rows, meanSquare(differences))
	}
}

// An interrupted training resumes only with the teacher with which it began. The trained model loads and
// predicts if the teacher was replaced, has other columns, was deleted, or is the student itself.
func TestTeacherThatChanges(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "teacher")
	teach := func(inputs int, seed uint64) {
		spec := specOf(t, "mc")
		spec.Architecture.Inputs = inputs
		saveTeacher(t, dir, spec, []*graph.Params{expect.Must(spec.NewParams(seed))})
	}
	inputs := specOf(t, "mc").Architecture.Inputs
	teach(inputs, 1)
	spec := registered(t, "taught-by-what-changes", models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
		f, teacher := t.Forward(graph.Full), t.Frozen(dir)
		return b.Add(t.MSE(f, t.Y), t.MSE(f, teacher.Mean(teacher.Forward(0, graph.Full))))
	}}, nil)
	settings := Settings{Epochs: 4, Batch: 10, Seed: 1}
	whole := mustTrain(t, spec, wave(50), settings, Options{})
	states := interruptedWhen(t, spec, wave(50), settings, Options{Workers: 1}, func(Progress) bool { return true })
	teach(inputs, 2)
	expect.Error(t, trainError(t, spec, wave(50), settings, Options{Resume: states}), "has changed since the training was interrupted")
	teach(inputs, 1)
	r, err := Train(t.Context(), spec, wave(50), settings, Options{Resume: states})
	if err != nil || !slices.Equal(r.Members[0].Float32s(), whole.Members[0].Float32s()) {
		t.Errorf("another model after the interruption: %v", err)
	}

	student := modelOf(spec, whole)
	for name, become := range map[string]func(){
		"other columns": func() { teach(inputs+1, 1) },
		"nothing":       func() { os.RemoveAll(dir) },
		"the student": func() {
			if err := student.Save(dir, true); err != nil {
				t.Error(err)
			}
		},
	} {
		at := filepath.Join(t.TempDir(), "student")
		expect.NoError(t, student.Save(at, false))
		become()
		if m, err := models.Load(at); err != nil || !slices.Equal(m.Members[0].Float32s(), whole.Members[0].Float32s()) {
			t.Errorf("the teacher became %s: %v", name, err)
		}
	}
}

// Each copy of each network of a teacher is a member, whose outputs are compared with the teacher's own graph.
func TestCopiesTeach(t *testing.T) {
	const rows, networks, copies = 6, 2, 3
	spec := expect.Must(models.NewSpec("pu-de", nil, models.Architecture{Network: "tabm", Inputs: 2, Targets: 1, Hidden: []int{5, 4}, Copies: copies}))
	taught := mustTrain(t, spec, wave(40), Settings{Epochs: 2, Batch: 10, Members: networks, Seed: 1}, Options{})
	dir := filepath.Join(t.TempDir(), "teacher")
	teacher := saveTeacher(t, dir, spec, taught.Members)
	x := wave(rows).X
	for member := range networks * copies {
		student := registered(t, "taught-by-copy-"+string(rune('a'+member)), models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			if got := t.Frozen(dir).Members(); got != networks*copies {
				panic("the teacher has another number of members")
			}
			mean := b.Columns(t.Frozen(dir).Forward(member, graph.Full), 0, 1)
			return b.Add(b.Mean(b.Square(mean)), b.Scale(0, b.Mean(t.Forward(graph.Full))))
		}}, nil)
		outputs := networkOutputs(t, spec, taught.Members[member/copies], x, rows)
		means := make([]float64, rows)
		for row := range means { // a mean and a standard deviation of each copy
			means[row] = float64(outputs[2*(row*copies+member%copies)])
		}
		checkLoss(t, student, expect.Must(student.NewParams(1)), teacher.Inputs, teacher.Targets, x, rows, meanSquare(means))
	}
	_, err := registered(t, "taught-by-a-seventh", models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
		return t.MSE(t.Forward(graph.Full), b.Columns(t.Frozen(dir).Forward(6, graph.Full), 0, 1))
	}}, nil).NewParams(1)
	expect.Error(t, err, "has 6 members; member 6, from 0, does not exist")
}

// A hidden layer of a frozen model leads to its outputs by the weights of its last layer, and an unknown layer is an error.
func TestFrozenLayers(t *testing.T) {
	taught := train(t, "de", Settings{Epochs: 2, Batch: 10, Members: 2, Seed: 1}, Options{})
	dir := filepath.Join(t.TempDir(), "teacher")
	expect.NoError(t, modelOf(specOf(t, "de"), taught).Save(dir, false))
	const member = 1
	constant := func(b *graph.Builder, name string) *graph.Node {
		m, err := models.FindParameter(taught.Members[member], name)
		b.Fail(err)
		values := make([]float64, len(m.Values))
		for i, v := range m.Values {
			values[i] = float64(v)
		}
		return b.Constant(m.Rows, m.Columns, values)
	}
	objective := func(name string) models.Objective {
		return func(b *graph.Builder, t *models.Task) *graph.Node {
			teacher := t.Frozen(dir)
			outputs := b.Linear(teacher.Layer(member, name), constant(b, "output.weight"), constant(b, "output.bias"))
			return b.WeightedSum(
				graph.Term{Name: "difference", Weight: 1, Value: t.MSE(outputs, teacher.Forward(member, graph.Full))},
				graph.Term{Name: "targets", Weight: 1, Value: t.MSE(t.Forward(graph.Full), t.Y)},
			)
		}
	}
	r := trained(t, registered(t, "features", models.Method{Objective: objective("")}, nil), short)
	column := slices.Index(r.History.Columns, "difference")
	if got := r.History.Rows[0].Values[column]; !(got < 1e-12) {
		t.Errorf("the outputs that follow from the layer differ by a mean square of %v", got)
	}
	spec := registered(t, "unknown-features", models.Method{Objective: objective("last")}, nil)
	expect.Error(t, expect.ErrorOf(spec.NewParams(1)), `no hidden layer "frozen 0.1.last"; want one of frozen 0.1.hidden1`)
}
