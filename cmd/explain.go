package cmd

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/evaluation/explain"
	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/report/drawing"
	"sml/internal/safefile"
)

func explainCommand() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "show which columns the mean and the standard deviation depend on",
		UsageText: "sml explain MODEL [--on train|calibration|test|all] [--data NAME|FILE|-] [--out DIR] [options]",
		Description: "Compute permutation importance: the values of one column are shuffled among the rows. For the mean, the\n" +
			"importance is the rise of the RMSE. For the standard deviation, it is the rise of the measure with the\n" +
			"mean unchanged, and the relative change of the standard deviation. The rows need targets. --out writes\n" +
			"importance.csv, .svg and .png. Columns with the same information hide each other's importance.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "on", Usage: "use these `ROWS` of the table that the model was trained on: train, calibration, test, all", DefaultText: "test if rows were held out, otherwise all"},
			&cli.StringFlag{Name: "data", Usage: "use another table: a data set, or a `FILE` in any format that train reads; \"-\" for standard input", DefaultText: "the table that the model was trained on"},
			dataDirFlag(),
			headerFlag("--data"),
			&cli.IntFlag{Name: "repeats", Value: explain.DefaultRepeats, Usage: "`NUMBER` of permutations of each column"},
			&cli.StringFlag{Name: "measure", Usage: "`NAME` of the measure for the standard deviation, and for the mean beside the RMSE (see \"sml measures\")", DefaultText: "crps; pinball or log-loss for methods without a standard deviation"},
			&cli.StringFlag{Name: "out", Usage: "write the table and the figure into `DIR`"},
			forceFolderFlag(),
			samplesFlag(),
			&cli.Uint64Flag{Name: "seed", Usage: "seed of the permutations and dropout masks, a `NUMBER`", DefaultText: "the model's"},
			protocolFlag(" of the measures", "as trained"),
			rawFlag(),
			engineFlag(),
			jsonFlag(), quietFlag(),
		},
		Action: on("the model's directory", explainModel),
	}
}

// explained is what `sml explain --json` prints.
type explained struct {
	Model    string        `json:"model"`
	Method   string        `json:"method"`
	Data     string        `json:"data"`
	On       string        `json:"on"`
	Protocol data.Protocol `json:"protocol"`
	*explain.Permutation
}

func explainModel(c *cli.Context, dir string) error {
	o := explain.Options{Repeats: c.Int("repeats"), Measure: c.String("measure")}
	if !explain.Repeats.Has(float64(o.Repeats)) {
		return usage("--repeats %d: want %v", o.Repeats, explain.Repeats)
	}
	if o.Measure != "" {
		if _, err := measure.Lookup(o.Measure); err != nil {
			return usage("--measure: %w", err)
		}
	}
	m, sampling, err := modelToSample(c, dir)
	if err != nil {
		return err
	}
	protocol, err := protocolOr(c, cmp.Or(m.Settings.Training.Protocol, data.Paper))
	if err != nil {
		return err
	}
	var found *explain.Permutation
	var out *folder
	if c.String("out") != "" {
		if out, err = openResults(c, c.String("out")); err != nil {
			return err
		}
		defer out.close()
		if err := out.admit(importanceFiles(nil, nil)); err != nil {
			return err
		}
	}
	j, err := readJudged(c, m)
	if err != nil {
		return err
	}
	if o.Calibrate, err = m.Calibrator(j.targets, j.numbers); err != nil {
		return err
	}
	view := newProgress(c.App.ErrWriter, "permuting columns", c.Bool("quiet"))
	o.Sampling, o.Progress = sampling, func(done, total int) { view.at(done, total, "") }
	found, err = await(c.Context, func() (*explain.Permutation, error) {
		p, err := explain.OfColumns(c.Context, m, j.subset(m), m.Truth(j.targets, j.numbers), protocol, o)
		return p, interruption(err)
	})
	view.end()
	if err != nil {
		return err
	}
	if out != nil {
		if err := out.write(c.Context, importanceFiles(found, report.Importance(found))); err != nil {
			return err
		}
	}
	if c.Bool("json") {
		return writeJSON(c, explained{dir, m.Method, j.name, j.on, protocol, found})
	}
	fmt.Fprintf(c.App.Writer, "%s (%s) on %d rows of %s (%s)%s: how much worse with a column permuted, %d times\n", dir, m.Method, found.Rows, j.name, j.on, weightedBy(j.table), found.Repeats)
	if err := importanceTable(c.App.Writer, found, o.Measure != ""); err != nil {
		return err
	}
	if out != nil {
		fmt.Fprintf(c.App.Writer, "%s\n", filepath.Join(safefile.Path(c.String("out")), "importance.csv"))
	}
	return nil
}

// importanceFiles are what an explanation is written into.
func importanceFiles(p *explain.Permutation, f *drawing.Figure) []report.File {
	return []report.File{
		{Name: "importance.csv", Write: func(w io.Writer) error { return p.WriteCSV(w) }},
		{Name: "importance.svg", Write: func(w io.Writer) error { return f.WriteSVG(w) }},
		{Name: "importance.png", Write: func(w io.Writer) error { return f.WritePNG(w) }},
	}
}

// importanceTable writes importances for people, the columns of each target by their
// importance: those that are shown in figures, or all.
func importanceTable(w io.Writer, p *explain.Permutation, all bool) error {
	shown := p.Shown()
	aspects := append([]explain.Aspect{}, shown...)
	for _, i := range p.Importances {
		if (all || i.Measure == explain.Change) && !slices.Contains(aspects, i.Aspect) {
			aspects = append(aspects, i.Aspect)
		}
	}
	for k, b := range p.Baseline {
		if slices.ContainsFunc(p.Baseline[:k], func(other explain.Baseline) bool { return other.Target == b.Target }) {
			continue
		}
		header := []any{b.Target}
		for _, a := range aspects {
			header = append(header, aspectTitle(a))
		}
		t := newTable(2, header...)
		t.Style().Format.Header = text.FormatDefault
		baseline := table.Row{"as it is"}
		for _, a := range aspects {
			cell := ""
			for _, b := range p.Baseline {
				if b.Target == header[0] && b.Measure == a.Measure {
					cell = fmt.Sprintf("%.4g", float64(b.Score))
				}
			}
			baseline = append(baseline, cell)
		}
		t.AppendRow(baseline)
		t.AppendSeparator()
		for _, name := range p.Ranked(b.Target) {
			row := table.Row{name}
			for _, a := range aspects {
				for _, i := range p.Importances {
					if i.Target == b.Target && i.Column == name && i.Aspect == a {
						row = append(row, fmt.Sprintf("%+.3g ± %.2g", float64(i.Mean), float64(i.Std)))
					}
				}
			}
			t.AppendRow(row)
		}
		if _, err := fmt.Fprintln(w, t.Render()); err != nil {
			return err
		}
	}
	return nil
}

// aspectTitle is what stands above an aspect.
func aspectTitle(a explain.Aspect) string {
	if a.Measure == explain.Change {
		return "σ changes"
	}
	return measure.Title(a.Measure) + ", " + map[explain.Part]string{explain.Mean: "mean", explain.Std: "σ alone", explain.Whole: "both"}[a.Part]
}
