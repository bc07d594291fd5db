package cmd

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/report/chart"
	"sml/evaluation/report/paper"
	"sml/models"
)

// quickstartCommand returns the command "sml quickstart".
func quickstartCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:   "quickstart",
		Usage:  "train the paper's six methods on made data and compare them",
		Action: argumentsAction(nil, quickstart),
	}, []string{
		"sml quickstart --out quickstart",
	}, optionGroup{flags: []cli.Flag{
		&cli.StringFlag{Name: "out", Value: filepath.Join("out", "quickstart"), Usage: "write scores.csv and figure 1 into `DIR`"},
		forceFolderFlag(),
		measuresFlag(usualMeasures),
		quietFlag(),
	}})
}

// quickstart trains the paper's methods on toy sets, and writes a table of scores and figure 1 of the
// paper into the folder of --out.
func quickstart(c *cli.Context, _ []string) error {
	out := c.String("out")
	if out == "" {
		return usageErrorf("--out is empty: name a directory, or leave it out for its default")
	}
	measures := chosenMeasures(c)
	folder, err := openResults(c, out)
	if err != nil {
		return err
	}
	defer folder.close()
	if err := folder.checkNames(quickFiles(nil, chart.Figure{})); err != nil { // before the trainings, which take minutes
		return err
	}
	rows, panels, err := quickResults(c, measures)
	if err != nil {
		return err
	}
	figure, err := panels.Figure()
	if err != nil {
		return err
	}
	if err := folder.write(c.Context, quickFiles(rows, figure)); err != nil {
		return err
	}
	if len(measures) == 0 {
		measures = []string{"rmse", "nll", "ece", "coverage90", "width90"} // as many as fit a screen
	}
	printToys(c.App.Writer, rows, measures)
	fmt.Fprintf(c.App.Writer, "Scores are in units of the target's standard deviation.\n"+
		"Figure 1 of the paper, 200 sub-networks of MC beside SML: %s\nAll scores: %s\n"+
		"What one model does, in pictures: sml train --data friedman --split random --out model && sml plot model --out plots\n",
		filepath.Join(out, "figure1.png"), filepath.Join(out, "scores.csv"))
	return nil
}

// quickFiles returns the files of --out. Writing them needs the rows of scores and the figure, their names do not.
func quickFiles(rows []toyScores, figure chart.Figure) []report.File {
	return []report.File{
		{Name: "scores.csv", Write: func(w io.Writer) error { return report.WriteScoresCSV(w, quickScores(rows)) }},
		{Name: "figure1.svg", Write: figure.WriteSVG},
		{Name: "figure1.png", Write: figure.WritePNG},
	}
}

// quickResults trains every method of the paper on every toy set, on all cores. It returns the scores of
// the models, ordered by toy set and then by method, and the predictions of sub-networks for figure 1.
func quickResults(c *cli.Context, measures []string) ([]toyScores, *paper.SubNetworks, error) {
	methods := paper.Methods()
	rows := make([]toyScores, len(paper.Toys)*len(methods))
	var panels paper.SubNetworks
	view := newProgress(c, "quickstart")
	defer view.End()
	var lock sync.Mutex // guards view and trained
	trained := 0        // number of models
	group, ctx := errgroup.WithContext(c.Context)
	group.SetLimit(max(1, len(rows))) // all at the same time: the trainings divide the cores among themselves
	for i := range rows {
		toy := paper.Toys[i/len(methods)]
		name := methods[i%len(methods)]
		group.Go(func() error {
			var err error
			rows[i], err = trainToy(ctx, toy, name, measures, &panels)
			if err != nil {
				return err
			}
			lock.Lock()
			defer lock.Unlock()
			trained++
			view.At(trained, len(rows), fmt.Sprintf(", %s on %s done", name, toy.Dataset))
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		if c.Context.Err() != nil { // the user interrupted it; ctx also ends with the first error
			return nil, nil, errInterrupted
		}
		return nil, nil, err
	}
	return rows, &panels, nil
}

// toyScores has the scores of a method on a toy set.
type toyScores struct {
	Dataset, Method string
	Rows            int // number of scored rows
	Scores          measure.Scores
}

// trainToy trains a method on a toy set and returns its scores. It adds the predictions of its sub-networks to panels, if
// figure 1 shows them.
func trainToy(ctx context.Context, toy paper.Toy, method string, measures []string, panels *paper.SubNetworks) (toyScores, error) {
	e, model, err := toy.Train(ctx, method)
	if err != nil {
		return toyScores{}, err
	}
	e.Prediction.Measures = measures
	row, err := scoreToy(ctx, e, model)
	if err != nil {
		return toyScores{}, err
	}
	return row, panels.Add(ctx, e, model)
}

// printToys prints a table for each toy set, with the scores of its methods by the named measures. rows has the order of
// quickResults.
func printToys(w io.Writer, rows []toyScores, names []string) {
	measures := knownMeasures(names)
	for toy := range slices.Chunk(rows, len(paper.Methods())) {
		var columns []methodScores
		for _, row := range toy {
			columns = append(columns, methodScores{row.Method, row.Scores})
		}
		heading := fmt.Sprintf("%s (%d rows)", toy[0].Dataset, toy[0].Rows)
		fmt.Fprintln(w, renderScores(heading, withScores(measures, columns), columns))
	}
}

// quickScores returns the scores in the form of a study's scores. rows has the order of quickResults: all
// methods of the first toy set, then all of the next.
func quickScores(rows []toyScores) []measure.Score {
	methods := paper.Methods()
	var scores []measure.Score
	for i, row := range rows {
		toy := paper.Toys[i/len(methods)]
		method := methods[i%len(methods)]
		part := "train" // rows that were scored, see scoreToy
		if toy.Split != "" {
			part = "test"
		}
		scores = append(scores, row.Scores.Single(row.Dataset, method, part)...)
	}
	return scores
}

// scoreToy scores a model on the held-out rows, or on the training rows if none are held out. The scores
// are in units of the target's standard deviation.
func scoreToy(ctx context.Context, e *experiment.Experiment, m *models.Model) (toyScores, error) {
	method, err := models.Lookup(m.Method)
	if err != nil {
		return toyScores{}, err
	}
	rows := e.Rows.Test
	if len(rows) == 0 {
		rows = e.Rows.Train
	}
	result, _, err := e.Evaluate(ctx, m, rows, e.Sampling())
	row := toyScores{
		Dataset: e.Table.Name,
		Method:  method.Title,
		Rows:    result.Rows,
		Scores:  result.Standardised,
	}
	return row, err
}
