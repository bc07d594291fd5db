package cmd

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"sml/evaluation/measure"
)

func measuresFlag() cli.Flag {
	return &cli.StringFlag{Name: "measures", Usage: "compute these measures (see \"sml measures\"): `NAMES` with commas between them, or all", DefaultText: "all except those on request"}
}

// measuresOf reads the flag of measuresFlag: nil for the usual measures.
func measuresOf(c *cli.Context) ([]string, error) {
	names := list(c.String("measures"))
	if c.IsSet("measures") && len(names) == 0 {
		return nil, usage("--measures names nothing: leave it out for the usual ones")
	}
	if _, err := measure.Named(names); err != nil {
		return nil, usage("--measures: %w", err)
	}
	return names, nil
}

// bestOf says in a word which scores are better than others.
func bestOf(m measure.Measure) string {
	switch {
	case m.Undirected:
		return "neither"
	case m.Nominal != 0:
		return fmt.Sprintf("near %v", m.Nominal)
	case m.Higher:
		return "higher"
	}
	return "lower"
}
