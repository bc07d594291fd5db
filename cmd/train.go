package cmd

import (
	"cmp"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"sml/trainers"
)

func trainCommand() *cli.Command {
	flags := slices.Concat(dataFlags(), []cli.Flag{
		&cli.StringFlag{Name: "method", Value: "sml", Usage: "train this `METHOD` (see \"sml methods\")"},
		setFlag(),
	}, settingFlags("network"), settingFlags("training"), []cli.Flag{
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of all randomness, a `NUMBER`: split, initial weights, shuffling, dropout masks"},
	}, splitFlags(), settingFlags("calibration"), settingFlags("prediction"), []cli.Flag{
		protocolFlag("", "paper for the paper's data sets, otherwise sound"),
		&cli.StringFlag{Name: "init-from", Usage: "start from the weights and scale of `MODEL`, without its calibration"},
		&cli.StringFlag{Name: "out", Usage: "write the model to the new directory `DIR`"},
		&cli.BoolFlag{Name: "force", Usage: "replace the model in --out, or its interrupted training"},
		trackFlag(),
		&cli.BoolFlag{Name: "resume", Usage: "continue the interrupted training of --out with the settings that it began with"},
		measuresFlag(),
		engineFlag(),
		&cli.IntFlag{Name: "threads", Usage: "train one large network on this `NUMBER` of cores; the result is the same", DefaultText: "all cores, divided among the networks that train at the same time"},
		jsonFlag(), quietFlag(),
	})
	return &cli.Command{
		Name:      "train",
		Usage:     "train a model on a table",
		UsageText: "sml train --data NAME|FILE|- --method METHOD --out DIR [options]",
		Flags:     flags,
		Action:    noArgumentAction(train),
	}
}

func train(c *cli.Context) error {
	if err := checkRange(c, "threads", trainers.ThreadsRange); err != nil {
		return err
	}
	out, err := modelOut(c)
	if err != nil {
		return err
	}
	started := time.Now()
	if err := checkTrack(c); err != nil {
		return err
	}
	release, err := claim(c, out, out+lockSuffix)
	if err != nil {
		return err
	}
	defer release()
	run := trainFromFlags
	if c.Bool("resume") {
		run = resumeTraining
	}
	result, err := run(c, out)
	if err != nil {
		return err
	}
	printErr := printResult(c, result.trainReport, result.print)
	return cmp.Or(track(c, out, started), printErr) // tracked even if nobody reads the result
}
