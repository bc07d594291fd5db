package cmd

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sml/data"
)

// What stands in the rows that a split holds out does not change a bit of the
// weights; nor does the name of the table.
func TestHeldOutRowsDoNotReachWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	dir := t.TempDir()
	weights := func(name string, change func(*data.Table, []int)) []byte {
		t.Helper()
		table, err := data.Load(t.Context(), "friedman", "", data.Sound, 1)
		if err != nil {
			t.Fatal(err)
		}
		split, err := table.Split(t.Context(), "random", 3, data.Paper, 5)
		if err != nil {
			t.Fatal(err)
		}
		change(table, split.Test)
		file, out := filepath.Join(dir, name+".csv"), filepath.Join(dir, name)
		var text bytes.Buffer
		if err := table.WriteCSV(&text); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		var errOut strings.Builder
		args := []string{"sml", "train", "--data", file, "--method", "sml-de", "--members", "2", "--split", "random", "--fold", "3", "--seed", "5", "--epochs", "3", "--out", out}
		if code := Run(context.Background(), args, strings.NewReader(""), &bytes.Buffer{}, &errOut); code != 0 {
			t.Fatalf("exit code %d: %s", code, errOut.String())
		}
		found, err := os.ReadFile(filepath.Join(out, "weights.safetensors"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	want := weights("as it is", func(*data.Table, []int) {})
	for name, change := range map[string]func(*data.Table, []int){
		"same": func(*data.Table, []int) {},
		"random": func(t *data.Table, test []int) {
			r := rand.New(rand.NewPCG(1, 1))
			for _, row := range test {
				t.Y[row] *= r.NormFloat64()
				for j := range 10 {
					t.X[10*row+j] = 1e4 * r.NormFloat64()
				}
			}
		},
		"fill": func(t *data.Table, test []int) { t.X[10*test[0]] = 9.969209968386869e36 },
	} {
		if !bytes.Equal(weights(name, change), want) {
			t.Errorf("%s: the weights differ", name)
		}
	}
}
