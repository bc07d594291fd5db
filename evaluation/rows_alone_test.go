package evaluation

import (
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
)

// plans are ways to divide the work of predictions.
var plans = []struct {
	name    string
	workers int
	change  func(p *Predictor)
}{
	{"4 workers", 4, func(*Predictor) {}},
	{"blocks of 37 rows, 4 workers", 4, func(p *Predictor) { p.blockRows = 37 }},
	{"draws that are not stacked", 1, func(p *Predictor) { p.stackDraws = false }},
	{"5 workers that share the draws of a row", 5, func(p *Predictor) { p.minWorkPerWorker = 1 }},
	{"60 workers that share the draws of a row", 60, func(p *Predictor) { p.minWorkPerWorker = 1 }},
}

// A prediction depends neither on the other rows and their order, nor on blocks, stacked draws and workers: by networks
// with any source of noise, by ensembles, by copies and by analytic moments, which depend neither on the seed nor on the
// number of samples.
func TestPredictionOfARow(t *testing.T) {
	type prediction struct {
		method, network string
		members         int
		moments         MomentSource
	}
	list := []prediction{
		{"sml-de", "", 3, SampledMoments}, {"pu-de", "", 3, SampledMoments}, {"sml-de", "", 2, AnalyticMoments},
		{"mc-pu", "bayes", 1, SampledMoments}, {"mc-pu", "concrete", 1, SampledMoments}, {"mc-pu", "realmlp", 1, SampledMoments}, {"mc-pu", "tabm", 1, SampledMoments},
	}
	for _, method := range []string{"sml", "mc-ll", "pu", "bayes", "concrete", "mc-pu", "w-dropout"} {
		list = append(list, prediction{method, "", 1, SampledMoments})
	}
	for _, method := range []string{"sml", "mc", "mc-ll", "w-dropout"} {
		list = append(list, prediction{method, "", 1, AnalyticMoments})
	}
	inAllWays := len(list)
	for _, method := range models.Methods() {
		if predictsWithCopies(t, method) {
			list = append(list, prediction{method.Name, "tabm", 1, SampledMoments})
		}
	}
	const n = 150
	x := points(n)
	var backwards []int32
	for row := range int32(n) {
		backwards = append(backwards, n-1-row)
	}
	for i, c := range list {
		ways := plans
		if i >= inAllWays {
			ways = plans[:1]
		}
		m := untrained(t, c.method, c.members, func(a *models.Architecture) {
			a.Network = c.network
			if c.method == "mc-pu" {
				a.Hidden = []int{40, 300}
			}
		})
		s := Sampling{Samples: 5, Seed: 1, Workers: 1, Moments: c.moments}
		whole := predict(t, m, x, s)
		if c.moments == AnalyticMoments {
			s.Seed = 2
			s.Samples = 7
			if whole.Samples != 0 {
				t.Errorf("%s: %d sub-networks were drawn for analytic moments", c.method, whole.Samples)
			}
		}
		if c.network == "" && c.method != "pu-de" && c.method != "pu" && whole.Values[0].Std() == 0 {
			t.Errorf("%s: there is no noise", c.method)
		}
		for _, plan := range ways {
			s.Workers = plan.workers
			p := expect.Must(NewPredictor(m, s))
			plan.change(p)
			check := func(rows data.Subset, what string, want []models.Prediction) {
				t.Helper()
				found := expect.Must(p.Predict(t.Context(), rows))
				if !slices.EqualFunc(found.Values, want, models.Prediction.Equal) {
					t.Errorf("%+v, %s: other predictions of %s", c, plan.name, what)
				}
			}
			reversed := slices.Clone(whole.Values)
			slices.Reverse(reversed)
			check(data.Subset{X: x, Indices: backwards}, "all rows backwards", reversed)
			sizes := []int{1, 2, 7, 8, 9, 64, n}
			for first, i := 0, 0; first < n; i++ {
				end := min(first+sizes[i], n)
				check(data.Subset{X: x[2*first : 2*end]}, "rows alone", whole.Values[first:end])
				first = end
			}
			p.Close()
		}
	}
}

// predictsWithCopies reports whether a method predicts with a network that has copies. Networks that add penalties,
// functions after the training, and methods of other tests do not.
func predictsWithCopies(t *testing.T, method models.Method) bool {
	t.Helper()
	spec, err := models.NewSpec(method.Name, nil, models.Architecture{Network: "tabm", Inputs: 2, Targets: 1, Hidden: []int{8, 6}, Dropout: 0.2})
	if err == nil {
		_, err = spec.Loss(graph.New(graph.Float32, new(graph.Params)), 2)
	}
	want := "needs a network that adds the penalty"
	if method.AfterTraining != nil {
		want = "computes with one network after its training"
	}
	if err != nil && !strings.Contains(err.Error(), want) {
		t.Error(method.Name, err)
	}
	return err == nil
}

// Workers share the draws of a row where there are fewer rows than workers.
func TestWorkersShareDraws(t *testing.T) {
	p := expect.Must(NewPredictor(untrained(t, "sml", 1, nil), Sampling{Samples: 50, Workers: 60}))
	defer p.Close()
	p.minWorkPerWorker = 1
	if rows, workers := p.planBlocks(1); rows != 1 || workers != 50 {
		t.Errorf("a row is divided as %d rows with %d workers each", rows, workers)
	}
}
