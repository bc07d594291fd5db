package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"sml/cmd"
	"sml/internal/expect"
)

func run(t *testing.T, args ...string) string {
	t.Helper()
	var out, errOut strings.Builder
	if code := cmd.Run(context.Background(), append([]string{"sml"}, args...), strings.NewReader(""), &out, &errOut); code != 0 {
		t.Fatalf("sml %s: exit code %d\n%s%s", strings.Join(args, " "), code, out.String(), errOut.String())
	}
	return out.String()
}

// checkScore checks that scores.csv of the report in out has one line that begins with the data set, method, split and
// measure of score, that no fold of the score failed, and that its mean is a finite number below high.
func checkScore(t *testing.T, out, score string, high float64) {
	t.Helper()
	text := expect.Must(os.ReadFile(filepath.Join(out, "scores.csv")))
	if strings.Count(string(text), "\n"+score) != 1 {
		t.Fatalf("want one score %s in\n%s", score, text)
	}
	_, rest, _ := strings.Cut(string(text), "\n"+score)
	line, _, _ := strings.Cut(rest, "\n")
	fields := strings.Split(line, ",") // mean, std, folds, failed
	mean, err := strconv.ParseFloat(fields[0], 64)
	if err != nil || fields[3] != "0" || math.IsInf(mean, 0) || !(mean < high) {
		t.Errorf("%s%s: want a finite mean below %v and no failed fold", score, line, high)
	}
}

// Data sets, splits and measures that a program registers work like the built-in ones: in lists, trainings,
// studies and reports.
func TestRegisteredFromOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	dir := t.TempDir()
	if list := run(t, "data", "list"); !strings.Contains(list, "waves             two waves") {
		t.Errorf("listed are\n%s", list)
	}
	trained := run(t, "train", "--data", "waves", "--split", "blocks", "--fold", "4", "--epochs", "2", "--hidden", "8", "--out", filepath.Join(dir, "m"))
	if !strings.Contains(trained, "trained on 400 of the 500 rows of waves") {
		t.Error(trained)
	}
	study := filepath.Join(dir, "study")
	if plan := run(t, "study", "plan", study, "--datasets", "waves", "--methods", "mc", "--splits", "random,blocks", "--epochs", "2", "--width", "4"); !strings.Contains(plan, "15 cells") {
		t.Errorf("of ten random folds and all five blocks: %s", plan)
	}
	run(t, "study", "run", study, "--quiet")
	if listed := run(t, "measures"); !strings.Contains(listed, "max |μ − y|") {
		t.Errorf("measures are\n%s", listed)
	}
	out := filepath.Join(dir, "report")
	run(t, "study", "report", study, "--out", out, "--quiet")
	checkScore(t, out, "waves,mc,test,worst,", 100)
	for _, split := range []string{"train", "test", "blocks-within", "blocks-beyond"} {
		checkScore(t, out, "waves,mc,"+split+",rmse,", 100)
	}
}

// A setting that a program registers is a flag of trainings, studies and tunings, a key in YAML and JSON, an
// axis of studies and a part of their labels, a dimension of tunings, and a column of "sml runs".
func TestSettingFromOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "study.yaml")
	expect.NoError(t, os.WriteFile(config, []byte("datasets: [waves]\nmethods: [mc, sml depth=3]\nsplits: [random]\nfold: [0]\nepochs: 1\ndepth: [1, 2]\n"), 0o666))
	train := []string{"train", "--data", "waves", "--epochs", "1"}
	run(t, append(train, "--depth", "2", "--out", filepath.Join(dir, "models", "deep"))...)
	run(t, append(train, "--depth", "1", "--out", filepath.Join(dir, "models", "flat"))...)
	run(t, "tune", "--data", "waves", "--method", "sml", "--space", "depth=1..2", "--epochs", "1", "--trials", "2", "--out", filepath.Join(dir, "tuning"))
	run(t, "study", "plan", filepath.Join(dir, "yaml"), "--config", config)
	run(t, "study", "plan", filepath.Join(dir, "flags"), "--datasets", "waves", "--methods", "mc", "--depth", "1,2", "--epochs", "1")
	run(t, "study", "run", filepath.Join(dir, "yaml"), "--quiet")
	for file, want := range map[string]string{
		"models/deep/model.json":       `"hidden": [ 20, 20 ]`,
		"yaml/plan.json":               `"depth": [ "1", "2" ]`,
		"flags/plan.json":              `"depth": [ "1", "2" ]`,
		"yaml/log/*.jsonl":             "mc-depth2--random-0",
		"tuning/trials.csv":            "depth",
		"tuning/rounds/01/log/*.jsonl": "sml-depth",
	} {
		paths, _ := filepath.Glob(filepath.Join(dir, file))
		if len(paths) != 1 {
			t.Fatalf("there are %d files %s", len(paths), file)
		}
		text, err := os.ReadFile(paths[0])
		if err != nil || !strings.Contains(strings.Join(strings.Fields(string(text)), " "), want) {
			t.Errorf("%s has no %s: %v", file, want, err)
		}
	}
	out := filepath.Join(dir, "report")
	report := run(t, "study", "report", filepath.Join(dir, "yaml"), "--out", out, "--quiet")
	checkScore(t, out, "waves,mc depth=1,test,rmse,", 100)
	checkScore(t, out, "waves,sml depth=3,test,rmse,", 100)
	if listed := run(t, "runs", filepath.Join(dir, "models"), "--csv"); !strings.Contains(listed, ",depth,") {
		t.Errorf("runs are\n%s\n%s", listed, report)
	}
	for _, command := range [][]string{{"train"}, {"tune"}, {"study", "plan"}} {
		if help := run(t, append(command, "--help", "all")...); !strings.Contains(help, "--depth NUMBER") {
			t.Errorf("the help of %v is\n%s", command, help)
		}
	}
}
