package cmd

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/explain"
	"sml/evaluation/measure"
	"sml/evaluation/report"
)

// explainCommand returns the command "sml explain".
func explainCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "explain",
		Usage:     "show which columns the mean and the standard deviation depend on",
		UsageText: "sml explain MODEL [NAME|FILE|-] [--column NAME] [--on train|calibration|test|all] [--out DIR] [options]",
		Description: "Compute permutation importance: the values of one column are shuffled among the rows. For the mean, the\n" +
			"importance is the rise of the RMSE. For the standard deviation, it is the rise of the measure with the\n" +
			"mean unchanged, and the relative change of the standard deviation. The rows need targets. --out writes\n" +
			"importance.csv. Columns with the same information hide each other's importance.\n\n" +
			"--column shows instead how predictions depend on the column: rows are predicted with each of its values\n" +
			"in turn (partial dependence). --out writes dependence.csv and a picture.",
		Action: modelFileAction("data", explainModel),
	}, []string{
		"sml explain model",
		"sml explain model --repeats 20 --out importance",
		"sml explain model --column area --out area",
	}, optionGroup{"Data", judgedFlags("test if rows were held out, otherwise all")},
		optionGroup{"Dependence", []cli.Flag{
			&cli.StringFlag{Name: "column", Usage: "show how predictions depend on the column `NAME`"},
		}},
		optionGroup{"Importance", []cli.Flag{
			inRange(&cli.IntFlag{Name: "repeats", Value: explain.DefaultRepeats, Usage: "permute each column this `NUMBER` of times"}, explain.Repeats),
			lookedUp(&cli.StringFlag{Name: "measure", Usage: "judge the standard deviation, and the mean beside the RMSE, by the measure `NAME` (see \"sml measures\")", DefaultText: "crps; pinball or log-loss for methods without a standard deviation"}, measure.Lookup),
			protocolFlag("compute the measures by `PROTOCOL`", "as trained"),
		}},
		optionGroup{"Predictions", []cli.Flag{
			samplesFlag(), momentsFlag(),
			&cli.Uint64Flag{Name: "seed", Usage: "draw permutations and dropout masks from the seed `NUMBER`", DefaultText: "the model's"},
			uncalibratedFlag(),
			engineFlag(),
		}},
		optionGroup{"Output", []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "write the table, and the picture of a column, into `DIR`"},
			readChanged(forceFolderFlag()), jsonFlag(), quietFlag(),
		}})
}

// explanation is what "sml explain" found out about a model.
type explanation struct {
	result any           // for --json
	text   string        // for people
	files  []report.File // of --out; the first is a table
}

// explainModel explains the predictions of the model in dir: by the importance of its input columns, or with --column by
// their dependence on a column. It prints the explanation, and writes it into the folder of --out, if the flag is set. It
// checks the flags and the folder before it reads the rows, which may take long.
func explainModel(c *cli.Context, dir string) error {
	explainRows := explainImportance
	files := importanceFiles(nil) // only their names are used
	if c.String("column") != "" {
		explainRows = explainDependence
		files = dependenceFiles(nil)
	}
	if err := checkExplainFlags(c); err != nil {
		return err
	}
	m, sampling, err := openToSample(c, dir)
	if err != nil {
		return err
	}
	var out *folder // nil without --out
	if folder := c.String("out"); folder != "" {
		out, err = openResults(c, folder, files...)
		if err != nil {
			return err
		}
		defer out.close()
	}
	rows, err := readJudged(c, m)
	if err != nil {
		return err
	}
	e, err := explainRows(c, newJudgedModel(dir, m, &rows), m, rows, sampling)
	if err != nil {
		return err
	}
	if out != nil {
		if err := out.write(c.Context, e.files); err != nil {
			return err
		}
	}
	return printResult(c, e.result, func(w io.Writer) {
		fmt.Fprintln(w, e.text)
		if out != nil {
			fmt.Fprintln(w, out.path(e.files[0].Name))
		}
	})
}

// checkExplainFlags returns a usage error for a flag about importance beside --column.
func checkExplainFlags(c *cli.Context) error {
	for _, flag := range []string{"repeats", "measure", "protocol"} {
		if c.IsSet(flag) && c.String("column") != "" {
			return usageErrorf("--%s is for importance, and --column %s asks for a dependence: leave one of them out", flag, c.String("column"))
		}
	}
	return nil
}

// importanceResult is the result of "sml explain" without --column.
type importanceResult struct {
	judgedModel
	Protocol data.Protocol `json:"protocol"`
	*explain.Permutation
}

// explainImportance returns the permutation importance of the input columns on the rows.
func explainImportance(c *cli.Context, judged judgedModel, m *experiment.Model, rows judgedRows, s evaluation.Sampling) (*explanation, error) {
	protocol := chosenProtocol(c, cmp.Or(m.Settings.Training.Protocol, data.Paper))
	p, err := permuteColumns(c, m, rows, protocol, s)
	if err != nil {
		return nil, err
	}
	lines := []string{fmt.Sprintf("%s: how much worse with a column permuted, %d times", judged.describe(&rows), p.Repeats)}
	aspects := shownAspects(p, c.IsSet("measure")) // a chosen measure is shown for the mean as well
	for _, target := range baselineTargets(p) {
		lines = append(lines, importanceTable(p, target, aspects))
	}
	return &explanation{
		result: importanceResult{judgedModel: judged, Protocol: protocol, Permutation: p},
		text:   strings.Join(lines, "\n"),
		files:  importanceFiles(p),
	}, nil
}

// permuteColumns computes the permutation importance of the model's input columns on the rows and shows the
// progress. Permuted rows are calibrated as the rows themselves are.
func permuteColumns(c *cli.Context, m *experiment.Model, rows judgedRows, p data.Protocol, s evaluation.Sampling) (*explain.Permutation, error) {
	calibrate, err := m.Calibrator(rows.targets, rows.indices)
	if err != nil {
		return nil, err
	}
	options := explain.Options{
		Sampling:  s,
		Repeats:   c.Int("repeats"),
		Measure:   c.String("measure"),
		Calibrate: calibrate,
	}
	return awaitWithProgress(c, "permuting columns", func(progress func(done, total int)) (*explain.Permutation, error) {
		options.Progress = progress
		truth := m.Truth(rows.targets, rows.indices)
		return explain.PermuteColumns(c.Context, m, rows.subset(m), truth, p, options)
	})
}

// importanceFiles returns the files of --out, which is one: the importances as CSV. Writing it needs p, its name
// does not.
func importanceFiles(p *explain.Permutation) []report.File {
	return []report.File{{Name: "importance.csv", Write: func(w io.Writer) error { return p.WriteCSV(w) }}}
}

// shownAspects returns the aspects of the overview, and behind them the change of σ, or all others.
func shownAspects(p *explain.Permutation, all bool) []explain.Aspect {
	aspects := slices.Clone(p.OverviewAspects())
	for _, i := range p.Importances {
		isShown := all || i.Measure == explain.Change
		if isShown {
			aspects = appendNew(aspects, i.Aspect)
		}
	}
	return aspects
}

// baselineTargets returns the names of the targets, which have several baselines each, in their order.
func baselineTargets(p *explain.Permutation) []string {
	var targets []string
	for _, b := range p.Baseline {
		targets = appendNew(targets, b.Target)
	}
	return targets
}

// importanceTable returns the table of importances for one target: a row of scores without a permutation, and
// below it a row for each column, with a cell for each aspect.
func importanceTable(p *explain.Permutation, target string, aspects []explain.Aspect) string {
	header := table.Row{target}
	baseline := table.Row{"as it is"} // no column permuted
	for _, a := range aspects {
		header = append(header, aspectTitle(a))
		baseline = append(baseline, baselineCell(p, target, a.Measure))
	}
	const firstNumberColumn = 2 // from 1; numbers are aligned to the right
	t := terminal.NewTable(firstNumberColumn, header...)
	t.AppendRow(baseline)
	t.AppendSeparator()
	for _, column := range p.ColumnsByImportance(target) {
		row := table.Row{column}
		for _, a := range aspects {
			row = append(row, importanceCells(p, target, column, a)...)
		}
		t.AppendRow(row)
	}
	return t.Render()
}

// baselineCell formats the score of a target without a permutation, "" if the measure has none, such as the
// change of σ.
func baselineCell(p *explain.Permutation, target, measure string) string {
	for _, b := range p.Baseline {
		if b.Target == target && b.Measure == measure {
			return fmt.Sprintf("%.4g", float64(b.Score))
		}
	}
	return ""
}

// importanceCells formats the importance of a column for one aspect of a target: mean and standard
// deviation over the permutations. It returns no cell if the importance is not known.
func importanceCells(p *explain.Permutation, target, column string, a explain.Aspect) []any {
	var cells []any
	for _, i := range p.Importances {
		if i.Target == target && i.Column == column && i.Aspect == a {
			cells = append(cells, fmt.Sprintf("%+.3g ± %.2g", float64(i.Mean), float64(i.Std)))
		}
	}
	return cells
}

// aspectTitle returns the header of the column of an aspect: its measure and its part of the predictions, such as
// "RMSE, mean".
func aspectTitle(a explain.Aspect) string {
	if a.Measure == explain.Change {
		return "σ changes"
	}
	part := "both"
	switch a.Part {
	case explain.Mean:
		part = "mean"
	case explain.Std:
		part = "σ alone"
	}
	return measure.Title(a.Measure) + ", " + part
}
