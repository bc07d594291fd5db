package cmd

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"sml/evaluation/measure"
)

func measuresCommand() *cli.Command {
	return &cli.Command{
		Name:  "measures",
		Usage: "list what predictions are judged by, with formulas, units and sources",
		Description: "μ is the mean and σ the standard deviation of a prediction, y its target; r is (μ − y)/σ, in paper\n" +
			"mode (μ − y)/(σ + 1e-10); Φ is the distribution function of N(0, 1).",
		Flags: []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error {
			if _, err := arguments(c); err != nil {
				return err
			}
			if c.Bool("json") {
				return writeJSON(c, measure.All())
			}
			for i, m := range measure.All() {
				if i > 0 {
					fmt.Fprintln(c.App.Writer)
				}
				better := "lower"
				if m.Higher {
					better = "higher"
				}
				fmt.Fprintf(c.App.Writer, "%-8s %s: %s\n         %s\n         unit: %s; %s is better\n", m.Name, m.Title, m.Summary, m.Formula, m.Unit, better)
				if m.Convention != "" {
					fmt.Fprintf(c.App.Writer, "         convention: %s\n", m.Convention)
				}
				fmt.Fprintf(c.App.Writer, "         source: %s\n", m.Source)
			}
			return nil
		},
	}
}
