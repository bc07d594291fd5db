package cmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

// listCommand returns a command that lists registered things, such as methods. path is its name with
// the names of its parents, such as "data list". list returns the things as text, and as a value for
// --json.
func listCommand(path, usage string, list func(*cli.Context) (text string, asJSON any), flags ...cli.Flag) *cli.Command {
	words := strings.Fields(path)
	return withHelp(&cli.Command{
		Name:  words[len(words)-1],
		Usage: usage,
		Action: argumentsAction(nil, func(c *cli.Context, _ []string) error {
			text, asJSON := list(c)
			return printResult(c, asJSON, func(w io.Writer) { fmt.Fprintln(w, text) })
		}),
	}, []string{
		"sml " + path,
		"sml " + path + " --json",
	}, optionGroup{flags: append(flags, jsonFlag())})
}
