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
		Description: "Rows have the model's input columns; other columns are ignored. For each row the result has\n" +
			"mean, std, std_drop (spread of the sub-networks), offset (of their mean from the full network),\n" +
			"lower and upper (the interval of --coverage, for a normal distribution), in the target's unit. Lines are in\n" +
			"the order of the rows; inputs are not repeated. With several targets the columns are TARGET_mean and so on.\n" +
			"Behind mean stand quantiles, q0.05 and so on, and then the interval is between two of them, or probabilities\n" +
			"of classes, p0 and so on, if the method gives such. What it does not give is empty, and absent from JSON.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "in", Usage: "read rows from `FILE`, of any format that train reads; \"-\" for standard input"},
			headerFlag("--in"),
			&cli.StringFlag{Name: "out", Usage: "write to `FILE` (default: standard output)"},
			forceFlag(),
			&cli.StringFlag{Name: "format", Value: "csv", Usage: "`FORMAT` of the result: csv, jsonl"},
			&cli.Float64Flag{Name: "coverage", Value: 0.95, Usage: "`PROBABILITY` of the interval from lower to upper (of quantiles: by default the widest)"},
			rawFlag(),
			samplesFlag(), samplingSeedFlag(),
			engineFlag(),
			quietFlag(),
		},
		Action: on("the model's directory", predict),
	}
}

// maxCoverage is the largest --coverage, 4.9 standard deviations to each side:
// beyond, no tail of a normal distribution says anything of real targets.
const maxCoverage = 0.999999

func predict(c *cli.Context, dir string) error {
	coverage, format := c.Float64("coverage"), c.String("format")
	switch {
	case c.String("in") == "":
		return usage("--in is missing: name a file, or - for standard input")
	case !(coverage > 0 && coverage <= maxCoverage):
		return usage("--coverage %v: want more than 0, and at most %v", coverage, maxCoverage)
	case format != "csv" && format != "jsonl":
		return usage("--format %q: there is csv, jsonl", format)
	}
	if err := placeFile(c); err != nil {
		return err
	}
	m, trained, sampling, err := modelToSample(c, dir)
	if err != nil {
		return err
	}
	form, err := newPredictionForm(c, m)
	if err != nil {
		return err
	}
	calibration, err := experiment.CalibrationOf(m)
	if err != nil {
		return err
	}
	if c.Bool("raw") {
		calibration = nil
	}
	if calibration != nil && form.levels == nil {
		if err := calibration.CheckCoverage(coverage); err != nil {
			return usage("--coverage %v: %w", coverage, err)
		}
	}
	prepared, err := experiment.PreparationOf(m)
	if err != nil {
		return err
	}
	transforms, err := experiment.TransformsOf(m)
	if err != nil {
		return err
	}
	columns := columnsOf(m, prepared, trained.Table, c.String("header"), true)
	if calibration != nil && calibration.By != "" {
		columns.Keep = []string{calibration.By}
	}
	rows, err := rowsIn(c, columns)
	if err != nil {
		return interruption(err)
	}
	defer rows.Close()
	doubtHeader(c, rows.Note)
	return writeOut(c, func(w io.Writer) error {
		return interruption(predictRows(c, m, prepared, calibration, rows, sampling, newPredictionWriter(w, m.Targets, transforms, form)))
	})
}

// rowsIn opens --in.
func rowsIn(c *cli.Context, o data.Options) (*data.Stream, error) {
	if c.String("in") == "-" {
		return data.Open(c.Context, c.App.Reader, experiment.StandardInput, o)
	}
	defer meanwhile(c, "reading "+c.String("in"))()
	return data.OpenFile(c.Context, c.String("in"), o)
}

// explainRow says where in the file an input stands that a prediction is not
// finite for, row being the row's inputs.
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
