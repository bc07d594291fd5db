package cmd

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// Rows among bad ones are predicted as they are without these, however many are at once,
// and each keeps its own texts.
func TestBadRowsAmongMany(t *testing.T) {
	skipIfShort(t)
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	run := func(in string, args ...string) string {
		t.Helper()
		return string(runSML(t, strings.NewReader(in), args...))
	}
	table := "id,a,b,g,y\n"
	for i := range 60 {
		table += fmt.Sprintf("r%d,%d,%d,%c,%d\n", i, i%7, i%5, 'p'+i%3, i%11)
	}
	writeFile(t, path("t.csv"), table)
	run("", "train", "--data", path("t.csv"), "--drop", "id", "--method", "sml", "--epochs", "2", "--hidden", "4", "--out", path("m"), "--missing", "error",
		"--calibrate", "0.5", "--calibrate-coverage", "0.5", "--calibrate-by", "g", "--quiet")

	r := rand.New(rand.NewPCG(1, 1))
	clean, dirty, want := "id,a,b,g\n", "id,a,b,g\n", "id\n"
	for i := range 5000 {
		row := fmt.Sprintf("r%d,%d,%d,%c\n", i, r.IntN(7), r.IntN(5), 'p'+r.IntN(3))
		clean, dirty, want = clean+row, dirty+row, want+fmt.Sprintf("r%d\n", i)
		switch r.IntN(40) {
		case 0:
			dirty, want = dirty+"bad,wet,1,p\n", want+"bad\n"
		case 1:
			dirty, want = dirty+"short\n", want+"\n"
		case 2:
			dirty, want = dirty+"gap,,1,q\n", want+"gap\n"
		}
	}
	predict := []string{"predict", path("m"), "--in", "-", "--keep", "id,g", "--coverage", "0.5", "--samples", "3", "--quiet"}
	good := run(clean, predict...)
	if got := run(dirty, append(predict, "--on-error", "skip")...); got != good {
		t.Error("rows among those that are left out are predicted otherwise")
	}
	nulls := run(dirty, append(predict, "--on-error", "null")...)
	var ids, predicted strings.Builder
	for line := range strings.Lines(nulls) {
		id, _, _ := strings.Cut(line, ",")
		ids.WriteString(strings.TrimSpace(id) + "\n")
		if rest, ok := strings.CutSuffix(line, ",\n"); ok {
			predicted.WriteString(rest + "\n")
		}
	}
	if ids.String() != want {
		t.Error("rows without a prediction are not in their places")
	}
	if _, rows, _ := strings.Cut(good, "\n"); predicted.String() != rows {
		t.Error("rows among those without a prediction are predicted otherwise")
	}
}
