package cmd

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/preparation"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/models"
	"sml/trainers"
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
	prepared, err := experiment.PreparationOf(m)
	if err != nil {
		return err
	}
	transforms, err := experiment.TransformsOf(m)
	if err != nil {
		return err
	}
	rows, err := rowsIn(c, columnsOf(m, prepared, trained.Table, c.String("header"), true))
	if err != nil {
		return interruption(err)
	}
	defer rows.Close()
	doubtHeader(c, rows.Note)
	return writeOut(c, func(w io.Writer) error {
		return interruption(predictRows(c, m, prepared, rows, sampling, newPredictionWriter(w, m.Targets, transforms, form)))
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

// predictRows predicts rows as they come: as many at once as keep all cores
// busy, but never waiting for more while there are some. What stands before an
// error is written.
func predictRows(c *cli.Context, m *models.Model, prepared *preparation.Preparation, rows *data.Stream, s evaluation.Sampling, w *predictionWriter) error {
	next := func(x []float64) ([]float64, error) {
		x, _, err := rows.Append(x, nil)
		return x, err
	}
	if prepared != nil {
		encoder, err := prepared.Encoder(rows.Columns, rows.Fields())
		if err != nil {
			return err
		}
		defer tellUnknown(c, prepared, encoder)
		var raw []float64
		next = func(x []float64) ([]float64, error) {
			var err error
			if raw, _, err = rows.Append(raw[:0], nil); err != nil {
				return x, err
			}
			if x, err = encoder.Append(x, raw); err != nil {
				return x, fmt.Errorf("%s: %w", rows.Place(rows.Line()), err)
			}
			return x, nil
		}
	}
	p, err := evaluation.NewPredictor(m, s)
	if err != nil {
		return err
	}
	defer p.Close()
	const values = 1 << 22 // of the inputs, 32 MiB
	most := max(1, min(4*p.AtOnce(), values/len(m.Inputs)))
	view := newProgress(c.App.ErrWriter, "predicting", c.Bool("quiet"))
	defer view.end()
	scaler := trainers.Scaler(m.Inputs)
	var x []float64
	var lines []int
	for first := 0; ; first += len(lines) {
		x, lines = x[:0], lines[:0]
		var end error
		for end == nil && len(lines) < most && (len(lines) == 0 || rows.Ready()) {
			if x, end = next(x); end == nil {
				lines = append(lines, rows.Line())
			}
		}
		if c.Context.Err() != nil {
			return c.Context.Err()
		}
		if len(lines) > 0 {
			found, err := p.Predict(c.Context, data.Subset{X: x, XScale: scaler}, first)
			var bad *evaluation.NotFinite
			switch {
			case errors.As(err, &bad):
				end = explainRow(rows, prepared, bad, x[bad.Row*len(m.Inputs):], lines[bad.Row])
			case err != nil:
				return err
			}
			if err := w.write(found, func(row int) string { return rows.Place(lines[row]) }); err != nil {
				return err
			}
		}
		if end == io.EOF {
			return nil
		}
		if end != nil {
			return end
		}
		if read, size := rows.Progress(); size > 0 {
			view.at(int(read), int(size), "")
		}
	}
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
