package cmd

import (
	"cmp"

	"github.com/urfave/cli/v2"

	"sml/evaluation"
	"sml/evaluation/export"
	"sml/internal/safefile"
	"sml/models"
)

// exportCommand returns the command "sml export".
func exportCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "export",
		Usage:     "write a model as an ONNX file for other runtimes",
		UsageText: "sml export MODEL --onnx FILE [options]",
		Description: "The inputs of the file are the columns of the table, and its outputs are the predictions of \"sml predict\"\n" +
			"in the target's unit. The file includes the preparation, the scales, the networks and the method. It draws\n" +
			"the sub-networks itself. With --masks given, the dropout masks are inputs of the file; with --masks none, the\n" +
			"file predicts only the mean, by the full network; with --moments analytic, it needs no sub-networks.\n" +
			"docs/howto/export.md shows how to run it from Python.",
		Action: argumentAction(modelArgument, exportModel),
	}, []string{
		"sml export model --onnx model.onnx",
	}, optionGroup{flags: []cli.Flag{
		&cli.StringFlag{Name: "onnx", Aliases: []string{"out"}, Usage: "write the model to `FILE`"},
		readChanged(forceFlag("onnx")),
		choiceFlag("masks", "draw the dropout masks in the file, take them as inputs, or use only the full network: `drawn|given|none`",
			"drawn", "given", "none"),
		samplesFlag(), momentsFlag(),
		&cli.Uint64Flag{Name: "seed", Usage: "draw the dropout masks from the seed `NUMBER`"},
		&cli.Float64Flag{Name: "coverage", Usage: "write an interval that contains the target with this `PROBABILITY`", DefaultText: "0.9; for quantiles at most the distance between the outermost levels"},
		uncalibratedFlag(),
		&cli.BoolFlag{Name: "network", Usage: "export the standardised outputs of the networks instead of predictions"},
	}})
}

// exportModel writes the model in dir as an ONNX file.
func exportModel(c *cli.Context, dir string) error {
	if c.String("onnx") == "" {
		return usageErrorf("--onnx is missing: name the file to write")
	}
	if err := cmp.Or(checkCoverage(c, "coverage"), flagFile(c, "onnx").check(c)); err != nil {
		return err
	}
	m, err := openModel(c, dir)
	if err != nil {
		return err
	}
	if err := checkMaskFlags(c, m.Method); err != nil {
		return err
	}
	moments, err := checkMoments(c, m)
	if err != nil {
		return err
	}
	content, err := export.ONNX(m, export.Options{
		Masks:        c.String("masks"),
		Moments:      moments,
		Samples:      c.Int("samples"),
		Seed:         c.Uint64("seed"),
		Coverage:     c.Float64("coverage"),
		Network:      c.Bool("network"),
		Uncalibrated: c.Bool("uncalibrated"),
		Version:      version().SML,
	})
	if err != nil {
		return err
	}
	return flagFile(c, "onnx").write(c, safefile.WriteBytes(content))
}

// checkMaskFlags returns a usage error for a flag on dropout masks that the exported file would not use: the method
// draws no sub-networks, there are no masks, or the file does not draw them itself.
func checkMaskFlags(c *cli.Context, methodName string) error {
	method, _ := models.Lookup(methodName) // the model is open, so that its method is known
	drawsMasks := c.String("masks") == "drawn"
	for _, flag := range []string{"masks", "samples", "seed"} {
		if !c.IsSet(flag) {
			continue
		}
		if !method.UsesSubNetworks() {
			return usageErrorf("--%s: method %s has no sub-networks", flag, methodName)
		}
		if flag != "samples" && c.String("moments") != evaluation.MomentNames()[0] { // checkMoments refuses --samples
			return usageErrorf("--%s goes with --moments sampled: %s moments have no masks", flag, c.String("moments"))
		}
		if flag != "masks" && !drawsMasks { // only drawn masks have a number of samples and a seed
			return usageErrorf("--%s goes with --masks drawn: others are as many as masks are given, or none", flag)
		}
	}
	return nil
}
