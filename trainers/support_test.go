package trainers_test

import (
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/trainers"
)

// A class is its number: scalers that would change the number are refused.
func TestClassesAreNotStandardised(t *testing.T) {
	rows := wave(60)
	for i := range rows.Y {
		rows.Y[i] = float64(i % 3)
	}
	spec := specOf(t, "classes")
	s := trainers.Settings{Epochs: 1, Batch: 10}
	rows.YScale = data.IdentityScalers([]string{"kind"})
	if _, err := trainers.Train(t.Context(), spec, rows, s, trainers.Options{}); err != nil {
		t.Error(err)
	}
	rows.YScale = data.FitScalers(rows.Y, []string{"kind"}, nil)
	_, err := trainers.Train(t.Context(), spec, rows, s, trainers.Options{})
	expect.Error(t, err, "target kind would be standardised")
}
