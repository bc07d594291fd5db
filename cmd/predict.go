package cmd

import (
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/preparation"
	"sml/evaluation"
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
			onErrorFlag(),
			&cli.StringFlag{Name: "out", Usage: "write to `FILE` (default: standard output)"},
			forceFlag(),
			&cli.StringFlag{Name: "format", Usage: "`FORMAT` of the result: csv, jsonl, parquet", DefaultText: "by the ending of --out, or csv"},
			precisionFlag(),
			&cli.Float64Flag{Name: "coverage", Value: 0.95, Usage: "`PROBABILITY` of the interval from lower to upper (if the method predicts quantiles: by default the widest)"},
			quantilesFlag(),
			&cli.BoolFlag{Name: "ood", Usage: "add a column outside with the inputs of each row that lie outside the values of the training rows"},
			rawFlag(),
			samplesFlag(), samplingSeedFlag(),
			engineFlag(),
			quietFlag(),
		},
		Action: onArgument("the model's directory", predict),
	}
}

// maxCoverage is the largest --coverage, 4.9 standard deviations to each side:
// beyond, no tail of a normal distribution says anything of real targets.
const maxCoverage = 0.999999

func predict(c *cli.Context, dir string) error {
	coverage := c.Float64("coverage")
	switch {
	case c.String("in") == "":
		return usage("--in is missing: name a file, or - for standard input")
	case !(coverage > 0 && coverage <= maxCoverage):
		return usage("--coverage %v: want more than 0, and at most %v", coverage, maxCoverage)
	}
	if err := checkFormat(c.String("format")); err != nil {
		return err
	}
	if err := placeFile(c); err != nil {
		return err
	}
	m, sampling, err := modelToSample(c, dir)
	if err != nil {
		return err
	}
	p, err := newPrediction(c, m)
	if err != nil {
		return err
	}
	defer p.rows.Close()
	doubtHeader(c, p.rows.Note)
	format := formatFor(c.String("format"), c.String("out"))
	writer, err := newPredictionWriter(predictionWriter{
		predictionForm: p.form,
		targets:        m.Targets,
		onError:        c.String("on-error"),
		outside:        p.outside != nil,
	}, p.rows.Kept[:p.keptColumns()], format, c.Int("precision"))
	if err != nil {
		return err
	}
	return writeOut(c, func(w io.Writer) error {
		writer.out = w
		if err := predictRows(c, p, sampling, writer); err != nil {
			return interruption(err)
		}
		if err := writer.tell(c.App.ErrWriter); err != nil {
			return err
		}
		return writer.close()
	})
}

// newPrediction opens --in and says what to predict of its rows, by the flags of predict.
func newPrediction(c *cli.Context, m *experiment.Model) (*prediction, error) {
	if c.Bool("raw") {
		m.Calibration = nil
	}
	p := &prediction{model: m}
	var err error
	if p.form, err = newPredictionForm(c, m); err != nil {
		return nil, err
	}
	columns := inputColumns(m, c.String("header"))
	if err := keepFrom(c, &columns); err != nil {
		return nil, err
	}
	if m.Calibration != nil && m.Calibration.By != "" {
		columns.Keep = append(columns.Keep, m.Calibration.By)
	}
	if c.Bool("ood") {
		ranges, err := m.InputRanges()
		if err != nil {
			return nil, fmt.Errorf("--ood: %w", err)
		}
		columns.Fields = experiment.WithLevels(columns.Fields, ranges)
		p.outside = newOutsideCheck(columns.Inputs, columns.Fields, ranges)
		if m.Calibration != nil && m.Calibration.Stds != nil {
			p.form.percentile = m.Calibration.Percentile
		} else {
			note(c, "no std_percentile: %s", withoutPercentile(m))
		}
	}
	if p.rows, err = rowsIn(c, columns); err != nil {
		return nil, interruption(err)
	}
	return p, nil
}

// withoutPercentile returns the reason why the result has no std_percentile.
func withoutPercentile(m *experiment.Model) string {
	switch {
	case m.Calibration != nil:
		return "the method's predictions have no standard deviation"
	case m.Model.Calibration != nil:
		return "the standard deviations of the calibration rows are calibrated, and --raw leaves that out"
	}
	return "the model is not calibrated; sml calibrate does it, and train --calibrate"
}

// rowsIn opens --in.
func rowsIn(c *cli.Context, o data.Options) (*data.Stream, error) {
	if c.String("in") == "-" {
		return data.Open(c.Context, c.App.Reader, experiment.StandardInput, o)
	}
	defer meanwhile(c, "reading "+c.String("in"))()
	return data.OpenFile(c.Context, c.String("in"), o)
}

// explainRow says where in the file the input stands that makes a prediction not finite. row
// has the network's inputs of the row.
func explainRow(rows *data.Stream, prepared *preparation.Preparation, bad *evaluation.NotFinite, row []float64, line int) error {
	if bad.Input < 0 {
		return fmt.Errorf("%s: the prediction is not finite", rows.Place(line))
	}
	input := bad.Input
	if prepared != nil {
		input = slices.Index(rows.Columns, prepared.Columns[prepared.Features()[bad.Input].Column].Name)
	}
	column := rows.Column(input)
	return fmt.Errorf("%s: column %s: %v is %s, too far for a prediction", rows.Place(line), column, row[bad.Input], bad.Far())
}
