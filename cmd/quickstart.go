package cmd

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/report"
	"sml/models"
	"sml/trainers"
)

func quickstartCommand() *cli.Command {
	return &cli.Command{
		Name:  "quickstart",
		Usage: "train the six methods of the paper on made data and compare them",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Value: filepath.Join("out", "quickstart"), Usage: "`DIR` for scores.csv and figure 1"},
			quietFlag(),
		},
		Action: quickstart,
	}
}

// quickTable is a table of the quickstart: the toy curves are learnt and
// judged as a whole, as in the paper's figure 1, the other is cut into folds.
type quickTable struct {
	name   string
	epochs int
	fold   bool
}

var quickTables = []quickTable{
	{"toy", 1000, false},
	{"toy-modulated", 50, false}, // of twenty times as many rows
	{"friedman", 200, true},
}

// figureLines is the number of sub-networks in the paper's figure 1.
const figureLines = 200

func quickstart(c *cli.Context) error {
	if _, err := arguments(c); err != nil {
		return err
	}
	out := c.String("out")
	if out == "" {
		return usage("--out is empty: name a directory, or leave it out for its default")
	}
	folder, err := openFolder(c, out)
	if err != nil {
		return err
	}
	defer folder.close()
	var rows []report.Row
	var figure *report.Figure
	files := []file{{"scores.csv", func(w io.Writer) error { return report.ScoresCSV(w, rows) }}}
	for _, name := range []string{"figure1.svg", "figure1.png"} {
		encode, err := report.Encoder(name)
		if err != nil {
			return err
		}
		files = append(files, file{name, func(w io.Writer) error { return encode(w, figure) }})
	}
	if err := folder.admit(files); err != nil {
		return err
	}
	rows, panels, err := quickResults(c)
	if err != nil {
		return err
	}
	if figure, err = report.Figure1(panels...); err != nil {
		return err
	}
	if err := folder.write(c.Context, files); err != nil {
		return err
	}
	if err := report.Comparison(c.App.Writer, rows); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.App.Writer, "\n* best; lower is better, except for R2. Scores in units of the target's standard deviation.\n"+
		"Figure 1 of the paper, 200 sub-networks of MC beside SML: %s\nAll scores: %s\n",
		filepath.Join(out, "figure1.png"), filepath.Join(out, "scores.csv"))
	return err
}

// quickResults trains every method on every table, on all cores.
func quickResults(c *cli.Context) ([]report.Row, [][]report.SubNetworks, error) {
	rows := make([]report.Row, len(quickTables)*len(paperMethods))
	panels := toyFigure()
	p := newProgress(c.App.ErrWriter, "quickstart", c.Bool("quiet"))
	defer p.end()
	var lock sync.Mutex
	done := 0
	group, ctx := errgroup.WithContext(c.Context)
	group.SetLimit(max(1, len(rows)))
	for i := range rows {
		table, name := quickTables[i/len(paperMethods)], paperMethods[i%len(paperMethods)]
		group.Go(func() error {
			start := time.Now()
			model, t, split, err := quickTrain(ctx, table, name)
			if err != nil {
				return err
			}
			if rows[i], err = quickJudge(ctx, table, model, t, split); err != nil {
				return err
			}
			rows[i].Seconds = time.Since(start).Seconds()
			if row, column := i/len(paperMethods), slices.Index(toyMethods, name); !table.fold && column >= 0 {
				if panels[row][column], err = quickPanel(ctx, model, t); err != nil {
					return err
				}
			}
			lock.Lock()
			defer lock.Unlock()
			done++
			p.at(done, len(rows), fmt.Sprintf(", %s on %s done", name, table.name))
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		if ctx.Err() != nil && c.Context.Err() != nil {
			return nil, nil, errInterrupted
		}
		return nil, nil, err
	}
	return rows, panels, nil
}

const (
	quickSeed  = 1
	quickSplit = "random"
)

// settings are those that the same training by the train command has.
func (t quickTable) settings() trainers.Settings {
	s := trainers.Settings{Epochs: t.epochs, Seed: quickSeed}
	if t.fold {
		s.Split = quickSplit
	}
	return s
}

func quickTrain(ctx context.Context, table quickTable, method string) (*models.Model, *data.Table, data.Split, error) {
	fail := func(err error) (*models.Model, *data.Table, data.Split, error) { return nil, nil, data.Split{}, err }
	t, err := data.Load(ctx, table.name, "", data.Paper, quickSeed)
	if err != nil {
		return fail(err)
	}
	s := source{Split: noSplit, Seed: quickSeed, Mode: string(data.Paper)}
	if table.fold {
		s.Split = quickSplit
	}
	split, err := s.cut(ctx, t)
	if err != nil {
		return fail(err)
	}
	spec, err := models.NewSpec(method, nil, models.Architecture{
		Inputs: len(t.Columns), Targets: len(t.Targets), Hidden: []int{50, 50}, Activation: "relu", Dropout: 0.1,
	})
	if err != nil {
		return fail(err)
	}
	x, y := data.FitScaler(t.X, len(t.Columns), split.Train), data.FitScaler(t.Y, len(t.Targets), split.Train)
	rows := t.Subset(split.Train, x, y)
	result, err := trainers.Train(ctx, spec, rows, table.settings(), trainers.Options{})
	if err != nil {
		return fail(err)
	}
	return result.Model(spec, t, x, y), t, split, nil
}

func quickJudge(ctx context.Context, table quickTable, m *models.Model, t *data.Table, split data.Split) (report.Row, error) {
	method, err := models.Lookup(m.Method)
	if err != nil {
		return report.Row{}, err
	}
	judged := split.Train
	if len(split.Test) > 0 {
		judged = split.Test
	}
	p, err := evaluation.Predict(ctx, m, t.Subset(judged, trainers.Scaler(m.Inputs), data.Scaler{}), evaluation.Sampling{Seed: table.settings().RandomSeed()})
	if err != nil {
		return report.Row{}, err
	}
	e, err := evaluation.Evaluate(p, t.TargetsOf(judged), m.Targets, data.Paper)
	return report.Row{Dataset: table.name, Method: method.Title, Rows: e.Rows, Scores: e.Standardised}, err
}

// toyMethods are the columns of the paper's first figure. Its rows are the
// tables that are not cut, the first of the quickstart's.
var toyMethods = []string{"mc", "sml"}

// toyFigure has room for the figure's panels.
func toyFigure() [][]report.SubNetworks {
	var rows [][]report.SubNetworks
	for _, table := range quickTables {
		if !table.fold {
			rows = append(rows, make([]report.SubNetworks, len(toyMethods)))
		}
	}
	return rows
}

// quickPanel draws a model of a toy curve: over its function of x where there
// is one row for each x, else over its rows.
func quickPanel(ctx context.Context, m *models.Model, t *data.Table) (report.SubNetworks, error) {
	method, err := models.Lookup(m.Method)
	if err != nil {
		return report.SubNetworks{}, err
	}
	panel := report.SubNetworks{Title: method.Title, Dataset: t.Name}
	var rows []int // the first of each x
	for i, x := range t.X {
		if i == 0 || x > t.X[i-1] {
			rows = append(rows, i)
			panel.X = append(panel.X, x)
		}
	}
	if len(rows) == len(t.X) {
		panel.Truth = t.Y
	} else {
		for i, x := range t.X {
			panel.Data = append(panel.Data, [2]float64{x, t.Y[i]})
		}
	}
	lines, err := evaluation.SubNetworks(ctx, m, t.Subset(rows, trainers.Scaler(m.Inputs), data.Scaler{}), evaluation.Sampling{Samples: figureLines, Seed: quickSeed}, true)
	if err != nil {
		return report.SubNetworks{}, err
	}
	unit := m.Targets[0]
	for _, line := range lines {
		y := make([]float64, len(line))
		for i, v := range line {
			y[i] = float64(float64(v)*unit.Std) + unit.Mean
		}
		panel.Lines = append(panel.Lines, y)
	}
	return panel, nil
}
