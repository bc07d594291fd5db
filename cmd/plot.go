package cmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/report"
	"sml/evaluation/study"
	"sml/models"
)

// plotCommand returns the command "sml plot".
func plotCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "plot",
		Usage:     "draw a model's predictions, intervals, errors and learning curves",
		UsageText: "sml plot MODEL [NAME|FILE|-] --out DIR [--on train|calibration|test|all] [options]",
		Description: "Write plots.html, a page that needs no other file, and each plot as SVG and PNG into DIR.\n" +
			"--on and --data choose the rows as in \"sml evaluate\". Plots that the method's predictions do not\n" +
			"allow are left out; the output lists them.",
		Action: modelFileAction("data", plotModel),
	}, []string{
		"sml plot model --out plots",
		"sml plot model --data later.csv --only pit,errors --out later-plots",
	}, optionGroup{"Data", judgedFlags("test if rows were held out, otherwise all")},
		optionGroup{"Predictions", []cli.Flag{samplesFlag(), momentsFlag(), samplingSeedFlag(), uncalibratedFlag(), engineFlag()}},
		optionGroup{"Output", []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "write the plots into `DIR`"},
			readChanged(forceFolderFlag()),
			&cli.StringFlag{Name: "only", Usage: "draw only these `PLOTS`, with commas between them: " + strings.Join(report.PlotNames(), ", "), DefaultText: "all"},
			quietFlag(),
		}})
}

// plotModel draws the plots of the model in dir into the folder of --out, and prints how many it drew
// and which it left out. It opens the folder before it predicts, so that a folder that cannot be written
// fails at once.
func plotModel(c *cli.Context, dir string) error {
	out := c.String("out")
	if out == "" {
		return usageErrorf("--out is missing: name a directory for the plots")
	}
	wanted, err := chosenPlots(c.String("only"))
	if err != nil {
		return err
	}
	m, sampling, err := openToSample(c, dir)
	if err != nil {
		return err
	}
	m.History, err = models.LoadHistory(dir)
	if err != nil {
		return err
	}
	folder, err := openResults(c, out)
	if err != nil {
		return err
	}
	defer folder.close()
	rows, err := readJudged(c, m)
	if err != nil {
		return err
	}
	page, err := newPlotPage(c, m, sampling, rows, wanted)
	if err != nil {
		return err
	}
	page.Title = "Plots of " + dir
	if err := folder.write(c.Context, page.files()); err != nil {
		return err
	}
	fmt.Fprintf(c.App.Writer, "%s: %s of %s\n", folder.path("plots.html"), terminal.Count(page.drawn, "plot"), &rows)
	for _, omitted := range page.omitted {
		fmt.Fprintln(c.App.Writer, "left out:", omitted)
	}
	return nil
}

// newPlotPage predicts the judged rows with the model and returns the page of the wanted plots, without
// its title. sampling says how sub-networks are drawn for methods that predict by sampling.
func newPlotPage(c *cli.Context, m *experiment.Model, sampling evaluation.Sampling, rows judgedRows, wanted []report.Plot) (*plotPage, error) {
	predicted, err := rows.predict(c, m, sampling)
	if err != nil {
		return nil, err
	}
	protocol := cmp.Or(m.Settings.Training.Protocol, data.Paper)
	targets, err := report.NewRows(report.Predicted{
		Model:    m,
		Table:    rows.targets,
		Numbers:  rows.indices,
		Raw:      predicted,
		Sampling: sampling,
		Protocol: protocol,
	})
	if err != nil {
		return nil, err
	}
	if c.String("only") == "" && m.Architecture.Classes == 0 {
		wanted = slices.DeleteFunc(wanted, func(p report.Plot) bool { return p.ForClasses })
	}
	page, err := await(c.Context, func() (*plotPage, error) { return drawPlots(c, wanted, targets) })
	if err != nil {
		return nil, err
	}
	page.Intro = []string{fmt.Sprintf("%s on %s%s.", study.MethodTitle(m.Method), &rows, describeWeights(rows.table))}
	page.addFact("method", "%s", m.Method)
	page.addFact("rows", "%d of %s (%s)", rows.count(), rows.name, rows.splitPart)
	page.addFact("protocol", "%s", protocol)
	if predicted.Samples > 0 {
		page.addFact("sub-networks", "%d, of seed %d", predicted.Samples, sampling.Seed)
	}
	if k := m.Calibration; k != nil {
		page.addFact("calibration", "on %d rows, %s", k.Rows, describeCalibration(k))
	}
	return page, nil
}

// addFact adds a fact to the page.
func (p *plotPage) addFact(name, format string, args ...any) {
	p.Facts = append(p.Facts, report.Fact{Name: name, Value: fmt.Sprintf(format, args...)})
}

// chosenPlots returns the plots in a list of names with commas between them, each once, and all plots if
// the list is empty. It returns a usage error if a name is unknown.
func chosenPlots(names string) ([]report.Plot, error) {
	if names == "" {
		return report.Plots(), nil
	}
	var wanted []report.Plot
	for _, name := range strings.Split(names, ",") {
		p, err := report.LookupPlot(strings.TrimSpace(name))
		if err != nil {
			return nil, usageErrorf("--only: %w", err)
		}
		if !slices.ContainsFunc(wanted, func(q report.Plot) bool { return q.Name == p.Name }) {
			wanted = append(wanted, p)
		}
	}
	return wanted, nil
}

// plotPage is the page with the plots of a model.
type plotPage struct {
	report.Report
	drawn   int      // number of drawn plots
	omitted []string // plots that the predictions do not allow, with the reasons
}

// drawPlots returns a page with the wanted plots of each target; targets has the predicted rows of each.
// A plot that shows the whole model, such as the learning curves, is drawn for the first target only.
func drawPlots(c *cli.Context, wanted []report.Plot, targets []*report.Rows) (*plotPage, error) {
	page := &plotPage{}
	view := newProgress(c, "drawing")
	defer view.End()
	finished := 0
	for k, rows := range targets {
		for _, wantedPlot := range wanted {
			view.At(finished, len(wanted)*len(targets), ", "+wantedPlot.Name)
			finished++
			if wantedPlot.PerModel && k > 0 {
				continue
			}
			if err := c.Context.Err(); err != nil {
				return nil, err
			}
			title := wantedPlot.Title
			if len(targets) > 1 && !wantedPlot.PerModel {
				title += " of " + rows.Target
			}
			name := wantedPlot.Name
			if k > 0 { // files of the first target have no number
				name += fmt.Sprintf("-%d", k+1)
			}
			if err := page.add(c.Context, wantedPlot, rows, name, title); err != nil {
				return nil, err
			}
		}
	}
	return page, nil
}

// add draws a plot into a section of its own. name is the name of its picture files, title its heading. If
// the predictions do not allow the plot, add notes the reason instead.
func (p *plotPage) add(ctx context.Context, wanted report.Plot, rows *report.Rows, name, title string) error {
	figure, note, err := wanted.Draw(ctx, rows)
	if err != nil {
		return fmt.Errorf("plot %s: %w", wanted.Name, err)
	}
	if len(figure.Panels) == 0 { // the note is the reason then, otherwise a caption
		p.omitted = append(p.omitted, name+": "+note)
		p.Notes = append(p.Notes, fmt.Sprintf("Left out: %s, since %s.", title, note))
		return nil
	}
	p.drawn++
	section := report.Section{
		ID:       name,
		Title:    title,
		Text:     []string{wanted.Summary},
		Pictures: []report.Picture{{Name: name, Caption: note, Figure: figure}},
	}
	if wanted.Source != "" {
		section.Notes = []string{"Source: " + wanted.Source + "."}
	}
	p.Sections = append(p.Sections, section)
	return nil
}

// files returns the files of the page and its pictures.
func (p *plotPage) files() []report.File {
	files := []report.File{{Name: "plots.html", Write: func(w io.Writer) error { return p.WriteHTML(w) }}}
	for _, s := range p.Sections {
		for _, picture := range s.Pictures {
			files = append(files, picture.Files()...)
		}
	}
	return files
}
