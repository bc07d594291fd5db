package cmd

import (
	"cmp"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/data"
	"sml/data/fetch"
	"sml/data/read"
	"sml/evaluation/experiment"
)

// dataCommand returns the command data, which downloads data sets with f.
func dataCommand(f fetch.Fetcher) *cli.Command {
	return &cli.Command{
		Name:  "data",
		Usage: "list, fetch, describe, convert and make data sets",
		Subcommands: []*cli.Command{
			listCommand("data list", "list the registered data sets and their files", "", listData, dataDirFlag()),
			describeCommand(),
			fetchCommand(f), importCommand(f),
			convertCommand(),
			splitsCommand(),
			toyCommand(),
		},
	}
}

// listedDataset is a data set as "sml data list --json" prints it, with the settings of its published
// experiment.
type listedDataset struct {
	data.Dataset
	Epochs int    `json:"epochs"`
	Batch  int    `json:"batch"`
	Fold   []int  `json:"fold"`           // numbers of the folds that a study holds out
	Path   string `json:"path,omitempty"` // path of its file; "" if it was not found
}

// listData returns a table of the data sets and a list of the toy sets for people, and the data
// sets alone for --json. Toy sets are the sets that a function makes.
func listData(c *cli.Context) (string, any) {
	var sets []listedDataset
	var toys [][2]string
	t := terminal.NewTable(0, "data set", "rows", "features", "target", "epochs", "batch", "folds", "file")
	for _, d := range data.Datasets() {
		if d.Make != nil {
			toys = append(toys, [2]string{"  " + d.Name, d.Meaning})
			continue
		}
		path, _ := read.Locate(d.Name, c.String("data-dir")) // an error leaves path empty
		r := experiment.RecipeFor(d.Name, d.Rows)
		sets = append(sets, listedDataset{
			Dataset: d,
			Epochs:  r.Epochs,
			Batch:   r.Batch,
			Fold:    r.Folds,
			Path:    path,
		})
		t.AppendRow(table.Row{d.Name, d.Rows, d.Features, d.Target, r.Epochs, r.Batch, len(r.Folds), cmp.Or(path, "not found")})
	}
	return t.Render() + "\n\nToy sets, which need no file:\n" + strings.Join(terminal.Pairs(toys), "\n"), sets
}
