package trainers_test

import (
	"slices"
	"testing"

	"sml/data"
	"sml/models"
	"sml/trainers"
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
	average := func(kind string, value float64) trainers.Average { return trainers.Average{Kind: kind, Value: value} }
	plain := trainers.Settings{Epochs: 9, Batch: 16, Seed: 3}
	sound := trainers.Settings{Epochs: 9, Batch: 16, Seed: 3, Protocol: data.Sound, Schedule: models.Schedule{Shape: "cosine"}, Clip: 0.5, Decay: 0.01}
	validated := trainers.Settings{Epochs: 9, Batch: 10, Seed: 3, Validation: 0.2, Patience: 3}
	averaged := trainers.Settings{Epochs: 9, Batch: 16, Seed: 3, Validation: 0.2, Average: average(trainers.EMA, 0.5), Schedule: models.Schedule{Shape: "coslog4"}}
	steep := trainers.Settings{Epochs: 9, Batch: 10, Seed: 3, Validation: 0.2, Patience: 5, LearningRate: 0.1}
	turns := trainers.Settings{Epochs: 9, Batch: 10, Seed: 3, Protocol: data.Sound, Clip: 0.5, Decay: 0.01, Validation: 0.2,
		Schedule: models.Schedule{Shape: "warm-up"}, Average: average(trainers.EMA, 0.8)}
	for name, c := range map[string]struct {
		settings trainers.Settings
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
	for _, a := range []trainers.Average{average(trainers.EMA, 0.9), average(trainers.SWA, 0.5), average(trainers.SWA, 0.25)} {
		for _, validation := range []float64{0, 0.2} { // which chooses among averaged weights
			s := trainers.Settings{Epochs: 9, Batch: 10, Seed: 3, Protocol: data.Sound, Validation: validation, Average: a}
			if !equal(trained(t, buffered, s), resumedAfter(t, buffered, s, 4)) {
				t.Errorf("%v, validation %v: the resumed training differs", a, validation)
			}
		}
	}
}
