//go:build unix

package cmd

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"sml/data/fetch"
	"sml/internal/expect"
)

// leafCommands returns the commands that have no subcommands by their names, such as "study plan",
// in the order of the program's help.
func leafCommands(commands []*cli.Command, parent string) (names []string, byName map[string]*cli.Command) {
	byName = make(map[string]*cli.Command)
	for _, c := range commands {
		name := strings.TrimSpace(parent + " " + c.Name)
		if len(c.Subcommands) == 0 {
			names = append(names, name)
			byName[name] = c
			continue
		}
		below, belowByName := leafCommands(c.Subcommands, name)
		names = append(names, below...)
		for name, c := range belowByName {
			byName[name] = c
		}
	}
	return names, byName
}

// helpText returns the help text of a command with all options.
func helpText(t *testing.T, command string) string {
	t.Helper()
	return string(runSML(t, nil, append(strings.Fields(command), "--help", "all")...))
}

// Each visible option of each command stands in its help once, in a group that has a title if any
// group has one.
func TestHelpListsEachOptionOnce(t *testing.T) {
	names, byName := leafCommands(newApp(allCommands(fetch.Fetcher{})).Commands, "")
	for _, name := range names {
		text := helpText(t, name)
		_, options, found := strings.Cut(text, "\nOPTIONS:\n")
		if !found {
			t.Errorf("%s: the help has no options", name)
		}
		for _, f := range byName[name].VisibleFlags() {
			line := regexp.MustCompile(`(?m)^ +--` + regexp.QuoteMeta(f.Names()[0]) + `[ ,]`)
			if n := len(line.FindAllString(options, -1)); n != 1 {
				t.Errorf("%s: the help lists --%s %d times", name, f.Names()[0], n)
			}
		}
		first, _, _ := strings.Cut(options, "\n")
		hasTitles := regexp.MustCompile(`(?m)^   [A-Z].*:$`).MatchString(options)
		if hasTitles && !strings.HasSuffix(first, ":") {
			t.Errorf("%s: the first option %q has no group", name, first)
		}
		if strings.Contains(options, "WHAT") || strings.Contains(options, "WHETHER") {
			t.Errorf("%s: a placeholder is no noun", name)
		}
	}
}

// unrunExamples begin the examples that TestHelpExamples does not run. The values are the reasons.
var unrunExamples = map[string]string{
	"sml data fetch ":                    "downloads from the network; fetch.txtar tests it",
	"sml data import ":                   "needs a downloaded archive; fetch.txtar tests it",
	"sml study submit comparison --cpus": "needs Slurm; submit.txtar tests it",
}

// isUnrun reports whether unrunExamples lists an example.
func isUnrun(example string) bool {
	for prefix := range unrunExamples {
		if strings.HasPrefix(example, prefix) {
			return true
		}
	}
	return false
}

// examplePreparations are the command lines that run before the examples of a command. Other examples
// need only the files of the examples before them.
var examplePreparations = map[string]string{
	"posthoc":       "sml train --data houses.csv --target price --method mc --hidden 8 --epochs 8 --out dropout-model",
	"study collect": "sml study run comparison --shard 2/2 --out part-2",
	"study submit":  "rm -r comparison && sml study plan comparison --data houses.csv --target price --methods mc,sml",
}

// helpExamples returns the examples in the help of a command.
func helpExamples(t *testing.T, command string) []string {
	t.Helper()
	_, text, _ := strings.Cut(helpText(t, command), "\nEXAMPLES:\n")
	text, _, _ = strings.Cut(text, "\n\n")
	var examples []string
	for line := range strings.Lines(text) {
		examples = append(examples, strings.TrimSpace(line))
	}
	if len(examples) == 0 {
		t.Errorf("the help of %s has no example", command)
	}
	return examples
}

// The examples of all help texts run, in the order of the commands, in a directory with the tables
// that they name.
func TestHelpExamples(t *testing.T) {
	skipIfShort(t)
	dir := filepath.Join(t.TempDir(), "work")
	writeExampleTables(t, dir)
	names, _ := leafCommands(newApp(allCommands(fetch.Fetcher{})).Commands, "")
	for _, name := range names {
		if before := examplePreparations[name]; before != "" {
			if out, err := runInShell(dir, before); err != nil {
				t.Fatalf("%s: %v\n%s", before, err, out)
			}
		}
		for _, example := range helpExamples(t, name) {
			if !strings.HasPrefix(example, "sml "+name+" ") && example != "sml "+name {
				t.Errorf("the help of %s has the example %q", name, example)
			}
			if isUnrun(example) {
				continue
			}
			if out, err := runInShell(dir, example); err != nil {
				t.Errorf("%s: %v\n%s", example, err, out)
			}
		}
	}
}

// writeExampleTables writes the files that examples read into a new directory.
func writeExampleTables(t *testing.T, dir string) {
	t.Helper()
	expect.NoError(t, os.Mkdir(dir, 0o777))
	const header = "id,zip,rooms,area"
	houses, rows := header+",price\n", header+"\n"
	for i := range 200 {
		rooms, area := 1+i%5, 40+float64(i*37%91)
		row := fmt.Sprintf("h%d,0%d,%d,%g", i, 1000+i%4, rooms, area)
		rows += row + "\n"
		houses += fmt.Sprintf("%s,%.2f\n", row, 3*area+20*float64(rooms)+5*math.Sin(float64(i)))
	}
	for name, text := range map[string]string{"houses.csv": houses, "later.csv": houses, "new.csv": rows} {
		writeFile(t, filepath.Join(dir, name), text)
	}
}

// runInShell runs a command line in a directory and returns its output.
func runInShell(dir, line string) (output []byte, err error) {
	c := exec.Command("sh", "-c", line)
	c.Dir = dir
	return c.CombinedOutput()
}
