package evaluation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/internal/portable"
	"sml/models"
	"sml/models/distribution"
	"sml/trainers"
)

// ownFamilies holds methods and distributions of y at x that belong to the family that the
// method predicts.
var ownFamilies = []struct {
	method string
	at     func(x float64) distribution.Distribution
}{
	{"mdn", func(x float64) distribution.Distribution { // two modes
		half := math.Log(0.5)
		return distribution.NormalMixture(2).New([]float64{half, half, x - 2, x + 2, 0.3, 0.3})
	}},
	{"student-t", heavyTailed},
	{"evidential", heavyTailed}, // whose marginal distribution is a t distribution
	{"quantiles", func(x float64) distribution.Distribution { // skewed
		levels := []float64{0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975}
		return distribution.Quantiles(levels...).New([]float64{x - 1, x - 0.8, x - 0.4, x, x + 0.8, x + 2.5, x + 3.2})
	}},
}

// heavyTailed returns a t distribution with three degrees of freedom.
func heavyTailed(x float64) distribution.Distribution {
	return distribution.StudentT.New([]float64{2 * x, 0.5 * portable.Exp(0.5*x), 3})
}

// TestOwnFamily trains each method on data from its own family. The reported NLL is the NLL of
// the true density within sampling error, and central intervals of 50 and 90 % cover as many
// rows as they say, within the bounds of 3.3 standard errors that 99.9 % of samples keep.
func TestOwnFamily(t *testing.T) {
	const fresh = 2000
	for _, c := range ownFamilies {
		t.Run(c.method, func(t *testing.T) {
			m := trainedOn(t, c.method, drawRows(c.at, 20000, 1))
			rows := drawRows(c.at, fresh, 2)
			p := expect.Must(Predict(t.Context(), m, rows, Sampling{}))
			e := expect.Must(Evaluate(p, Truth{Y: rows.Y, Columns: m.Targets}, data.Sound, []string{"nll-full", "coverage50", "coverage90"}))
			var sum, squares float64
			for i, y := range rows.Y {
				nll := -c.at(rows.X[i]).LogDensity(y)
				sum, squares = sum+nll, squares+float64(nll*nll)
			}
			want := sum / fresh
			bound := 3.3 * math.Sqrt((squares/fresh-float64(want*want))/fresh)
			got := e.Original.Get("nll-full")
			if !(math.Abs(got-want) <= bound) {
				t.Errorf("NLL %v; the true density has %v ± %v", got, want, bound)
			}
			for _, percent := range []float64{50, 90} {
				level := percent / 100
				bound := 3.3 * math.Sqrt(level*(1-level)/fresh)
				covered := e.Original.Get(fmt.Sprint("coverage", percent))
				if !(math.Abs(covered-level) <= bound) {
					t.Errorf("intervals of %v %% cover %v of the rows; want %v ± %v", percent, covered, level, bound)
				}
			}
		})
	}
}

// drawRows returns rows with inputs between −1 and 1, and targets drawn from their
// distributions.
func drawRows(at func(x float64) distribution.Distribution, n int, seed uint64) data.Subset {
	r := rand.New(rand.NewPCG(seed, seed))
	var rows data.Subset
	for range n {
		x := 2*r.Float64() - 1
		rows.X, rows.Y = append(rows.X, x), append(rows.Y, at(x).Sample(r))
	}
	return rows
}

// trainedOn returns a model of the method, trained on the rows.
func trainedOn(t *testing.T, method string, rows data.Subset) *models.Model {
	t.Helper()
	s := expect.Must(models.NewSpec(method, nil, models.Architecture{Inputs: 1, Targets: 1, Hidden: []int{20}, Activation: "tanh"}))
	rows.YScale = data.FitScalers(rows.Y, []string{"y"}, nil)
	result := expect.Must(trainers.Train(t.Context(), s, rows, trainers.Settings{
		Epochs: 40, Batch: 100, LearningRate: 0.01, Members: 1, Seed: 1,
		Schedule: models.Schedule{Shape: "linear", From: 1, To: 0.01, End: 1},
	}, trainers.Options{Workers: 1}))
	return &models.Model{Spec: s, Members: result.Members, Targets: rows.YScale}
}
