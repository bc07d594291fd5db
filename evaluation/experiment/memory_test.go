package experiment

import (
	"strings"
	"testing"

	"sml/data"
	"sml/trainers"
)

// A training that does not fit into memory is refused with the number before it starts. By hand: 10 inputs, 6 hidden units
// and 2 outputs have 11·6 + 7·2 weights, or as many as the network says, of 128 bytes, and the table of 50 rows has 10
// features a row of 12 bytes.
func TestTrainingNeedsMemory(t *testing.T) {
	e := prepareTest(t, testSettings(t, "random", 1), NewTable(data.Friedman(50, 1)))
	outputs := e.Spec.Architecture.Outputs
	needed := int64(128*(11*6+7*outputs) + 12*50*10)
	if got := e.memory(); got != needed {
		t.Errorf("%d bytes; want %d", got, needed)
	}
	defer func(free func() int64) { freeMemory = free }(freeMemory)
	freeMemory = func() int64 { return needed - 1 }
	if _, err := e.Train(t.Context(), trainers.Options{}); err == nil || !strings.Contains(err.Error(), "the training needs about 0 MiB, and 0 MiB are free (networks: 1, weights of each:") {
		t.Errorf("%v", err)
	}
	freeMemory = func() int64 { return needed }
	if _, err := e.Train(t.Context(), trainers.Options{}); err != nil {
		t.Error(err)
	}
}

// Wide tables have no bins by default; tables of usual width keep theirs.
func TestWideTablesHaveNoBins(t *testing.T) {
	for inputs, want := range map[int]string{1: tableBins, MaxBinnedInputs: tableBins, MaxBinnedInputs + 1: ""} {
		s := DefaultSettings()
		s.Spec.Method = "pu"
		s.Table = Source{Name: "own.csv", Rows: 100, Inputs: inputs}
		s.Training.Protocol = data.Sound
		_, defaults, err := RecipeFor("own.csv", 100).Complete(s, func(string) bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, d := range defaults {
			if d.Key == "bins" {
				got = d.Value
			}
		}
		if got != want {
			t.Errorf("%d inputs: bins %q; want %q", inputs, got, want)
		}
	}
}
