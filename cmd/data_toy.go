package cmd

import (
	"io"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/read"
	"sml/data/write"
)

// toyCommand returns the command "sml data toy".
func toyCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "toy",
		Usage:     "write a toy data set as CSV",
		UsageText: "sml data toy NAME [--seed N] [--out FILE]",
		Action:    argumentAction("the name of a toy set (see \"sml data list\")", toyData),
	}, []string{
		"sml data toy friedman --out friedman.csv",
	}, optionGroup{flags: []cli.Flag{
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "draw the noise from the seed `NUMBER`"},
		&cli.StringFlag{Name: "out", Usage: "write to `FILE` (default: standard output)"},
		forceFlag("out"),
	}})
}

// toyData writes the toy set with a name as CSV to the file of --out or standard output. A toy set is
// a data set that a function makes; toyData returns a usage error for a data set that has a file.
func toyData(c *cli.Context, name string) error {
	d, err := data.Lookup(name)
	switch {
	case err != nil:
		return usageError{err}
	case d.Make == nil:
		return usageErrorf("%s is no toy set: it is read from a file, as \"sml data list\" shows", d.Name)
	}
	if err := flagFile(c, "out").check(c); err != nil {
		return err
	}
	t, err := read.Dataset(c.Context, d.Name, "", data.Sound, c.Uint64("seed"), read.Options{})
	if err != nil {
		return err
	}
	return flagFile(c, "out").write(c, func(w io.Writer) error { return write.Table(c.Context, w, t, write.CSV) })
}
