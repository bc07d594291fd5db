package cmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

// listing is a command that lists registered things. list returns them as text and as a
// value that is printed as JSON.
func listing(name, usage, description string, list func(*cli.Context) (text string, asJSON any), flags ...cli.Flag) *cli.Command {
	return &cli.Command{
		Name:        name,
		Usage:       usage,
		Description: description,
		Flags:       append(flags, jsonFlag()),
		Action: withoutArguments(func(c *cli.Context) error {
			text, asJSON := list(c)
			return printResult(c, asJSON, func(w io.Writer) error {
				_, err := fmt.Fprintln(w, text)
				return err
			})
		}),
	}
}

// joined returns choices with commas between them.
func joined[T ~string](choices []T) string {
	words := make([]string, len(choices))
	for i, c := range choices {
		words[i] = string(c)
	}
	return strings.Join(words, ", ")
}
