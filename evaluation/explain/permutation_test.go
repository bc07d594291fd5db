package explain

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/internal/expect"
	"sml/internal/portable"
	"sml/models"
	"sml/trainers"
)

// twoRoles is a model without hidden layers whose mean is 2·x1 and whose σ is
// softplus(x2), with rows that are distributed so.
func twoRoles(t *testing.T, n int) (*models.Model, data.Subset, evaluation.Truth) {
	t.Helper()
	s := expect.Must(models.NewSpec("pu", nil, models.Architecture{Inputs: 3, Targets: 1, Hidden: []int{}, Dropout: 0}))
	p := expect.Must(s.NewParams(1))
	for i, one := range p.List() {
		values := graph.ParamValues(p, p.Float32s(), i)
		clear(values)
		if one.Rows == 3 { // [inputs, outputs]: the mean, and what σ is the softplus of
			values[0], values[3] = 2, 1
		}
	}
	m := &models.Model{Spec: s, Members: []*graph.Params{p}, Targets: data.Scalers{{Name: "y", Std: 1}}}
	for _, name := range []string{"x1", "x2", "x3"} {
		m.Inputs = append(m.Inputs, data.Scaler{Name: name, Std: 1})
	}
	r := rand.New(rand.NewPCG(5, 5))
	var x, y []float64
	for range n {
		row := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		x = append(x, row...)
		y = append(y, 2*row[0]+math.Log1p(math.Exp(row[1]))*r.NormFloat64())
	}
	return m, data.Subset{X: x}, evaluation.Truth{Y: y, Columns: m.Targets}
}

func of(t *testing.T, p *Permutation, column string, part Part, measure string) Importance {
	t.Helper()
	for _, i := range p.Importances {
		if i.Column == column && i.Part == part && i.Measure == measure {
			return i
		}
	}
	t.Fatalf("there is no importance of %s for %s by %s", column, part, measure)
	return Importance{}
}

// What drives the mean alone has no importance for σ, and the other way round; what
// drives something has that which its definition says, computed here from the formulas.
func TestTwoRoles(t *testing.T) {
	const n, repeats, seed = 4000, 4, 9
	m, rows, truth := twoRoles(t, n)
	p := expect.Must(PermuteColumns(t.Context(), decoded(t, m), rows, truth, data.Sound, Options{Repeats: repeats, Measure: "nll", Sampling: evaluation.Sampling{Seed: seed}}))
	if p.Rows != n || p.Repeats != repeats || p.Measure != "nll" || len(p.Importances) != 3*5 || len(p.Baseline) != 2 {
		t.Errorf("%+v", p)
	}
	mean := func(i int) float64 { return 2 * rows.X[3*i] }
	sigma := func(i int) float64 { return portable.Softplus(rows.X[3*i+1]) }
	rmse := func(mean func(int) float64) float64 {
		sum := 0.0
		for i, y := range truth.Y {
			sum += (y - mean(i)) * (y - mean(i)) / n
		}
		return math.Sqrt(sum)
	}
	nll := func(mean, sigma func(int) float64) float64 {
		sum := 0.0
		for i, y := range truth.Y {
			r := (y - mean(i)) / sigma(i)
			sum += (math.Log(sigma(i)) + r*r/2) / n
		}
		return sum
	}
	want := map[Importance][]float64{}
	add := func(column string, part Part, measure string, value float64) {
		key := Importance{Column: column, Aspect: Aspect{part, measure}}
		want[key] = append(want[key], value)
	}
	for r := range repeats {
		order := portable.Perm(rand.New(rand.NewPCG(seed, permutationStream+uint64(r))), n)
		moved := func(f func(int) float64) func(int) float64 { return func(i int) float64 { return f(order[i]) } }
		change := 0.0
		for i := range n {
			change += math.Abs(sigma(order[i])-sigma(i)) / sigma(i) / n
		}
		for _, c := range []struct {
			column      string
			mean, sigma func(int) float64
			change      float64
		}{{"x1", moved(mean), sigma, 0}, {"x2", mean, moved(sigma), change}, {"x3", mean, sigma, 0}} {
			add(c.column, Mean, "rmse", rmse(c.mean)-rmse(mean))
			add(c.column, Mean, "nll", nll(c.mean, sigma)-nll(mean, sigma))
			add(c.column, Std, "nll", nll(mean, c.sigma)-nll(mean, sigma))
			add(c.column, Std, Change, c.change)
			add(c.column, Whole, "nll", nll(c.mean, c.sigma)-nll(mean, sigma))
		}
	}
	for key, values := range want {
		got := of(t, p, key.Column, key.Part, key.Measure)
		mean, std := meanStd(values)
		if math.Abs(float64(got.Mean)-mean) > 1e-5*(1+mean) || math.Abs(float64(got.Std)-std) > 1e-4*(1+mean) {
			t.Errorf("%+v; want %v ± %v", got, mean, std)
		}
	}
	// The mean square of 2·(x1 − x1′) is 8 times the variance of x1; σ² has the mean 0.93.
	if got, want := float64(of(t, p, "x1", Mean, "rmse").Mean), math.Sqrt(8+0.93)-math.Sqrt(0.93); math.Abs(got-want) > 0.1 {
		t.Errorf("the RMSE rises by %v; want about %v", got, want)
	}
	if got := of(t, p, "x2", Std, "nll").Mean; got < 0.3 {
		t.Errorf("the NLL rises by %v when σ is that of other rows", got)
	}
	for _, nothing := range []Importance{of(t, p, "x2", Mean, "rmse"), of(t, p, "x1", Std, "nll"), of(t, p, "x1", Std, Change), of(t, p, "x3", Whole, "nll")} {
		if nothing.Mean != 0 || nothing.Std != 0 {
			t.Errorf("%+v; want 0", nothing)
		}
	}
}

// The same masks stand behind rows as they are and permuted ones: a column that no
// weight looks at has the importance 0 of a method that draws. Workers change nothing.
func TestSameMasks(t *testing.T) {
	s := expect.Must(models.NewSpec("sml", nil, models.Architecture{Inputs: 3, Targets: 1, Hidden: []int{20}, Dropout: 0.2}))
	params := expect.Must(s.NewParams(1))
	for i, one := range params.List() {
		if one.Rows == 3 {
			clear(graph.ParamValues(params, params.Float32s(), i)[2*one.Columns:])
		}
	}
	m, rows, truth := twoRoles(t, 700)
	m.Spec, m.Members = s, []*graph.Params{params}
	var first bytes.Buffer
	for _, workers := range []int{1, 3} {
		done := 0
		p := expect.Must(PermuteColumns(t.Context(), decoded(t, m), rows, truth, data.Sound, Options{
			Repeats: 3, Sampling: evaluation.Sampling{Seed: 4, Samples: 20, Workers: workers},
			Progress: func(now, total int) {
				if done = now; total != 700*9 {
					t.Errorf("%d of %d rows", now, total)
				}
			},
		}))
		if got := of(t, p, "x3", Whole, "crps"); got.Mean != 0 || of(t, p, "x3", Std, Change).Mean != 0 || of(t, p, "x2", Std, Change).Mean == 0 || done != 700*9 {
			t.Errorf("%+v, %d rows", p.Importances, done)
		}
		var text bytes.Buffer
		expect.NoError(t, p.WriteCSV(&text))
		if first.Len() == 0 {
			first = text
		} else if !bytes.Equal(first.Bytes(), text.Bytes()) {
			t.Errorf("with %d workers\n%s\nwith one\n%s", workers, &text, &first)
		}
	}
}

// A network that learns from rows in which a text drives the mean and a number σ, and
// both lack values, is explained so; the text moves with all its indicators.
func TestLearntRoles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	lines := "colour,loud,idle,y\n"
	for i := range 1500 {
		colour, loud := r.IntN(3), r.Float64()
		y := 3*float64(colour) + (0.1+2*loud)*r.NormFloat64()
		text, number := []string{"red", "green", "blue"}[colour], fmt.Sprint(loud)
		if i%60 == 7 {
			text = ""
		}
		if i%50 == 9 {
			number = ""
		}
		lines += fmt.Sprintf("%s,%s,%v,%v\n", text, number, r.Float64(), y)
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	expect.NoError(t, os.WriteFile(path, []byte(lines), 0o666))
	settings := experiment.Settings{
		Table:    experiment.Source{Name: path},
		Training: trainers.Settings{Epochs: 60, Batch: 50, LearningRate: 0.003, Seed: 1, Split: "random", Protocol: data.Sound},
	}
	table := expect.Must(settings.Table.Read(t.Context(), "", data.Sound))
	settings.Spec = expect.Must(models.NewSpec("pu", nil, models.Architecture{Inputs: 3, Targets: 1, Hidden: []int{30}, Dropout: 0.1}))
	e := expect.Must(experiment.Prepare(t.Context(), settings, experiment.NewTable(table)))
	trained := expect.Must(e.Train(t.Context(), trainers.Options{}))
	truth := evaluation.Truth{Y: table.TargetsOf(e.Rows.Test), Columns: trained.Targets}
	p := expect.Must(PermuteColumns(t.Context(), decoded(t, trained.Model), e.Gather(trained.Model, e.Rows.Test), truth, data.Sound, Options{}))
	at := func(column string, part Part, measure string) float64 {
		return float64(of(t, p, column, part, measure).Mean)
	}
	if len(p.Importances) != 3*5 || at("colour", Mean, "rmse") < 10*math.Abs(at("loud", Mean, "rmse")) || at("colour", Mean, "rmse") < 10*math.Abs(at("idle", Mean, "rmse")) {
		t.Errorf("of the mean: %+v", p.Importances)
	}
	if at("loud", Std, "crps") < 5*math.Abs(at("colour", Std, "crps")) || at("loud", Std, Change) < 3*at("colour", Std, Change) || at("loud", Std, Change) < 3*at("idle", Std, Change) {
		t.Errorf("of the standard deviation: %+v", p.Importances)
	}
}

func TestMistakes(t *testing.T) {
	m, rows, truth := twoRoles(t, 50)
	for want, o := range map[string]Options{
		"the number of repeats is 1": {Repeats: 1},
		"unknown measure \"skill\"":  {Measure: "skill"},
		"measure pinball needs [quantiles], which the predictions of method pu do not have": {Measure: "pinball"},
	} {
		expect.Error(t, expect.ErrorOf(PermuteColumns(t.Context(), decoded(t, m), rows, truth, data.Sound, o)), want)
	}
	rows.Indices, truth.Y = []int32{3}, truth.Y[:1]
	expect.Error(t, expect.ErrorOf(PermuteColumns(t.Context(), decoded(t, m), rows, truth, data.Sound, Options{})), "at least 2 rows")
}

// By a measure of which higher is better, what falls is important.
func TestHigherIsBetter(t *testing.T) {
	m, rows, truth := twoRoles(t, 500)
	p := expect.Must(PermuteColumns(t.Context(), decoded(t, m), rows, truth, data.Sound, Options{Measure: "r2", Repeats: 2}))
	if got := of(t, p, "x1", Mean, "r2"); got.Mean < 1 || of(t, p, "x2", Mean, "r2").Mean != 0 {
		t.Errorf("%+v", p.Importances)
	}
}

func decoded(t *testing.T, m *models.Model) *experiment.Model {
	t.Helper()
	return expect.Must(experiment.Decode(m))
}
