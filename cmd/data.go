package cmd

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/trainers"
)

func dataCommand() *cli.Command {
	return &cli.Command{
		Name:      "data",
		Usage:     "list, fetch, describe and make data sets",
		UsageText: "sml data COMMAND [options]",
		Subcommands: []*cli.Command{
			listing("list", "list the registered data sets and whether their files are here", "", listData, dataDirFlag()),
			{
				Name:      "describe",
				Usage:     "describe the columns of a data set or file",
				UsageText: "sml data describe NAME|FILE|- [options]",
				Flags:     append(dataFlags()[1:], jsonFlag()),
				Action:    on("the name of a data set or file", describeData),
			},
			fetchCommand(), importCommand(),
			splitsCommand(),
			{
				Name:      "toy",
				Usage:     "write a toy data set as CSV",
				UsageText: "sml data toy NAME [--seed N] [--out FILE]",
				Flags: []cli.Flag{
					&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` that the noise follows from"},
					&cli.StringFlag{Name: "out", Usage: "write to `FILE` (default: standard output)"},
					forceFlag(),
				},
				Action: on("the name of a toy set (see \"sml data list\")", toyData),
			},
		},
	}
}

func listData(c *cli.Context) (string, any) {
	type set struct {
		data.Dataset
		Epochs int    `json:"epochs"`
		Batch  int    `json:"batch"`
		Folds  []int  `json:"folds"`
		Path   string `json:"path,omitempty"`
	}
	var sets []set
	t := newTable(0, "data set", "rows", "features", "target", "epochs", "batch", "folds", "file")
	var toys [][2]string
	for _, d := range data.Datasets() {
		if d.Make != nil {
			toys = append(toys, [2]string{"  " + d.Name, d.Meaning})
			continue
		}
		path, _ := data.Locate(d.Name, c.String("data-dir"))
		r := experiment.RecipeFor(d.Name, d.Rows)
		sets = append(sets, set{d, r.Epochs, r.Batch, r.Folds, path})
		t.AppendRow(table.Row{d.Name, d.Rows, d.Features, d.Target, r.Epochs, r.Batch, len(r.Folds), cmp.Or(path, "not found")})
	}
	return t.Render() + "\n\nToy sets, which need no file:\n" + strings.Join(columns(toys), "\n"), sets
}

// newTable starts a table, its columns set flush right from a number on, counted
// from 1; 0: as their values are.
func newTable(right int, header ...any) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.AppendHeader(header)
	var configs []table.ColumnConfig
	for i := right; i > 0 && i <= len(header); i++ {
		configs = append(configs, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
	return t
}

func describeData(c *cli.Context, name string) error {
	if err := heeded(c, name); err != nil {
		return err
	}
	source, err := sourceOf(c, name)
	if err != nil {
		return err
	}
	name = source.Name
	t, err := readTable(c.Context, experiment.Settings{Table: source, Training: trainers.Settings{Protocol: data.Sound}}, c.String("data-dir"))
	if err != nil {
		return err
	}
	warn(c, t)
	type column struct {
		Name   string  `json:"name"`
		Target bool    `json:"target"`
		Role   string  `json:"role"` // input, target, extra, weight
		Min    float64 `json:"min"`
		Mean   float64 `json:"mean"`
		Max    float64 `json:"max"`
		Std    float64 `json:"std"`
	}
	var list []column
	add := func(names []string, values []float64, role string) {
		moments := data.Moments(values, len(names), nil)
		for j, name := range names {
			low, high := math.Inf(1), math.Inf(-1)
			for i := j; i < len(values); i += len(names) {
				low, high = min(low, values[i]), max(high, values[i])
			}
			list = append(list, column{name, role == "target", role, low, moments.Mean[j], high, moments.Std[j]})
		}
	}
	if _, err := await(c.Context, func() (any, error) {
		add(t.Columns, t.X, "input")
		add(t.Targets, t.Y, "target")
		add(t.Extras, t.E, "extra")
		if t.Weight != "" {
			add([]string{t.Weight}, t.W, "weight")
		}
		return nil, nil
	}); err != nil {
		return err
	}
	if c.Bool("json") {
		return writeJSON(c, struct {
			Name    string   `json:"name"`
			Rows    int      `json:"rows"`
			Columns []column `json:"columns"`
		}{name, t.Rows(), list})
	}
	fmt.Fprintf(c.App.Writer, "%s: %d rows, %d inputs, %d target column(s)\n", name, t.Rows(), len(t.Columns), len(t.Targets))
	if d, err := data.Lookup(name); err == nil {
		if slices.Equal(t.Targets, []string{d.Target}) {
			fmt.Fprintf(c.App.Writer, "target: %s\n", d.Meaning)
		}
		fmt.Fprintf(c.App.Writer, "source: %s\nlicence: %s\n", d.Source, d.Licence)
	}
	out := newTable(3, "column", "", "min", "mean", "max", "std")
	for _, col := range list {
		role := col.Role
		if col.Std == 0 {
			role += ", constant"
		}
		out.AppendRow(table.Row{col.Name, role, short(col.Min), short(col.Mean), short(col.Max), short(col.Std)})
	}
	_, err = fmt.Fprintln(c.App.Writer, out.Render())
	return err
}

func short(v float64) string { return fmt.Sprintf("%.5g", v) }

func toyData(c *cli.Context, name string) error {
	d, err := data.Lookup(name)
	switch {
	case err != nil:
		return usageError{err}
	case d.Make == nil:
		return usage("%s is no toy set: it is read from a file, as \"sml data list\" shows", d.Name)
	}
	if err := placeFile(c); err != nil {
		return err
	}
	t, err := data.Load(c.Context, d.Name, "", data.Sound, c.Uint64("seed"))
	if err != nil {
		return err
	}
	return writeOut(c, t.WriteCSV)
}
