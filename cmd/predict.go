package cmd

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/urfave/cli/v2"
	"gonum.org/v1/gonum/stat/distuv"

	"sml/data"
	"sml/evaluation"
	"sml/models"
	"sml/trainers"
)

func predictCommand() *cli.Command {
	return &cli.Command{
		Name:      "predict",
		Usage:     "predict mean and standard deviation for new rows",
		UsageText: "sml predict MODEL --in FILE.csv|- [--out FILE] [options]",
		Description: "Rows have the model's input columns; other columns are ignored. For each row the result has\n" +
			"mean, std, std_drop (spread of the sub-networks), offset (of their mean from the full network),\n" +
			"lower and upper (the interval of --coverage, for a normal distribution), in the target's unit. Lines are in\n" +
			"the order of the rows; inputs are not repeated. With several targets the columns are TARGET_mean and so on.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "in", Usage: "read rows from `FILE`, \"-\" for standard input"},
			headerFlag("--in"),
			&cli.StringFlag{Name: "out", Usage: "write to `FILE` (default: standard output)"},
			forceFlag(),
			&cli.StringFlag{Name: "format", Value: "csv", Usage: "`FORMAT` of the result: csv, jsonl"},
			&cli.Float64Flag{Name: "coverage", Value: 0.95, Usage: "`PROBABILITY` of the interval from lower to upper"},
			samplesFlag(), samplingSeedFlag(),
			engineFlag(),
			quietFlag(),
		},
		Action: predict,
	}
}

func predict(c *cli.Context) error {
	args, err := arguments(c, "the model's directory")
	if err != nil {
		return err
	}
	coverage, format := c.Float64("coverage"), c.String("format")
	switch {
	case c.String("in") == "":
		return usage("--in is missing: name a file, or - for standard input")
	case !(coverage > 0 && coverage < 1):
		return usage("--coverage %v is not between 0 and 1", coverage)
	case format != "csv" && format != "jsonl":
		return usage("--format %q: there is csv, jsonl", format)
	}
	if err := placeFile(c); err != nil {
		return err
	}
	m, err := models.Load(args[0])
	if err != nil {
		return err
	}
	s, _, err := samplingOf(c, m)
	if err != nil {
		return err
	}
	var t *data.Table
	if c.String("in") == "-" {
		t, err = readFrom(c.Context, c.App.Reader, m, c.String("header"))
	} else {
		stop := meanwhile(c, "reading "+c.String("in"))
		t, err = readFor(m, c.String("in"), c.String("header"), true)
		stop()
	}
	if err != nil {
		return err
	}
	p, err := predictions(c, m, data.Rows{X: trainers.Scaler(m.Inputs).Apply(t.X, nil)}, s)
	if err != nil {
		return err
	}
	return writeOut(c, func(w io.Writer) error { return writePredictions(w, p, m.Targets, coverage, format) })
}

// predicted names the values of one prediction, in order.
var predicted = []string{"mean", "std", "std_drop", "offset", "lower", "upper"}

// writePredictions writes one line for each row, in the targets' units. The
// names of several targets come before the names of their values.
func writePredictions(w io.Writer, p *evaluation.Predictions, targets []models.Column, coverage float64, format string) error {
	z := distuv.UnitNormal.Quantile((1 + coverage) / 2)
	var names []string
	for _, target := range targets {
		for _, name := range predicted {
			if len(targets) > 1 {
				name = target.Name + "_" + name
			}
			names = append(names, name)
		}
	}
	buffered := bufio.NewWriter(w)
	lines := csv.NewWriter(buffered)
	if format == "csv" {
		lines.Write(names)
	}
	record := make([]string, len(names))
	for row := 0; row < len(p.Values); row += len(targets) {
		for i, target := range targets {
			v := p.Values[row+i]
			mean, std := v.Mean*target.Std+target.Mean, v.Std*target.Std
			for j, x := range []float64{mean, std, v.StdDrop * target.Std, v.Offset * target.Std, mean - z*std, mean + z*std} {
				record[i*len(predicted)+j] = strconv.FormatFloat(x, 'g', -1, 64)
			}
		}
		if format == "csv" {
			lines.Write(record)
			continue
		}
		for i, name := range names {
			separator := ","
			if i == 0 {
				separator = "{"
			}
			key, err := json.Marshal(name)
			if err != nil {
				return err
			}
			fmt.Fprintf(buffered, "%s%s:%s", separator, key, record[i])
		}
		buffered.WriteString("}\n")
	}
	lines.Flush()
	if err := lines.Error(); err != nil {
		return err
	}
	return buffered.Flush()
}
