package cmd

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sml/evaluation/export/onnx/ort"
)

// An exported network embeds categories as predict does, unknown and missing ones, too.
func TestExportedEmbeddings(t *testing.T) {
	ort.RequireRuntime(t)
	dir := t.TempDir()
	table := filepath.Join(dir, "towns.csv")
	rows := filepath.Join(dir, "rows.csv")
	text := "town,size,street,y\n"
	for i := range 260 {
		town := fmt.Sprintf("t%02d", i%26)
		if i%26 == 7 {
			town = "" // missing
		}
		street := fmt.Sprintf("s%02d", i*i%61) // 31 of them, some in one training row each
		text += fmt.Sprintf("%s,%d,%s,%.3f\n", town, i%5, street, float64(i%26)+0.5*float64(i%5))
	}
	first := strings.Join(strings.SplitAfter(text, "\n")[:41], "")
	writeFile(t, table, text)
	writeFile(t, rows, first+"elsewhere,1,s01,0\n,2,new,0\nt03,2,,0\n")
	for _, name := range []string{"pu", "mc-pu", "concrete", "de"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := &exported{t, filepath.Join(dir, name), rows, 6}
			e.sml("train", "--data", table, "--method", name, "--epochs", "20", "--validation", "0", "--hidden", "8,6", "--bins", "4", "--quiet", "--out", e.model)
			if columns := e.load().Architecture.Embeddings; len(columns) != 2 {
				t.Fatalf("the embedded columns are %v", columns)
			}
			e.checkPredictions()
		})
	}
}
