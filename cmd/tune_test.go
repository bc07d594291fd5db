package cmd

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sml/internal/expect"
)

// groups writes a table of 90 rows with texts, holes, dates and groups, in which the last
// column is the target.
func groups(t *testing.T) string {
	t.Helper()
	lines := []string{"colour,size,day,animal,y"}
	for i := range 90 {
		size := fmt.Sprint(i * 7 % 13)
		if i%9 == 4 {
			size = ""
		}
		lines = append(lines, fmt.Sprintf("%s,%s,2024-%02d-%02d,a%d,%d", []string{"red", "blue", "green"}[i%3], size, 1+i*7%12, 1+i%28, i*i%17, i*i%31))
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	writeFile(t, path, strings.Join(lines, "\n")+"\n")
	return path
}

// The model of a tuning has the bytes of the train command that the tuning tells.
func TestTuningTrainsWhatItTells(t *testing.T) {
	skipIfShort(t)
	table := groups(t)
	for name, args := range map[string][]string{
		"plain":     {"--data", "friedman", "--method", "sml", "--space", "dropout=0.05..0.3,beta=0.1..2,hidden=4|3,3|none", "--epochs", "3", "--seed", "5"},
		"group":     {"--data", table, "--method", "sml", "--group", "animal", "--fold", "1", "--space", "width=2..6,lr=1e-3..1e-1:log", "--epochs", "3", "--transform", "log1p", "--set", "beta=0.3"},
		"time":      {"--data", table, "--time", "day", "--space", "method=sml|pu|beta-nll,beta=0.1..0.9,batch=10..30", "--epochs", "3", "--hidden", "4", "--strategy", "tpe", "--validation", "0.1"},
		"optimizer": {"--data", table, "--drop", "animal", "--space", "optimizer=adam|sgd momentum=0.5|sgd momentum=0.9", "--space", "clip=1|5", "--epochs", "9", "--hidden", "4", "--strategy", "halving"},
		"adam":      {"--data", table, "--space", "weight-decay=1e-4..1e-1:log", "--optimizer", "adam beta1=0.8", "--split", "stratified", "--epochs", "2", "--hidden", "4", "--method", "de", "--members", "2", "--measure", "nll"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			tuning := filepath.Join(dir, "tuning")
			var found struct {
				Command []string
				Trials  int
				Model   string
			}
			unmarshal(t, runSML(t, nil, slices.Concat([]string{"tune", "--trials", "6", "--json", "--quiet", "--out", tuning}, args)...), &found)
			own := filepath.Join(dir, "own")
			runSML(t, nil, append(found.Command[1:], "--quiet", "--out", own)...)
			for _, name := range []string{"model.json", "weights.safetensors", "history.csv", "training_rows.bin"} {
				got := readFile(t, filepath.Join(found.Model, name))
				want := readFile(t, filepath.Join(own, name))
				if !bytes.Equal(got, want) {
					t.Errorf("%s: %v gives other bytes than\n%s\n%s", name, found.Command, got, want)
				}
			}
		})
	}
}

// A tuning that is killed again and again, at any moment, ends with the same bytes as one
// that is left alone, on another number of cores.
func TestKilledTuning(t *testing.T) {
	skipIfShort(t)
	table := groups(t)
	run := func(dir string, args ...string) *exec.Cmd {
		return exec.Command("sml", append([]string{"tune", "--data", table, "--space", "weight-decay=0..0.1,lr=1e-3..1e-1:log", "--strategy", "tpe", "--trials", "17", "--epochs", "20", "--hidden", "8", "--quiet", "--out", dir}, args...)...)
	}
	whole := filepath.Join(t.TempDir(), "whole")
	dir := filepath.Join(t.TempDir(), "killed")
	start := time.Now()
	if out, err := run(whole, "--jobs", "1").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	took := time.Since(start)
	r := rand.New(rand.NewPCG(1, 1))
	for range kills() {
		c := run(dir, "--jobs", "2")
		expect.NoError(t, c.Start())
		time.Sleep(time.Duration(r.Float64() * 2 / float64(kills()) * float64(took)))
		c.Process.Kill() // an error says that it has ended by itself
		c.Wait()
	}
	if out, err := run(dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	sameFiles(t, whole, dir)
}
