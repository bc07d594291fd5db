package trainers_test

import (
	"math"
	"testing"

	"sml/data"
	"sml/trainers"
)

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
	s := trainers.Settings{Members: 4, Epochs: 12, Batch: 10, Patience: 3, CrossValidation: true, LearningRate: 0.03, Protocol: data.Sound, Seed: 3}
	want := mustTrain(t, spec, rows, s, trainers.Options{})
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
		states := interruptedWhen(t, spec, rows, s, 1, func(trainers.Progress) bool {
			done++
			return done == stop
		})
		got := mustTrain(t, spec, rows, s, trainers.Options{Resume: states})
		for member, weights := range weights(got) {
			for i, w := range weights {
				if w != want.Members[member].Float32s()[i] {
					t.Fatalf("resumed after %d epochs, member %d has other weights", stop, member)
				}
			}
		}
	}
}
