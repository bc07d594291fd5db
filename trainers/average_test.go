package trainers

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/networks"
)

// normalisedNetwork is a network with batch normalisation, whose buffers are averaged too.
func normalisedNetwork(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	return func(graph.Pass) *graph.Node {
		h := b.Tanh(networks.BatchNorm(b, "norm", networks.Dense(b, "hidden1", x, 8)))
		return networks.Dense(b, "output", h, a.Outputs)
	}
}

// average trains a spec with an average.
func average(t *testing.T, spec models.Spec, s Settings, text string) *Result {
	t.Helper()
	var err error
	if s.Average, err = ParseAverage(text); err != nil {
		t.Fatal(err)
	}
	r := mustTrain(t, spec, wave(50), s, Options{})
	return r
}

// The formulas give the averaged weights and buffers from the weights of each epoch,
// which here has one step.
func TestAverageOfWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	spec := registered(t, "averaged", models.Method{Objective: squared, DropLayers: models.AllLayers}, normalisedNetwork)
	const epochs = 8
	s := Settings{Epochs: epochs, Batch: 50, Seed: 3, LearningRate: 0.05}
	var weights [][]float32 // after each epoch
	for n := 1; n <= epochs; n++ {
		s.Epochs = n
		weights = append(weights, average(t, spec, s, "none").Members[0].Float32s())
	}
	for text, counts := range map[string][]float64{
		"ema(0)":     {0, 0, 0, 0, 0, 0, 0, 1},
		"ema(0.5)":   {1. / 128, 1. / 64, 1. / 32, 1. / 16, 1. / 8, 1. / 4, 1. / 2, 1}, // divided by their sum
		"swa(0)":     {1, 1, 1, 1, 1, 1, 1, 1},
		"swa(0.75)":  {0, 0, 0, 0, 0, 0, 1, 1},
		"swa(0.8)":   {0, 0, 0, 0, 0, 0, 1, 1}, // 6.4 epochs before it are six
		"swa(0.999)": {0, 0, 0, 0, 0, 0, 0, 1},
	} {
		got := average(t, spec, s, text).Members[0].Float32s()
		for i, v := range got {
			want, sum := 0.0, 0.0
			for k, c := range counts {
				want += c * float64(weights[k][i])
				sum += c
			}
			if want /= sum; math.Abs(float64(v)-want) > 1e-6*max(1, math.Abs(want)) {
				t.Errorf("%s: value %d is %v, want %v", text, i, v, want)
				break
			}
		}
	}
	if slices.Equal(weights[6], weights[7]) {
		t.Error("the weights do not move")
	}
}

// An average of only the last weights and no average are the same training to the bit. No average changes
// the optimizer's steps.
func TestAverageOfNothing(t *testing.T) {
	spec := specOf(t, "sml")
	none := average(t, spec, short, "none")
	for _, text := range []string{"ema(0)", "swa(0.99)"} {
		if r := average(t, spec, short, text); !equal(r, none) {
			t.Errorf("%s differs from no average", text)
		}
	}
	if r := average(t, spec, short, "ema(0.9)"); fmt.Sprint(r.History) != fmt.Sprint(none.History) || slices.Equal(r.Members[0].Float32s(), none.Members[0].Float32s()) {
		t.Error("an average changed the losses of the training, or not the weights")
	}
}

// The averaged weights decide the validation loss: before SWA begins it is the loss of a training without
// an average; afterwards, the loss of the mean weights.
func TestAverageIsValidated(t *testing.T) {
	spec := registered(t, "averaged-validated", models.Method{Objective: squared, DropLayers: models.AllLayers}, watchingNetwork(false))
	s := Settings{Epochs: 6, Batch: 40, Seed: 3, Validation: 0.2, LearningRate: 0.02}
	none, swa := average(t, spec, s, "none"), average(t, spec, s, "swa(0.5)")
	at := slices.Index(swa.History.Columns, "validation loss")
	best := math.Inf(1)
	for i := range 6 {
		plain, averaged := none.History.Rows[i].Values[at], swa.History.Rows[i].Values[at]
		best = min(best, averaged)
		if same := plain == averaged; same != (i < 4) { // the mean of epoch 4 alone is epoch 4
			t.Errorf("epoch %d: validation loss %v, and %v without an average", i+1, averaged, plain)
		}
		if none.History.Rows[i].Values[0] != swa.History.Rows[i].Values[0] {
			t.Errorf("epoch %d: another training loss", i+1)
		}
	}
	// A training from the model's weights that hardly moves them has their validation loss.
	s.Epochs, s.LearningRate = 1, 1e-9
	still := mustTrain(t, spec, wave(50), s, Options{Initial: swa.Members})
	if got := still.History.Rows[0].Values[at]; math.Abs(got-best) > 1e-6 { // float32
		t.Errorf("the model has a validation loss of %v, and the best of the history is %v", got, best)
	}
}

// A checkpoint without the averaged weights, or with some where there are none, is of other
// settings.
func TestAverageIsInCheckpoints(t *testing.T) {
	spec := specOf(t, "pu")
	s := short
	s.Average = Average{Kind: SWA, Value: 0.6}
	states := []State{{Epoch: 4, Values: weights(train(t, "pu", short, Options{}))[0]}}
	_, err := Train(t.Context(), spec, wave(50), s, Options{Resume: states})
	if want := "has 0 averaged weights after 4 epochs, want 114"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

func TestParseAverage(t *testing.T) {
	for text, want := range map[string]string{
		"": "none", "none": "none", "ema(0.9990)": "ema(0.999)", "swa( 0.75 )": "swa(0.75)", "swa(-0)": "swa(0)",
	} {
		if a, err := ParseAverage(text); err != nil || a.String() != want {
			t.Errorf("%q: %v, %v", text, a, err)
		}
	}
	for text, want := range map[string]string{
		"ema": "want none, or such as ema(0.999) or swa(0.75)", "ema(x)": "want none", "ema(0.9": "want none",
		"ema(1)": "the decay of the average is 1: want 0 to 0.999999", "swa(1)": "the fraction of the epochs before the average is 1",
		"ema(NaN)": "want 0 to", "mean(0.5)": `unknown average "mean"; want one of none, ema, swa`,
	} {
		expect.Error(t, expect.ErrorOf(ParseAverage(text)), want)
	}
	// Settings without an average have the bytes of before there were any.
	for s, want := range map[Average]bool{{}: false, {Kind: SWA, Value: 0.5}: true} {
		text, err := json.Marshal(Settings{Average: s})
		if err != nil || strings.Contains(string(text), `"average":"swa(0.5)"`) != want || strings.Contains(string(text), "average") != want {
			t.Errorf("%s, %v", text, err)
		}
	}
}

// The share of SWA is of whole epochs, also where the product is not exact in float64: 0.29 · 100 is
// 28.999999999999996.
func TestFirstEpochsOfAverage(t *testing.T) {
	for _, c := range []struct {
		share  float64
		epochs int
		want   int
	}{{0, 10, 0}, {0.75, 100, 75}, {0.29, 100, 29}, {0.8, 8, 6}, {swaRange.Max, 1000000, 999999}} {
		if got := (Average{SWA, c.share}).epochsBefore(c.epochs); got != c.want {
			t.Errorf("%v of %d epochs: %d, want %d", c.share, c.epochs, got, c.want)
		}
	}
}
