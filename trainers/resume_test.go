package trainers

import (
	"math"
	"slices"
	"testing"

	"sml/data"
	"sml/models"
)

// An interrupted training, resumed from its checkpoint, ends as if it had never been interrupted: with moments, buffers, averages,
// the best weights and the turns of parameter groups.
func TestResume(t *testing.T) {
	sml, ensemble := specOf(t, "sml"), specOf(t, "pu-de")
	buffered := registered(t, "buffered", models.Method{Objective: squared, DropLayers: models.AllLayers}, normalisedNetwork)
	players := registered(t, "players", models.Method{Objective: playing}, nil)
	if mean := parameter(t, trained(t, buffered, short).Members[0], "norm.running_mean"); slices.Max(mean) == slices.Min(mean) {
		t.Errorf("the running mean has stayed %v", mean)
	}
	average := func(kind string, value float64) Average { return Average{Kind: kind, Value: value} }
	plain := Settings{Epochs: 9, Batch: 16, Seed: 3}
	sound := Settings{Epochs: 9, Batch: 16, Seed: 3, Protocol: data.Sound, Schedule: models.Schedule{Shape: "cosine"}, Clip: 0.5, Decay: 0.01}
	validated := Settings{Epochs: 9, Batch: 10, Seed: 3, Validation: 0.2, Patience: 3}
	averaged := Settings{Epochs: 9, Batch: 16, Seed: 3, Validation: 0.2, Average: average(EMA, 0.5), Schedule: models.Schedule{Shape: "coslog4"}}
	steep := Settings{Epochs: 9, Batch: 10, Seed: 3, Validation: 0.2, Patience: 5, LearningRate: 0.1}
	turns := Settings{Epochs: 9, Batch: 10, Seed: 3, Protocol: data.Sound, Clip: 0.5, Decay: 0.01, Validation: 0.2,
		Schedule: models.Schedule{Shape: "warm-up"}, Average: average(EMA, 0.8)}
	for name, c := range map[string]struct {
		settings Settings
		specs    []models.Spec
	}{
		"plain":      {plain, []models.Spec{sml, ensemble, buffered}},
		"sound":      {sound, []models.Spec{sml, ensemble, buffered}},
		"validation": {validated, []models.Spec{sml, ensemble}},
		"average":    {averaged, []models.Spec{sml, ensemble}},
		"early best": {steep, []models.Spec{buffered}},
		"turns":      {groups(t, turns, "critic:optimizer=adamw,lr=0.01,every=2,offset=1;main:optimizer=sgd,lr=0.1,every=2"), []models.Spec{players}},
	} {
		for _, spec := range c.specs {
			if !equal(trained(t, spec, c.settings), resumedAfter(t, spec, c.settings, 4)) {
				t.Errorf("%s, %s: the resumed training differs", name, spec.Method)
			}
		}
	}
	for _, a := range []Average{average(EMA, 0.9), average(SWA, 0.5), average(SWA, 0.25)} {
		for _, validation := range []float64{0, 0.2} { // which chooses among averaged weights
			s := Settings{Epochs: 9, Batch: 10, Seed: 3, Protocol: data.Sound, Validation: validation, Average: a}
			if !equal(trained(t, buffered, s), resumedAfter(t, buffered, s, 4)) {
				t.Errorf("%v, validation %v: the resumed training differs", a, validation)
			}
		}
	}
}

// In the order of time, half of the members of a cross-validation hold out the latest rows. The others learn from all
// rows for the mean number of epochs at which the first were best, rounded up. A training that is interrupted in any epoch
// of either half resumes to the same bytes.
func TestFollowers(t *testing.T) {
	spec := specOf(t, "pu-de")
	rows := wave(60)
	rows.Separation = data.Separation{ByLatest: true}
	for i := range 60 {
		rows.Separation.Values = append(rows.Separation.Values, float64(i))
	}
	s := Settings{Members: 4, Epochs: 12, Batch: 10, Patience: 3, CrossValidation: true, LearningRate: 0.03, Protocol: data.Sound, Seed: 3}
	want := mustTrain(t, spec, rows, s, Options{})
	if len(want.ValidationRows) != 2 {
		t.Fatalf("%d members hold out rows", len(want.ValidationRows))
	}
	for member, held := range want.ValidationRows {
		if len(held) != 15 || held[0] != 45 { // a quarter of 60 rows
			t.Errorf("member %d holds out %v", member, held)
		}
	}
	best := []float64{math.Inf(1), math.Inf(1)} // validation losses
	bestEpochs, epochs := make([]int, 2), make([]int, 4)
	for _, row := range want.History.Rows {
		loss := row.Values[len(row.Values)-1]
		epochs[row.Member] = row.Number
		if row.Member >= 2 {
			if !math.IsNaN(loss) {
				t.Errorf("member %d has the validation loss %v", row.Member, loss)
			}
		} else if loss < best[row.Member] {
			best[row.Member], bestEpochs[row.Member] = loss, row.Number
		}
	}
	if mean := (bestEpochs[0] + bestEpochs[1] + 1) / 2; epochs[2] != mean || epochs[3] != mean {
		t.Errorf("members are trained for %v epochs; want %d for the last two", epochs, mean)
	}
	total := epochs[0] + epochs[1] + epochs[2] + epochs[3]
	for stop := 1; stop < total; stop += 2 {
		done := 0
		states := interruptedWhen(t, spec, rows, s, Options{Workers: 1}, func(Progress) bool {
			done++
			return done == stop
		})
		got := mustTrain(t, spec, rows, s, Options{Resume: states})
		for member, weights := range weights(got) {
			for i, w := range weights {
				if w != want.Members[member].Float32s()[i] {
					t.Fatalf("resumed after %d epochs, member %d has other weights", stop, member)
				}
			}
		}
	}
}
