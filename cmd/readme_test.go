//go:build unix

package cmd

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestReadmeCommands runs the README's commands from top to bottom in an empty folder.
// A reader of the README does the same in a fresh clone: each command must succeed
// without an error message, and git must ignore its outputs.
func TestReadmeCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	dir := t.TempDir()
	for _, line := range readmeCommands(t) {
		c := exec.Command("sh", "-c", strings.TrimPrefix(line, "./"))
		var errOut strings.Builder
		c.Dir, c.Stderr = dir, &errOut
		err := c.Run()
		if err != nil || strings.Contains(errOut.String(), "broken pipe") {
			t.Fatalf("%s: %v\n%s", line, err, errOut.String())
		}
	}
	ignored := ignoredNames(t)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(ignored, e.Name()) {
			t.Errorf("%s is written by a command of the README and is not in .gitignore", e.Name())
		}
	}
	checkTuningImproves(t, filepath.Join(dir, "model"), filepath.Join(dir, "tuned", "model"))
}

// readmeCommands returns the README's calls of ./sml, without those that need the
// network, a downloaded data set or an interrupted training.
func readmeCommands(t *testing.T) []string {
	var commands []string
	for _, found := range regexp.MustCompile(`(?m)^    (\./sml .*)$`).FindAllStringSubmatch(readme(t), -1) {
		if !strings.Contains(found[1], "concrete") && !strings.Contains(found[1], "--resume") {
			commands = append(commands, found[1])
		}
	}
	if len(commands) < 15 {
		t.Fatalf("the README has only %d commands: %q", len(commands), commands)
	}
	return commands
}

// ignoredNames returns the names in the top folder that .gitignore lists.
func ignoredNames(t *testing.T) []string {
	text, err := os.ReadFile(filepath.Join("..", ".gitignore"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(text)) {
		names = append(names, strings.Trim(strings.TrimSpace(line), "/"))
	}
	return names
}

// checkTuningImproves reports an error unless the tuned model has a lower RMSE and a
// lower CRPS on the held-out rows than the trained one, by the numbers in the README.
func checkTuningImproves(t *testing.T, trained, tuned string) {
	before, after := readmeScores(t, trained), readmeScores(t, tuned)
	if !(after.RMSE < before.RMSE && after.CRPS < before.CRPS) {
		t.Errorf("the scores are %+v before the tuning and %+v after it", before, after)
	}
	sentence := fmt.Sprintf("RMSE on the held-out rows above from %.2f to %.2f, and the CRPS from %.2f to %.2f", before.RMSE, after.RMSE, before.CRPS, after.CRPS)
	if !strings.Contains(readme(t), sentence) {
		t.Errorf("the README does not say %q", sentence)
	}
}

// testScores are scores on held-out rows, in the target's unit.
type testScores struct{ RMSE, CRPS float64 }

// readmeScores returns the test scores of the model in dir.
func readmeScores(t *testing.T, dir string) testScores {
	text, err := os.ReadFile(filepath.Join(dir, "model.json"))
	if err != nil {
		t.Fatal(err)
	}
	var model struct {
		Scores struct{ Original testScores }
	}
	if err := json.Unmarshal(text, &model); err != nil {
		t.Fatal(err)
	}
	return model.Scores.Original
}

func readme(t *testing.T) string {
	text, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
