package cmd

import (
	"regexp"
	"slices"
	"testing"

	"github.com/urfave/cli/v2"

	"sml/data/fetch"
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
