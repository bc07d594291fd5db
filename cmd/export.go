package cmd

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/data/safefile"
	"sml/evaluation/export"
	"sml/models"
)

func exportCommand() *cli.Command {
	return &cli.Command{
		Name:      "export",
		Usage:     "write a model for other runtimes, as ONNX",
		UsageText: "sml export MODEL --onnx FILE [options]",
		Description: "The file has the columns of the table as inputs, and what predict writes of each row as outputs, in the\n" +
			"target's unit: preparation, scales, networks and all of the method are inside. Sub-networks are drawn by the\n" +
			"file itself; with --masks given their masks are inputs, and with --masks none the full network stands for\n" +
			"them and there is a mean alone. docs/export.md has Python that runs it.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "onnx", Aliases: []string{"out"}, Usage: "write to `FILE`"},
			forceFlagFor("onnx"),
			&cli.StringFlag{Name: "masks", Value: string(export.Drawn), Usage: "`WHERE` the masks of sub-networks come from: drawn, given, none"},
			samplesFlag(),
			&cli.Uint64Flag{Name: "seed", Usage: "`NUMBER` that what is drawn follows from"},
			&cli.Float64Flag{Name: "coverage", Usage: "`PROBABILITY` of the interval from lower to upper", DefaultText: "0.95, of quantiles the widest"},
			rawFlag(),
			&cli.BoolFlag{Name: "network", Usage: "what the networks say, standardised, in place of predictions"},
		},
		Action: on("the model's directory", exportModel),
	}
}

func exportModel(c *cli.Context, dir string) error {
	known := []string{string(export.Drawn), string(export.Given), string(export.None)}
	o := export.Options{
		Masks: export.Masks(c.String("masks")), Samples: c.Int("samples"), Seed: c.Uint64("seed"),
		Coverage: c.Float64("coverage"), Network: c.Bool("network"), Raw: c.Bool("raw"), Version: version().SML,
	}
	switch in := models.Limits.Samples; {
	case c.String("onnx") == "":
		return usage("--onnx is missing: name the file to write")
	case !slices.Contains(known, c.String("masks")):
		return usage("--masks %q: there is %s", c.String("masks"), strings.Join(known, ", "))
	case !in.Has(float64(o.Samples)):
		return usage("--samples %d: a spread needs at least 2 sub-networks: want %v", o.Samples, in)
	case c.IsSet("coverage") && !(o.Coverage > 0 && o.Coverage <= maxCoverage):
		return usage("--coverage %v: want more than 0, and at most %v", o.Coverage, maxCoverage)
	}
	if err := placeAs(c, "onnx"); err != nil {
		return err
	}
	m, err := loadModel(c, dir)
	if err != nil {
		return err
	}
	method, err := models.Lookup(m.Method)
	if err != nil {
		return err
	}
	for _, name := range []string{"masks", "samples", "seed"} {
		switch {
		case !c.IsSet(name):
		case !method.Stochastic:
			return usage("--%s: method %s has no sub-networks", name, m.Method)
		case name != "masks" && o.Masks != export.Drawn:
			return usage("--%s goes with --masks drawn: others are as many as masks are given, or none", name)
		}
	}
	content, err := export.ONNX(m, o)
	if err != nil {
		return err
	}
	return writeAs(c, "onnx", safefile.Content(content))
}
