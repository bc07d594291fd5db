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
	"sml/evaluation/experiment"
)

func predictCommand() *cli.Command {
	return &cli.Command{
		Name:      "predict",
		Usage:     "predict mean and standard deviation for new rows",
		UsageText: "sml predict MODEL --in FILE|- [--out FILE] [options]",
		Description: "Rows have the model's input columns; other columns are ignored. For each row the result has the columns\n" +
			"of --keep, and mean, std, std_drop (spread of the sub-networks), offset (of their mean from the full network),\n" +
			"lower and upper (the interval of --coverage), in the target's unit. Lines are in the order of the rows. With\n" +
			"several targets the columns are TARGET_mean and so on.\n" +
			"The interval is between two quantiles of the predicted distribution: of a calibrated model the distribution\n" +
			"that the calibration found, of others and with --raw the normal distribution with that mean and std. If the\n" +
			"method predicts quantiles, q0.05 and so on, they stand behind mean, and the interval is between two of them;\n" +
			"without two at levels p and 1 - p there is no lower and upper. Behind mean stand probabilities of classes, p0\n" +
			"and so on, if the method predicts classes. --quantiles asks for other quantiles. What a method does not give is\n" +
			"empty, and absent from JSON. --ood adds outside: columns with values that no training row had.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "in", Usage: "read rows from `FILE`, of any format that train reads; \"-\" for standard input"},
			headerFlag("--in"),
			keepFlag("--in"),
			choiceFlag("on-error", "`WHAT` to do with a row that cannot be predicted: fail (end the program), skip (leave the row out) or null (leave its predictions empty and write the reason into the column error)",
				rowio.Fail, rowio.Skip, rowio.Null),
			&cli.StringFlag{Name: "out", Usage: "write to `FILE` (default: standard output)"},
			forceFlag("out"),
			&cli.StringFlag{Name: "format", Usage: "`FORMAT` of the result: " + joinChoices(rowio.Formats()), DefaultText: "by the ending of --out, or csv"},
			precisionFlag(),
			&cli.Float64Flag{Name: "coverage", Value: 0.95, Usage: "`PROBABILITY` of the interval from lower to upper (if the method predicts quantiles: by default the widest)"},
			&cli.StringFlag{Name: "quantiles", Usage: "`LEVELS` of quantiles to write, such as 0.05,0.5,0.95", DefaultText: "those that the method predicts"},
			&cli.BoolFlag{Name: "ood", Usage: "add a column outside with the inputs of each row that lie outside the values of the training rows"},
			rawFlag(),
			samplesFlag(), samplingSeedFlag(),
			engineFlag(),
			quietFlag(),
		},
		Action: argumentAction("the model's directory", predict),
	}
}

func predict(c *cli.Context, dir string) error {
	format := c.String("format")
	if format == "" {
		format = rowio.FormatOf(c.String("out"))
	}
	if c.String("in") == "" {
		return usage("--in is missing: name a file, or - for standard input")
	}
	if err := cmp.Or(checkCoverage(c, "coverage"), checkChoice("format", format, rowio.Formats()...)); err != nil {
		return err
	}
	if err := checkFileFlag(c, "out"); err != nil {
		return err
	}
	m, sampling, err := openToSample(c, dir)
	if err != nil {
		return err
	}
	p, err := newPrediction(c, m)
	if err != nil {
		return err
	}
	defer p.Rows.Close()
	noteHeader(c, p.Rows.Note)
	return writeFileFlag(c, "out", func(w io.Writer) error {
		writer, err := p.NewWriter(w, rowio.PredictionOptions{Format: format, Digits: c.Int("precision"), OnError: c.String("on-error")})
		if err != nil {
			return err
		}
		view := newProgress(c, "predicting")
		err = p.Run(c.Context, sampling, writer, view)
		view.End()
		noteUnknownGroups(c, m.Calibration, p.UnknownGroups)
		noteUnknown(c, m.Preparation, p.Encoder)
		if err != nil {
			return err
		}
		return writer.Close(c.App.ErrWriter)
	})
}

// newPrediction opens --in and returns the prediction of its rows that the flags ask for.
func newPrediction(c *cli.Context, m *experiment.Model) (*rowio.Prediction, error) {
	if c.Bool("raw") {
		m.Calibration = nil
	}
	form, err := chosenForm(c, m)
	if err != nil {
		return nil, err
	}
	p := &rowio.Prediction{Model: m, Form: rowio.Form{Converter: form}}
	columns := inputColumns(m, c.String("header"))
	if err := addKept(c, &columns); err != nil {
		return nil, err
	}
	if m.Calibration != nil && m.Calibration.By != "" {
		columns.Keep = append(columns.Keep, m.Calibration.By)
	}
	if c.Bool("ood") {
		if err := markOutside(c, p, &columns); err != nil {
			return nil, err
		}
	}
	if p.Rows, err = openRows(c, columns); err != nil {
		return nil, err
	}
	return p, nil
}

// chosenForm returns the form of predictions that --quantiles and --coverage ask for.
func chosenForm(c *cli.Context, m *experiment.Model) (*experiment.Converter, error) {
	levels, err := chosenLevels(c)
	if err != nil {
		return nil, err
	}
	outputs := experiment.Outputs{Quantiles: levels}
	if c.IsSet("coverage") {
		outputs.Coverage = c.Float64("coverage")
	}
	form, err := m.NewConverter(outputs)
	if err == nil {
		err = form.CheckCalibration()
	}
	if err != nil {
		return nil, usageError{err}
	}
	return form, nil
}

// chosenLevels returns the levels of --quantiles, nil without the flag.
func chosenLevels(c *cli.Context) (levels []float64, err error) {
	if !c.IsSet("quantiles") {
		return nil, nil
	}
	const least = (1 - maxCoverage) / 2
	for _, text := range strings.Split(c.String("quantiles"), ",") {
		level, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(level >= least && level <= 1-least) {
			return nil, usage("--quantiles %s: %q is no level; want numbers from %.1g to %v with commas between them, such as 0.05,0.5,0.95", c.String("quantiles"), text, least, 1-least)
		}
		if slices.Contains(levels, level) {
			return nil, usage("--quantiles %s: %v is there twice", c.String("quantiles"), level)
		}
		levels = append(levels, level)
	}
	return levels, nil
}

// markOutside adds the columns of --ood to a prediction: the inputs outside the values of the
// training rows, and the rank of the standard deviation among the calibration rows.
func markOutside(c *cli.Context, p *rowio.Prediction, columns *read.Options) error {
	ranges, err := p.Model.InputRanges()
	if err != nil {
		return fmt.Errorf("--ood: %w", err)
	}
	columns.Fields = experiment.WithCategories(columns.Fields, ranges)
	p.Outside = rowio.NewOutsideCheck(columns.Inputs, columns.Fields, ranges)
	calibration := p.Model.Calibration
	if calibration != nil && calibration.Stds != nil {
		p.Form.Percentile = calibration.Percentile
		return nil
	}
	reason := "the model is not calibrated; sml calibrate does it, and train --calibrate"
	switch {
	case calibration != nil:
		reason = "the method's predictions have no standard deviation"
	case p.Model.Model.Calibration != nil:
		reason = "the standard deviations of the calibration rows are calibrated, and --raw leaves that out"
	}
	note(c, "no std_percentile: %s", reason)
	return nil
}

// openRows opens --in.
func openRows(c *cli.Context, o read.Options) (*read.Stream, error) {
	if c.String("in") == "-" {
		return read.Open(c.Context, c.App.Reader, experiment.StandardInput, o)
	}
	defer announce(c, "reading "+c.String("in"))()
	return read.OpenFile(c.Context, c.String("in"), o)
}
