package experiment

import (
	"strings"
	"testing"

	"sml/data"
	"sml/trainers"
)

// A training that does not fit into memory is refused with the number before it starts. By hand, for a network of 10 inputs,
// 6 hidden units and 2 outputs without validation: 11·6 + 7·2 weights of 44 + 16 bytes, 2·20 rows in graphs of 4·10 + 8·6
// numbers, 50 rows of 10 features, 4 bytes each. Predictions of the test rows take less.
func TestTrainingNeedsMemory(t *testing.T) {
	settings := testSettings(t, "random", 1)
	settings.Training.Batch = 20
	settings.Training.Validation = 0
	e := prepareTest(t, settings, NewTable(data.Friedman(50, 1)))
	outputs := e.Spec.Architecture.Outputs
	want := int64((44+16)*(11*6+7*outputs) + 4*(2*20*(4*10+8*6)+50*10))
	if got := e.memory(4); got != want {
		t.Errorf("%d bytes; want %d", got, want)
	}
	defer func(free func() int64) { freeMemory = free }(freeMemory)
	freeMemory = func() int64 { return -1 << 40 }
	if _, err := e.Train(t.Context(), trainers.Options{}); err == nil || !strings.Contains(err.Error(), "MiB more (networks: 1, weights of each:") {
		t.Errorf("%v", err)
	}
	freeMemory = func() int64 { return 1 << 40 }
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
