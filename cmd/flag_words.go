package cmd

import (
	"fmt"

	"github.com/urfave/cli/v2"
)

// flagWords returns the words of a command line that set the flag with a name to each of the values in turn.
func flagWords(name string, values ...string) (words []string) {
	for _, value := range values {
		words = append(words, "--"+name, value)
	}
	return words
}

// chosenWords returns the words that set a flag as the command line does, nil if it does not set the flag.
func chosenWords(c *cli.Context, f cli.Flag) []string {
	name := f.Names()[0]
	if !c.IsSet(name) {
		return nil
	}
	switch f.(type) {
	case *cli.StringSliceFlag:
		return flagWords(name, c.StringSlice(name)...)
	case *cli.BoolFlag:
		if c.Bool(name) {
			return []string{"--" + name}
		}
		return []string{"--" + name + "=false"}
	}
	return flagWords(name, fmt.Sprint(c.Value(name)))
}
