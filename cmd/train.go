package cmd

import (
	"cmp"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"sml/evaluation/experiment"
	"sml/trainers"
)

// trainCommand returns the command "sml train".
func trainCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "train",
		Usage:     "train a model on a table",
		UsageText: "sml train --data NAME|FILE|- --out DIR [--method METHOD] [options]",
		Action:    fileArgumentAction("data", nil, func(c *cli.Context, _ []string) error { return train(c) }),
	}, []string{
		"sml train --data houses.csv --target price --split random --out model",
		"sml train --data friedman --method pu-de --hidden 20 --epochs 50 --calibrate 0.2 --out other-model",
	}, mostUsedFirst(trainOptionGroups(), "data", "target", "method", "split", "test-fraction", "group", "time", "out", "drop", "na", "categorical", "hidden", "set", "epochs", "lr", "members", "calibrate", "seed", "resume", "force", "json")...)
}

// methodFlag returns the flag --method, whose default depends on the table.
func methodFlag() cli.Flag {
	const anyTable = ""
	const anyRows = 0 // the method of a recipe does not depend on the number of rows
	return &cli.StringFlag{
		Name:        "method",
		Usage:       "train this `METHOD` (see \"sml methods\")",
		DefaultText: experiment.RecipeFor(anyTable, anyRows).Method + ", or quantiles where they predict a table better; sml for the paper's data sets",
	}
}

// trainOptionGroups returns the options of train by purpose.
func trainOptionGroups() []optionGroup {
	return []optionGroup{
		{"Data", dataFlags()},
		{"Network", slices.Concat([]cli.Flag{
			methodFlag(),
			setFlag(),
		}, settingFlags("network"))},
		{"Training", slices.Concat(settingFlags("training"), []cli.Flag{
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "draw split, initial weights, batches and dropout masks from the seed `NUMBER`"},
			protocolFlag("train by `PROTOCOL`", "paper for the paper's data sets, otherwise sound"),
			&cli.StringFlag{Name: "init-from", Usage: "start from the weights and scale of `MODEL`, without its calibration"},
			&cli.BoolFlag{Name: "resume", Usage: "continue the interrupted training of --out with the settings that it began with"},
			engineFlag(),
			inRange(&cli.IntFlag{Name: "threads", Usage: "train one large network on this `NUMBER` of cores; the result is the same", DefaultText: "all cores, divided among the networks that train at the same time"}, trainers.ThreadsRange),
		})},
		{"Split", splitFlags()},
		{"Calibration", settingFlags("calibration")},
		{"Output", slices.Concat(settingFlags("prediction"), []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "write the model to the new directory `DIR`"},
			readChanged(&cli.BoolFlag{Name: "force", Usage: "replace the model in --out, or its interrupted training"}),
			measuresFlag(summaryMeasures),
			trackFlag(),
			jsonFlag(), quietFlag(),
		})},
	}
}

// train trains a model, or resumes its training, saves it in the directory --out, and prints its scores.
func train(c *cli.Context) error {
	out, err := modelOut(c)
	if err != nil {
		return err
	}
	started := time.Now() // for the run of --track
	if err := checkTrack(c); err != nil {
		return err
	}
	result, err := trainInto(c, out, func() (*training, error) {
		if c.Bool("resume") {
			return resumeTraining(c, out)
		}
		return planTraining(c)
	})
	if err != nil {
		return err
	}
	printErr := printResult(c, result, result.print)
	trackErr := track(c, out, started) // also if nobody reads the result
	return cmp.Or(trackErr, printErr)
}
