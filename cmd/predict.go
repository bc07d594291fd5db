package cmd

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/rowio"
	"sml/data/read"
	"sml/data/write"
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/evaluation/experiment"
)

// predictCommand returns the command "sml predict".
func predictCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "predict",
		Usage:     "predict mean and standard deviation for new rows",
		UsageText: "sml predict MODEL FILE|- [--out FILE] [options]",
		Description: "--in has the model's input columns; other columns are ignored. The result has one line for each row, in the\n" +
			"same order, with the columns of --keep and these predictions, in the target's unit:\n\n" +
			"mean, median, std  mean, median and standard deviation\n" +
			"dropout_std        standard deviation of the sub-networks' predictions\n" +
			"dropout_offset     distance between their mean and the full network's prediction\n" +
			"lower, upper       interval of --coverage, between two quantiles of the predicted distribution\n" +
			"q0.05, …           quantiles, if the method predicts them, or those of --quantiles\n" +
			"p0, …              probabilities of classes, if the method predicts classes\n\n" +
			"The predicted distribution is the calibrated one, or the normal distribution without a calibration or with\n" +
			"--uncalibrated. A method that predicts quantiles has an interval only between two of them, at the levels p\n" +
			"and 1 - p. Several targets have columns such as TARGET_mean. A prediction that the method does not make is\n" +
			"empty, and absent from JSON.",
		Action: modelFileAction("in", predict),
	}, []string{
		"sml predict model --in new.csv --out predictions.csv",
		"sml predict model --in new.csv --keep id --coverage 0.9 --format jsonl",
	}, mostUsedFirst(predictOptionGroups(), "in", "out", "keep", "coverage", "quantiles", "format")...)
}

// predictOptionGroups returns the options of predict by purpose.
func predictOptionGroups() []optionGroup {
	return []optionGroup{
		{"Data", []cli.Flag{
			&cli.StringFlag{Name: "in", Aliases: []string{"data"}, Usage: "read rows from `FILE`, of any format that train reads; \"-\" for standard input"},
			headerFlag("--in"),
			keepFlag("--in"),
			choiceFlag("on-error", "handle a row that cannot be predicted by `fail|skip|null`: end the program, leave the row out, or leave its predictions empty and write the reason into the column error",
				rowio.Fail, rowio.Skip, rowio.Null),
		}},
		{"Predictions", []cli.Flag{
			&cli.Float64Flag{Name: "coverage", Value: calibrate.DefaultCoverage, Usage: "write an interval from lower to upper that contains the target with this `PROBABILITY` (for quantiles at most the distance between the outermost levels)"},
			&cli.StringFlag{Name: "quantiles", Usage: "write the quantiles at these `LEVELS`, such as 0.05,0.5,0.95", DefaultText: "those that the method predicts"},
			&cli.BoolFlag{Name: "ood", Usage: "write the columns std_percentile, the fraction of the calibration rows with a smaller standard deviation, and outside, the inputs of a row that lie outside the range of the training rows"},
			shiftFlag(), followFlag(),
			uncalibratedFlag(), samplesFlag(), momentsFlag(), samplingSeedFlag(), engineFlag(),
		}},
		{"Output", []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "write to `FILE`, compressed if its name ends in .gz (default: standard output)"},
			readChanged(forceFlag("out")),
			&cli.StringFlag{Name: "format", Usage: "write the result as `FORMAT`: " + joinChoices(write.Formats()), DefaultText: "by the ending of --out, or csv"},
			precisionFlag(),
			quietFlag(),
		}},
	}
}

// predict predicts the rows of --in with the model in dir and writes the predictions to --out. It checks the flags
// before it opens the rows, which may come from a slow program.
func predict(c *cli.Context, dir string) error {
	options, err := predictionOptions(c)
	if err != nil {
		return err
	}
	m, sampling, err := openToSample(c, dir)
	if err != nil {
		return err
	}
	if state := c.String("follow"); state != "" { // two processes would begin with the same state, and one result would be lost
		release, err := lockOutput(c, "follow", state, state+lockSuffix)
		if err != nil {
			return err
		}
		defer release()
	}
	p, err := newPrediction(c, dir, m)
	if err != nil {
		return err
	}
	defer p.Rows.Close()
	noteHeader(c, p.Rows.Note)
	noteLines(c, p.Rows.Remarks())
	err = flagFile(c, "out").write(c, func(w io.Writer) error {
		writer, err := p.NewWriter(w, options)
		if err != nil {
			return err
		}
		return runPrediction(c, p, sampling, writer)
	})
	if err != nil {
		return err
	}
	return saveFollowing(c, p.Following) // after the predictions: if these fail, the same command can be repeated
}

// predictionOptions returns how predictions are written. It returns a usage error if --in is missing, a flag has an invalid
// value, or flags exclude each other, and another error if --out cannot be written.
func predictionOptions(c *cli.Context) (rowio.PredictionOptions, error) {
	options := rowio.PredictionOptions{
		Format:  c.String("format"),
		Digits:  c.Int("precision"),
		OnError: c.String("on-error"),
	}
	if options.Format == "" {
		options.Format = write.FormatOf(c.String("out"))
	}
	if c.String("in") == "" {
		return options, usageErrorf("--in is missing: name a file, or - for standard input")
	}
	err := cmp.Or(
		checkCoverage(c, "coverage"),
		checkChoice("format", options.Format, write.Formats()...),
		checkCorrections(c),
	)
	if err != nil {
		return options, err
	}
	return options, flagFile(c, "out").check(c)
}

// runPrediction predicts the rows of p, block by block, writes them to writer, and closes writer. It prints the
// values that the model does not know, also if a row cannot be predicted: they may be the reason.
func runPrediction(c *cli.Context, p *rowio.Prediction, s evaluation.Sampling, writer *rowio.PredictionWriter) error {
	view := newProgress(c, "predicting")
	err := p.Run(c.Context, s, writer, view)
	view.End()
	noteLines(c, p.Rows.SkippedRemarks())
	noteUnknownGroups(c, p.Model.Calibration, p.UnknownGroups)
	noteUnknown(c, p.Model.Preparation, p.Encoder)
	if err != nil {
		return err
	}
	return writer.Close(c.App.ErrWriter)
}

// newPrediction opens --in and returns the prediction of its rows that the flags ask for. With --uncalibrated it
// removes the calibration of the model, which is in dir. The caller closes Rows of the prediction.
func newPrediction(c *cli.Context, dir string, m *experiment.Model) (*rowio.Prediction, error) {
	if c.Bool("uncalibrated") {
		m.Calibration = nil
	}
	converter, err := chosenConverter(c, m)
	if err != nil {
		return nil, err
	}
	p := &rowio.Prediction{Model: m, Form: rowio.Form{Converter: converter}}
	p.Shifted, err = shiftCalibration(c, dir, m, converter)
	if err != nil {
		return nil, err
	}
	p.Following, err = newFollowing(c, m, converter)
	if err != nil {
		return nil, err
	}
	columns := inputColumns(m, c.String("header"))
	if err := addKept(c, &columns); err != nil {
		return nil, err
	}
	if m.Calibration != nil && m.Calibration.GroupColumn != "" { // the calibration needs the row's group
		columns.Keep = append(columns.Keep, m.Calibration.GroupColumn)
	}
	if p.Following != nil {
		columns.Keep = append(columns.Keep, m.Targets.Names()...)
	}
	if c.Bool("ood") {
		if err := markOutside(c, p, &columns); err != nil {
			return nil, err
		}
	}
	p.Rows, err = openRows(c, c.String("in"), columns)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// chosenConverter returns the converter of predictions into the outputs that --quantiles and --coverage choose.
// It returns a usage error if the model's predictions do not have these outputs.
func chosenConverter(c *cli.Context, m *experiment.Model) (*experiment.Converter, error) {
	levels, err := chosenLevels(c)
	if err != nil {
		return nil, err
	}
	outputs := experiment.Outputs{Quantiles: levels}
	if c.IsSet("coverage") {
		outputs.Coverage = c.Float64("coverage")
	}
	converter, err := m.NewConverter(outputs)
	if err == nil {
		err = converter.CheckCalibration()
	}
	if err != nil {
		return nil, usageError{err}
	}
	return converter, nil
}

// chosenLevels returns the levels of --quantiles in the order of the flag, nil without the flag. It returns
// a usage error if a level is repeated, or lies outside the interval of the largest --coverage.
func chosenLevels(c *cli.Context) (levels []float64, err error) {
	if !c.IsSet("quantiles") {
		return nil, nil
	}
	// The quantiles at these levels are the limits of the central interval with the widest coverage.
	const lowest = (1 - maxCoverage) / 2
	const highest = 1 - lowest
	for _, text := range strings.Split(c.String("quantiles"), ",") {
		level, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		isInRange := level >= lowest && level <= highest // false for NaN
		if err != nil || !isInRange {
			return nil, usageErrorf("--quantiles %s: %q is no level; want numbers from %.1g to %v with commas between them, such as 0.05,0.5,0.95", c.String("quantiles"), text, lowest, highest)
		}
		if slices.Contains(levels, level) {
			return nil, usageErrorf("--quantiles %s: %v is there twice", c.String("quantiles"), level)
		}
		levels = append(levels, level)
	}
	return levels, nil
}

// markOutside adds the columns of --ood (out of distribution) to a prediction: the inputs outside the values of the
// training rows, and the rank of the standard deviation among the calibration rows. It changes
// columns.Fields, so that reading tells a category that no training row had from a missing value. If there is no
// rank, it prints why.
func markOutside(c *cli.Context, p *rowio.Prediction, columns *read.Options) error {
	ranges, err := p.Model.InputRanges()
	if err != nil {
		return fmt.Errorf("--ood: %w", err)
	}
	columns.Fields = experiment.WithCategories(columns.Fields, ranges)
	p.Outside = &rowio.OutsideCheck{Names: columns.Inputs, Fields: columns.Fields, Ranges: ranges}
	calibration := p.Model.Calibration
	if calibration != nil && calibration.Stds != nil {
		p.Form.Percentile = calibration.Percentile
		return nil
	}
	note(c, "no std_percentile: %s", missingRankReason(p.Model))
	return nil
}

// missingRankReason says why a model cannot rank a standard deviation among the standard deviations of its calibration
// rows.
func missingRankReason(m *experiment.Model) string {
	isSavedCalibrated := m.Model.Calibration != nil // --uncalibrated removes only m.Calibration
	switch {
	case m.Calibration != nil:
		return "the method's predictions have no standard deviation"
	case isSavedCalibrated:
		return "the standard deviations of the calibration rows are calibrated, and --uncalibrated leaves that out"
	}
	return "the model is not calibrated; sml calibrate does it, and train --calibrate"
}
