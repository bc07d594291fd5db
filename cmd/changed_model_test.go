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

	"sml/internal/expect"
)

// runProgram runs the program and returns its exit code and its standard error.
func runProgram(args ...string) (code int, errors string) {
	var errOut strings.Builder
	code = Run(context.Background(), append([]string{"sml"}, args...), strings.NewReader(""), &bytes.Buffer{}, &errOut)
	return code, errOut.String()
}

// Every command that reads a model refuses files that were changed since they were written, and writes nothing. Where a
// command has --force, it reads them anyway and says so.
func TestChangedModelIsRefused(t *testing.T) {
	skipIfShort(t)
	dir := t.TempDir()
	rows, model, out := filepath.Join(dir, "rows.csv"), filepath.Join(dir, "m"), filepath.Join(dir, "out.svg")
	lines := "a,y\n"
	for i := range 80 {
		lines += fmt.Sprintf("%d,%d\n", i, i*i%17)
	}
	writeFile(t, rows, lines)
	runSML(t, nil, "train", "--data", rows, "--method", "mc", "--epochs", "1", "--hidden", "4", "--split", "random", "--calibrate", "0.5", "--calibrate-coverage", "0.5", "--out", model)
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
		content := readFile(t, path)
		damaged := append(bytes.Clone(content), '\n')
		if name == "weights.safetensors" {
			damaged = bytes.Clone(content)
			damaged[len(damaged)-4] ^= 1 // lowest bit of the last weight
		}
		expect.NoError(t, os.WriteFile(path, damaged, 0o666))
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
		expect.NoError(t, os.WriteFile(path, content, 0o666))
	}
	// A changed model that cannot predict is an error, with --force too.
	description := filepath.Join(model, "model.json")
	content := readFile(t, description)
	withoutGroups := regexp.MustCompile(`(?s)"groups": \[.*\],(\s*"stds")`).ReplaceAll(content, []byte(`"groups": [],$1`))
	expect.NoError(t, os.WriteFile(description, withoutGroups, 0o666))
	if code, said := runProgram("predict", model, "--in", rows, "--force"); code != exitFailed || !strings.Contains(said, "the changed model in "+model+" cannot be used") {
		t.Errorf("exit code %d, %q", code, said)
	}
}
