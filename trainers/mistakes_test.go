package trainers_test

import (
	"strconv"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
	"sml/trainers"
)

func init() {
	register := func(name string, objective models.Objective) {
		models.Register(models.Method{Name: name, Summary: name, Source: aTest, Objective: objective, Predict: methods.PredictFullNetwork})
	}
	models.Register(models.Method{
		Name: "counts-alone", Summary: "counts", Source: aTest, Support: models.Counts, Predict: methods.PredictFullNetwork,
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node { return b.MSE(t.Forward(graph.Full), t.Y) },
	})
	register("many-terms", func(b *graph.Builder, t *models.Task) *graph.Node {
		terms := make([]graph.Term, 50)
		for i := range terms {
			terms[i] = graph.Term{Name: strconv.Itoa(i), Weight: 1, Value: b.MSE(t.Forward(graph.Full), t.Y)}
		}
		return b.WeightedSum(terms...)
	})
	register("a-term-called-loss", func(b *graph.Builder, t *models.Task) *graph.Node {
		return b.WeightedSum(graph.Term{Name: "loss", Weight: 1, Value: b.MSE(t.Forward(graph.Full), t.Y)})
	})
}

// What would end without weights that were trained, or in a history that no
// reader takes, is an error.
func TestMistakesThatATrainingMeets(t *testing.T) {
	for method, want := range map[string]string{
		"many-terms":         "has 51 columns: want at most 50",
		"counts-alone":       "row 1 of the table: the target is ",
		"a-term-called-loss": `a term of the objective or a watched node is named "loss"`,
	} {
		expect.Error(t, trainError(t, specOf(t, method), wave(50), trainers.Settings{Epochs: 2, Batch: 10}, trainers.Options{}), want)
	}
}
