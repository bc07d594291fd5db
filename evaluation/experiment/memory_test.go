package experiment

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/models"
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
	expect.Error(t, expect.ErrorOf(e.Train(t.Context(), trainers.Options{})), "MiB more (networks: 1, weights of each:")
	freeMemory = func() int64 { return 1 << 40 }
	if _, err := e.Train(t.Context(), trainers.Options{}); err != nil {
		t.Error(err)
	}
}

// The memory that a training states is between 0.9 and 1.4 times the peak that Linux measures. Each training has a process of
// its own: this test's program.
func TestPeakMemory(t *testing.T) {
	const shape = "SML_PEAK_MEMORY" // rows and inputs of the table, for the process that trains
	if text := os.Getenv(shape); text != "" {
		var rows, inputs int
		expect.Must(fmt.Sscan(text, &rows, &inputs))
		fmt.Println("MiB stated and measured:", statedMemory(t, rows, inputs), peakMemory(t))
		return
	}
	if os.Getenv("SML_LONG") == "" || runtime.GOOS != "linux" {
		t.Skip("trains large tables, and reads the peak from Linux: make ci runs it")
	}
	for _, text := range []string{"60 5000", "100000 20", "2000 300", "100 12000"} {
		c := exec.Command(os.Args[0], "-test.run", "^TestPeakMemory$")
		c.Env = append(os.Environ(), shape+"="+text)
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var stated, measured float64
		if _, err := fmt.Sscanf(string(out), "MiB stated and measured: %g %g", &stated, &measured); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if ratio := stated / measured; ratio < 0.9 || ratio > 1.4 {
			t.Errorf("%s rows and inputs: %v MiB stated, %v MiB measured", text, stated, measured)
		}
	}
}

// statedMemory trains a table with the defaults of a user's own, for an epoch, and returns the MiB that were stated before.
func statedMemory(t *testing.T, rows, inputs int) (stated int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	table := &data.Table{Name: "own.csv", Targets: []string{"y"}}
	for range inputs {
		table.Columns = append(table.Columns, fmt.Sprint("x", len(table.Columns)))
	}
	for range rows * inputs {
		table.X = append(table.X, r.NormFloat64())
	}
	for row := range rows {
		table.Y = append(table.Y, table.X[row*inputs]+r.NormFloat64())
	}
	s := DefaultSettings()
	s.Table = Source{Name: table.Name, Rows: rows, Inputs: inputs}
	s.Spec.Method = "crps-de"
	s.Spec.Architecture.Inputs, s.Spec.Architecture.Targets = inputs, 1
	s, _, err := RecipeFor(table.Name, rows).Complete(s)
	expect.NoError(t, err)
	s.Training.Epochs = 1
	s.Spec = expect.Must(models.NewSpec(s.Spec.Method, nil, s.Spec.Architecture))
	e := prepareTest(t, s, NewTable(table))
	defer func(free func() int64) { freeMemory = free }(freeMemory)
	freeMemory = func() int64 { return -1 << 40 }
	_, err = e.Train(t.Context(), trainers.Options{})
	if err == nil {
		t.Fatal("a training that does not fit is not refused")
	}
	if _, err := fmt.Sscanf(err.Error(), "the training needs about %d MiB", &stated); err != nil {
		t.Fatalf("%v in %q", err, err)
	}
	freeMemory = func() int64 { return 1 << 40 }
	expect.Must(e.Train(t.Context(), trainers.Options{}))
	return stated
}

// peakMemory returns the largest resident memory that this process has had, in MiB.
func peakMemory(t *testing.T) int {
	t.Helper()
	status := expect.Must(os.ReadFile("/proc/self/status"))
	_, text, _ := strings.Cut(string(status), "VmHWM:")
	var kib int
	expect.Must(fmt.Sscan(text, &kib))
	return kib >> 10
}
