package cmd

import (
	"cmp"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/evaluation/experiment"
)

func dataCommand() *cli.Command {
	return &cli.Command{
		Name:  "data",
		Usage: "list, fetch, describe and make data sets",
		Subcommands: []*cli.Command{
			listing("list", "list the registered data sets and their files", "", listData, dataDirFlag()),
			describeCommand(),
			fetchCommand(), importCommand(),
			splitsCommand(),
			{
				Name:      "toy",
				Usage:     "write a toy data set as CSV",
				UsageText: "sml data toy NAME [--seed N] [--out FILE]",
				Flags: []cli.Flag{
					&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of the noise, a `NUMBER`"},
					&cli.StringFlag{Name: "out", Usage: "write to `FILE` (default: standard output)"},
					forceFlag(),
				},
				Action: onArgument("the name of a toy set (see \"sml data list\")", toyData),
			},
		},
	}
}

func listData(c *cli.Context) (string, any) {
	type set struct {
		data.Dataset
		Epochs int    `json:"epochs"`
		Batch  int    `json:"batch"`
		Fold   []int  `json:"fold"` // numbers of the folds that a study holds out
		Path   string `json:"path,omitempty"`
	}
	var sets []set
	t := terminal.NewTable(0, "data set", "rows", "features", "target", "epochs", "batch", "folds", "file")
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
func terminal.NewTable(right int, header ...any) table.Writer {
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
