package cmd

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sml/internal/safefile"
)

// runProgram runs the program and returns its exit code and its standard error.
func runProgram(args ...string) (code int, errors string) {
	var errOut strings.Builder
	code = Run(context.Background(), append([]string{"sml"}, args...), strings.NewReader(""), &bytes.Buffer{}, &errOut)
	return code, errOut.String()
}

// Without a manifest, commands refuse a model.json that no training can have written. The
// exit code means a failure, not wrong usage.
func TestEditedModelIsRefused(t *testing.T) {
	dir := t.TempDir()
	rows, model := filepath.Join(dir, "rows.csv"), filepath.Join(dir, "m")
	lines := "a,colour,y\n"
	for i := range 60 {
		lines += fmt.Sprintf("%d,%s,%d\n", i, []string{"red", "green"}[i%2], i*i%17)
	}
	if err := os.WriteFile(rows, []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, text := runProgram("train", "--data", rows, "--epochs", "1", "--hidden", "4", "--calibrate", "0.5", "--calibrate-by", "colour", "--calibrate-mean-groups", "2", "--calibrate-coverage", "0.5", "--out", model); code != exitDone {
		t.Fatal(text)
	}
	description := filepath.Join(model, "model.json")
	text, err := os.ReadFile(description)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(model, safefile.ManifestFile)); err != nil {
		t.Fatal(err)
	}
	every := []string{"predict", "evaluate", "calibrate", "export"}
	commands := map[string][]string{
		"predict":   {"predict", model, "--in", rows, "--coverage", "0.5"},
		"evaluate":  {"evaluate", model},
		"calibrate": {"calibrate", model, "--data", rows},
		"export":    {"export", model, "--coverage", "0.5", "--out", filepath.Join(dir, "m.onnx")},
	}
	for name, c := range map[string]struct {
		old, new string // a regular expression, and what replaces it
		want     string
		commands []string
	}{
		"unknown field of data":      {`"data": {`, `"data": {"colour": 1,`, `model.json: data: line 1: unknown key "colour"`, every},
		"unknown field of training":  {`"training": {`, `"training": {"colour": 1,`, `model.json: training: line 1: unknown key "colour"`, every},
		"unknown field of scores":    {`  "versions": \{`, `"scores": {"colour": 1}, "versions": {`, `model.json: scores: line 1: unknown key "colour"`, every},
		"field of data twice":        {`"sha256": `, `"rows": 60, "sha256": `, `key "rows" is repeated`, every},
		"target named like an input": {`("targets": \[\s*\{\s*"name": )"y"`, `$1"a"`, `model.json: a target and an input are both named "a"`, every},
		"infinite edge":              {`("edges": \[\s*)[^\]]*`, `${1}1e999`, `an element of key "edges" is 1e999; want a number`, every},
		"no edge":                    {`("edges": \[)[^\]]*`, `${1}`, `model.json: calibration: it has 2 groups by the predicted mean and 0 edges between them; want 1 to 2 groups, and one edge fewer`, every},
		"no rows of a group":         {`("value": "red",\s*"rows": )\d+`, `${1}0`, `model.json: calibration: its group 2 has 0 rows; want 2 to 30`, []string{"predict", "evaluate"}},
	} {
		edited := regexp.MustCompile(c.old).ReplaceAllString(string(text), c.new)
		if edited == string(text) {
			t.Fatalf("%s: there is nothing to edit in\n%s", name, text)
		}
		if err := os.WriteFile(description, []byte(edited), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, command := range c.commands {
			if code, said := runProgram(commands[command]...); code != exitFailed || !strings.Contains(said, c.want) {
				t.Errorf("%s: %s: exit code %d, want %d; %q does not say %q", name, command, code, exitFailed, said, c.want)
			}
		}
	}
}

// Every command that reads a model refuses files that were changed since they were written, and writes nothing. Where a
// command has --force, it reads them anyway and says so.
func TestChangedModelIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	dir := t.TempDir()
	rows, model, out := filepath.Join(dir, "rows.csv"), filepath.Join(dir, "m"), filepath.Join(dir, "out.svg")
	lines := "a,y\n"
	for i := range 80 {
		lines += fmt.Sprintf("%d,%d\n", i, i*i%17)
	}
	if err := os.WriteFile(rows, []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, text := runProgram("train", "--data", rows, "--method", "mc", "--epochs", "1", "--hidden", "4", "--split", "random", "--calibrate", "0.5", "--calibrate-coverage", "0.5", "--out", model); code != exitDone {
		t.Fatal(text)
	}
	commands := [][]string{
		{"predict", model, "--in", rows, "--out", out},
		{"evaluate", model},
		{"export", model, "--coverage", "0.5", "--onnx", out},
		{"plot", model, "--out", out},
		{"explain", model, "--out", out},
		{"posthoc", model, "--kind", "laplace-ll", "--out", out},
		{"compare", model, "--data", rows},
		{"train", "--data", rows, "--method", "mc", "--epochs", "1", "--hidden", "4", "--init-from", model, "--out", out},
		{"calibrate", model},
	}
	for name, refusers := range map[string]string{
		"model.json":          "predict evaluate export plot explain posthoc compare train calibrate",
		"weights.safetensors": "predict evaluate export plot explain posthoc compare train calibrate",
		"history.csv":         "calibrate plot",
		"training_rows.bin":   "calibrate",
	} {
		path := filepath.Join(model, name)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		damaged := append(bytes.Clone(content), '\n')
		if name == "weights.safetensors" {
			damaged = bytes.Clone(content)
			damaged[len(damaged)-4] ^= 1 // lowest bit of the last weight
		}
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, command := range commands {
			if !strings.Contains(refusers, command[0]) {
				continue
			}
			code, said := runProgram(command...)
			if want := path + " has been changed since it was written"; code != exitFailed || !strings.Contains(said, want) {
				t.Errorf("%s: exit code %d, want %d; %q does not say %q", command[0], code, exitFailed, said, want)
			}
			if fileExists(out) {
				t.Fatalf("%s wrote its output", command[0])
			}
			canForce := command[0] != "calibrate" && name != "history.csv"
			if canForce != strings.Contains(said, "--force reads it anyway") {
				t.Errorf("%s: %q offers --force: %v", command[0], said, !canForce)
			}
			if !canForce || name == "model.json" { // one file that can be read is enough
				continue
			}
			code, said = runProgram(append(command, "--force")...)
			if !strings.Contains(said, path+" has been changed since it was written: it is read as it is") || code != exitDone {
				t.Errorf("%s --force: exit code %d, %q", command[0], code, said)
			}
			os.RemoveAll(out)
		}
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
