package cmd

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"
)

// listCommand returns a command that lists registered things. list returns them as text, and as a
// value for --json.
func listCommand(name, usage, description string, list func(*cli.Context) (text string, asJSON any), flags ...cli.Flag) *cli.Command {
	return &cli.Command{
		Name:        name,
		Usage:       usage,
		Description: description,
		Flags:       append(flags, jsonFlag()),
		Action: noArgumentAction(func(c *cli.Context) error {
			text, asJSON := list(c)
			return printResult(c, asJSON, func(w io.Writer) error {
				_, err := fmt.Fprintln(w, text)
				return err
			})
		}),
	}
}
