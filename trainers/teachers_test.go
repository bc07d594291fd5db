package trainers_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/models"
	"sml/trainers"
)

// An objective calls each member of a teacher that is an ensemble, and combines the members itself: here by
// the mean of their means, computed by hand from each member's graph.
func TestEnsembleTeaches(t *testing.T) {
	const rows = 10
	taught := train(t, "pu-de", trainers.Settings{Epochs: 5, Batch: 10, Members: 3, Seed: 1}, trainers.Options{})
	dir := filepath.Join(t.TempDir(), "teachers")
	teachers := modelOf(specOf(t, "pu-de"), taught)
	for _, columns := range []data.Scalers{teachers.Inputs, teachers.Targets} {
		for i := range columns { // the units of the table
			columns[i].Mean, columns[i].Std = 0, 1
		}
	}
	if err := teachers.Save(dir, false); err != nil {
		t.Fatal(err)
	}
	spec := registered(t, "taught", models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
		teachers := t.Frozen(dir)
		says := b.Const(0)
		for k := range teachers.Members() {
			says = b.Add(says, teachers.Mean(b.Columns(teachers.Forward(k, graph.Full), 0, 1)))
		}
		return t.MSE(t.Forward(graph.Full), b.Scale(1.0/3, says))
	}}, nil)
	x := wave(rows).X
	params, err := spec.NewParams(4)
	if err != nil {
		t.Fatal(err)
	}
	own, want := firstOutputs(t, spec, params, x, rows), 0.0
	var members [][]float32
	for _, p := range taught.Members {
		members = append(members, firstOutputs(t, teachers.Spec, p, x, rows))
	}
	for i, v := range own {
		mean := (float64(members[0][i]) + float64(members[1][i]) + float64(members[2][i])) / 3
		want += (float64(v) - mean) * (float64(v) - mean) / rows
	}
	checkLoss(t, spec, params, teachers, x, rows, want)
	lesson := wave(40)
	r, err := trainers.Train(t.Context(), spec, lesson, trainers.Settings{Epochs: 200, Batch: 10, LearningRate: 0.02, Seed: 2}, trainers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if last := r.History.Rows[len(r.History.Rows)-1].Values[0]; !(last < 0.05*want) {
		t.Errorf("the student's distance is %v, from %v", last, want)
	}

	_, err = registered(t, "taught-by-a-fourth", models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
		return t.MSE(t.Forward(graph.Full), b.Columns(t.Frozen(dir).Forward(3, graph.Full), 0, 1))
	}}, nil).NewParams(1)
	if err == nil || !strings.Contains(err.Error(), "has 3 members; member 3, from 0, does not exist") {
		t.Errorf("a fourth member: %v", err)
	}
}

// firstOutputs returns the first output of a network for each row of x.
func firstOutputs(t *testing.T, spec models.Spec, params *graph.Params, x []float64, rows int) []float32 {
	t.Helper()
	b := graph.New(graph.Float32, params)
	f, err := spec.Forward(b, rows)
	if err != nil {
		t.Fatal(err)
	}
	r, err := graph.NewRunner(graph.Compiled, b, b.Columns(f(graph.Full), 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i, v := range x {
		r.Input(models.InputX)[i] = float32(v)
	}
	if err := r.Run(); err != nil {
		t.Fatal(err)
	}
	return append([]float32{}, r.Output(0)...)
}

// checkLoss reports an error unless the loss of the rows of x is want. The columns have the teacher's scales.
func checkLoss(t *testing.T, spec models.Spec, params *graph.Params, teacher *models.Model, x []float64, rows int, want float64) {
	t.Helper()
	step, err := spec.NewStep(graph.Compiled, params, rows)
	if err != nil {
		t.Fatal(err)
	}
	defer step.Close()
	if err := step.Scale(teacher.Inputs, teacher.Targets); err != nil {
		t.Fatal(err)
	}
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

// newEmbeddedTeacher returns a teacher whose categories have different embeddings, and whose bins differ from the
// bins of a network that was not trained.
func newEmbeddedTeacher(t *testing.T) *models.Model {
	t.Helper()
	spec, err := models.NewSpec("mc", nil, embeddingInputs(3, 4))
	if err != nil {
		t.Fatal(err)
	}
	params, err := spec.NewParams(1)
	if err != nil {
		t.Fatal(err)
	}
	embedding := parameter(t, params, "embedding1.weight")
	for i := range embedding {
		embedding[i] = float32(math.Sin(float64(i)))
	}
	spec.FitBins(params, [][]float32{{-1, -0.5, 0, 0.25, 0.5, 0.75, 1, 2}})
	teacher := &models.Model{Spec: spec, Members: []*graph.Params{params}, Targets: data.Scalers{{Std: 1}}}
	for range spec.Architecture.Inputs {
		teacher.Inputs = append(teacher.Inputs, data.Scaler{Std: 1})
	}
	return teacher
}

// A teacher reads its inputs by its own embedding and bins, whatever the pupil does with them: the loss is the mean
// squared difference of the outputs that both networks have by themselves.
func TestEmbeddedTeacher(t *testing.T) {
	const rows = 24
	teacher := newEmbeddedTeacher(t)
	dir := filepath.Join(t.TempDir(), "teacher")
	if err := teacher.Save(dir, false); err != nil {
		t.Fatal(err)
	}
	columns := teacher.Spec.Architecture.Inputs
	x := make([]float64, rows*columns)
	for row := range rows {
		x[row*columns] = math.Sin(float64(3 * row))
		x[row*columns+1+row%embeddedCategories] = 1
	}
	registered(t, "taught-by-embeddings", models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
		teacher := t.Frozen(dir)
		return t.MSE(t.Forward(graph.Full), teacher.Mean(teacher.Forward(0, graph.Full)))
	}}, nil)
	taught := firstOutputs(t, teacher.Spec, teacher.Members[0], x, rows)
	for _, a := range []models.Architecture{embeddingInputs(3, 4), embeddingInputs(5, 8), embeddingInputs(0, 0)} {
		spec, err := models.NewSpec("taught-by-embeddings", nil, a)
		if err != nil {
			t.Fatal(err)
		}
		params, err := spec.NewParams(4)
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		for i, v := range firstOutputs(t, spec, params, x, rows) {
			difference := float64(v) - float64(taught[i])
			want += difference * difference / rows
		}
		checkLoss(t, spec, params, teacher, x, rows, want)
	}
}

// An interrupted training resumes only with the teacher with which it began. The trained model loads and
// predicts if the teacher was replaced, has other columns, was deleted, or is the student itself.
func TestTeacherThatChanges(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "teacher")
	teach := func(inputs int, seed uint64) {
		spec := specOf(t, "mc")
		spec.Architecture.Inputs = inputs
		params, err := spec.NewParams(seed)
		if err != nil {
			t.Fatal(err)
		}
		m := &models.Model{Spec: spec, Members: []*graph.Params{params}, Targets: data.Scalers{{Std: 1}}}
		for range inputs {
			m.Inputs = append(m.Inputs, data.Scaler{Std: 1})
		}
		if err := m.Save(dir, true); err != nil {
			t.Fatal(err)
		}
	}
	inputs := specOf(t, "mc").Architecture.Inputs
	teach(inputs, 1)
	spec := registered(t, "taught-by-what-changes", models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
		f, teacher := t.Forward(graph.Full), t.Frozen(dir)
		return b.Add(t.MSE(f, t.Y), t.MSE(f, teacher.Mean(teacher.Forward(0, graph.Full))))
	}}, nil)
	settings := trainers.Settings{Epochs: 4, Batch: 10, Seed: 1}
	whole, err := trainers.Train(t.Context(), spec, wave(50), settings, trainers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	_, err = trainers.Train(ctx, spec, wave(50), settings, trainers.Options{Progress: func(trainers.Progress) { stop() }})
	var cut *trainers.InterruptedError
	if !errors.As(err, &cut) {
		t.Fatal(err)
	}
	teach(inputs, 2)
	_, err = trainers.Train(t.Context(), spec, wave(50), settings, trainers.Options{Resume: cut.States})
	if err == nil || !strings.Contains(err.Error(), "has changed since the training was interrupted") {
		t.Errorf("went on with another teacher: %v", err)
	}
	teach(inputs, 1)
	r, err := trainers.Train(t.Context(), spec, wave(50), settings, trainers.Options{Resume: cut.States})
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
		if err := student.Save(at, false); err != nil {
			t.Fatal(err)
		}
		become()
		if m, err := models.Load(at); err != nil || !slices.Equal(m.Members[0].Float32s(), whole.Members[0].Float32s()) {
			t.Errorf("the teacher became %s: %v", name, err)
		}
	}
}

// Each copy of each network of a teacher is a member, whose outputs are compared with the teacher's own graph.
func TestCopiesTeach(t *testing.T) {
	const rows, networks, copies = 6, 2, 3
	spec, err := models.NewSpec("pu-de", nil, models.Architecture{Network: "tabm", Inputs: 2, Targets: 1, Hidden: []int{5, 4}, Copies: copies})
	if err != nil {
		t.Fatal(err)
	}
	taught, err := trainers.Train(t.Context(), spec, wave(40), trainers.Settings{Epochs: 2, Batch: 10, Members: networks, Seed: 1}, trainers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	teacher := modelOf(spec, taught)
	for _, columns := range []data.Scalers{teacher.Inputs, teacher.Targets} {
		for i := range columns { // the units of the table
			columns[i].Mean, columns[i].Std = 0, 1
		}
	}
	dir := filepath.Join(t.TempDir(), "teacher")
	if err := teacher.Save(dir, false); err != nil {
		t.Fatal(err)
	}
	x := wave(rows).X
	fill := func(input []float32) {
		for i, v := range x {
			input[i] = float32(v)
		}
	}
	for member := range networks * copies {
		student := registered(t, "taught-by-copy-"+string(rune('a'+member)), models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			if got := t.Frozen(dir).Members(); got != networks*copies {
				panic("the teacher has another number of members")
			}
			mean := b.Columns(t.Frozen(dir).Forward(member, graph.Full), 0, 1)
			return b.Add(b.Mean(b.Square(mean)), b.Scale(0, t.MSE(t.Forward(graph.Full), t.Y)))
		}}, nil)
		params, err := student.NewParams(1)
		if err != nil {
			t.Fatal(err)
		}
		step, err := student.NewStep(graph.Compiled, params, rows)
		if err != nil {
			t.Fatal(err)
		}
		if err := step.Scale(teacher.Inputs, teacher.Targets); err != nil {
			t.Fatal(err)
		}
		fill(step.X)
		clear(step.Y)
		if err := step.Run(models.Position{}); err != nil {
			t.Fatal(err)
		}
		b := graph.New(graph.Float32, taught.Members[member/copies])
		f, err := spec.Forward(b, rows)
		if err != nil {
			t.Fatal(err)
		}
		r, err := graph.NewRunner(graph.Compiled, b, f(graph.Full))
		if err != nil {
			t.Fatal(err)
		}
		fill(r.Input(models.InputX))
		if err := r.Run(); err != nil {
			t.Fatal(err)
		}
		want := 0.0
		for row := range rows {
			outputs := r.Output(0)[row*copies*2:] // a mean and a standard deviation of each copy
			mean := float64(outputs[2*(member%copies)])
			want += float64(mean*mean) / rows
		}
		if got := float64(step.Loss()); !(math.Abs(got-want) <= 1e-5*want) {
			t.Errorf("member %d: the mean square of its means is %v, want %v", member, got, want)
		}
		step.Close()
		r.Close()
	}
}

// A hidden layer of a frozen model leads to its outputs by the weights of its last layer, and an unknown layer is an error.
func TestFrozenLayers(t *testing.T) {
	taught := train(t, "de", trainers.Settings{Epochs: 2, Batch: 10, Members: 2, Seed: 1}, trainers.Options{})
	dir := filepath.Join(t.TempDir(), "teacher")
	if err := modelOf(specOf(t, "de"), taught).Save(dir, false); err != nil {
		t.Fatal(err)
	}
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
	_, err := spec.NewParams(1)
	if err == nil || !strings.Contains(err.Error(), `no hidden layer "frozen 0.1.last"; want one of frozen 0.1.hidden1`) {
		t.Errorf("an unknown layer: %v", err)
	}
}
