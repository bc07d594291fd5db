package cmd

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNewMethod builds a new project without the network, and uses it as its README says: with
// its test, its check, a training and a prediction.
func TestNewMethod(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	dir := filepath.Join(t.TempDir(), "a project")
	runSML(t, nil, "new", "method", "huber-loss", dir)
	run := func(name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly")
		text, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, text)
		}
		return string(text)
	}
	if list := run("gofmt", "-l", "."); list != "" {
		t.Errorf("gofmt would change %s", list)
	}
	run("go", "vet", ".")
	run("go", "test", ".")
	run("go", "build", ".")
	program := filepath.Join(dir, "huber-loss")
	if text := run(program, "check", "huber-loss"); strings.Contains(text, "✗") {
		t.Error(text)
	}
	run(program, "train", "--data", "friedman", "--method", "huber-loss", "--split", "random", "--epochs", "2", "--quiet", "--out", "model")
	var model struct{ Method string }
	text, err := os.ReadFile(filepath.Join(dir, "model", "model.json"))
	if err == nil {
		err = json.Unmarshal(text, &model)
	}
	if err != nil || model.Method != "huber-loss" {
		t.Errorf("method %q, %v", model.Method, err)
	}
	run(program, "data", "toy", "friedman", "--out", "rows.csv")
	run(program, "predict", "model", "--in", "rows.csv", "--quiet", "--out", "predictions.csv")
	run(program, "new", "method", "other", "other") // a project knows the source of sml too
}
