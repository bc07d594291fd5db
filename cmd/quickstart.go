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
	folder, err := openResults(c, out, quickFiles(nil, chart.Figure{})...) // before the trainings, which take minutes
	if err != nil {
		return err
	}
	defer folder.close()
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

// toyScores has the scores of a method on a toy set, in units of the target's standard deviation.
type toyScores struct {
	Dataset string
	Method  string // its name
	Part    string // scored rows: test, or train if no rows are held out
	Rows    int    // number of these rows
	Scores  measure.Scores
}

// trainToy trains a method on a toy set and returns its scores. It adds the predictions of its sub-networks to panels, if
// figure 1 shows them.
func trainToy(ctx context.Context, toy paper.Toy, method string, measures []string, panels *paper.SubNetworks) (toyScores, error) {
	e, model, err := toy.Train(ctx, method)
	if err != nil {
		return toyScores{}, err
	}
	e.Prediction.Measures = measures
	part, rows := "test", e.Rows.Test
	if len(rows) == 0 {
		part, rows = "train", e.Rows.Train
	}
	result, _, err := e.Evaluate(ctx, model, rows, e.Sampling())
	if err != nil {
		return toyScores{}, err
	}
	scores := toyScores{
		Dataset: e.Table.Name,
		Method:  method,
		Part:    part,
		Rows:    result.Rows,
		Scores:  result.Standardised,
	}
	return scores, panels.Add(ctx, e, model)
}

// printToys prints a table for each toy set, with the scores of its methods by the named measures. rows has the order of
// quickResults.
func printToys(w io.Writer, rows []toyScores, names []string) {
	measures := knownMeasures(names)
	for toy := range slices.Chunk(rows, len(paper.Methods())) {
		var columns []methodScores
		for _, row := range toy {
			method, _ := models.Lookup(row.Method) // it has been trained
			columns = append(columns, methodScores{method.Title, row.Scores})
		}
		heading := fmt.Sprintf("%s (%d rows)", toy[0].Dataset, toy[0].Rows)
		fmt.Fprintln(w, renderScores(heading, withScores(measures, columns), columns))
	}
}

// quickScores returns the scores in the form of a study's scores.
func quickScores(rows []toyScores) []measure.Score {
	var scores []measure.Score
	for _, row := range rows {
		scores = append(scores, row.Scores.Single(row.Dataset, row.Method, row.Part)...)
	}
	return scores
}
