package cmd

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"sml/data/fetch"
	"sml/internal/expect"
)

// Every flag that names a file or a directory is known as an input or an output, so that no command overwrites an input.
func TestPathFlags(t *testing.T) {
	others := []string{"data-dir", "mount"} // directories in which the program finds or writes files of its own
	isPath := regexp.MustCompile("`(FILE|DIR|MODEL|STATE|PATH)`")
	var check func(commands []*cli.Command)
	check = func(commands []*cli.Command) {
		for _, c := range commands {
			for _, f := range c.Flags {
				name := f.Names()[0]
				if isPath.MatchString(f.(cli.DocGenerationFlag).GetUsage()) && !slices.Contains(slices.Concat(inputFlags, outputFlags, others), name) {
					t.Errorf("--%s of %s is neither an input nor an output", name, c.Name)
				}
			}
			check(c.Subcommands)
		}
	}
	check(allCommands(fetch.Fetcher{}))
}

// A command whose standard output is appended to its input, as by the shell's redirection >>, is refused.
func TestStandardOutputIsInput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table.csv")
	writeFile(t, path, "x,y\n1,2\n2,4\n")
	file := expect.Must(os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0))
	defer file.Close()
	stdout := os.Stdout
	os.Stdout = file
	defer func() { os.Stdout = stdout }()
	for _, args := range [][]string{{"data", "describe", path}, {"train", "--data", path, "--out", path + ".model"}} {
		var errOut bytes.Buffer
		code := Run(context.Background(), append([]string{"sml"}, args...), strings.NewReader(""), file, &errOut)
		if code != exitUsage || !strings.Contains(errOut.String(), "standard output would overwrite the input") {
			t.Errorf("%v ends with %d: %s", args, code, errOut.String())
		}
	}
	if got, _ := os.ReadFile(path); string(got) != "x,y\n1,2\n2,4\n" {
		t.Errorf("the input became %q", got)
	}
}
