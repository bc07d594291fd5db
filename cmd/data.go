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
			listDataCommand(),
			describeCommand(),
			fetchCommand(f), importCommand(f),
			convertCommand(),
			splitsCommand(),
			toyCommand(),
		},
	}
}

// listDataCommand returns the command "sml data list".
func listDataCommand() *cli.Command {
	return listCommand("data list", "list the registered data sets and their files", listData, dataDirFlag())
}

// listedDataset is a data set as "sml data list --json" prints it, with the settings of its published
// experiment.
type listedDataset struct {
	data.Dataset
	Epochs int    `json:"epochs"`         // epochs of a training
	Batch  int    `json:"batch"`          // rows of a batch
	Fold   []int  `json:"fold"`           // numbers of the folds that a study holds out
	Path   string `json:"path,omitempty"` // path of its file; "" if it was not found
}

// listData returns a table of the data sets and a list of the toy sets for people, and the data
// sets alone for --json. Toy sets are the sets that a function makes.
func listData(c *cli.Context) (text string, asJSON any) {
	var sets []listedDataset
	var toys []terminal.Pair
	for _, d := range data.Datasets() {
		isToy := d.Make != nil
		if isToy {
			toys = append(toys, terminal.Pair{Term: "  " + d.Name, Meaning: d.Meaning})
		} else {
			sets = append(sets, newListedDataset(d, c.String("data-dir")))
		}
	}
	text = datasetTable(sets) + "\n\nToy sets, which need no file:\n" + strings.Join(terminal.Pairs(toys), "\n")
	return text, sets
}

// newListedDataset returns a data set with the settings of its published experiment, and with the path of
// its file if the file is in dataDir or the other folders of data sets.
func newListedDataset(d data.Dataset, dataDir string) listedDataset {
	path, _ := read.Locate(d.Name, dataDir) // a missing file is no error of a list
	recipe := experiment.RecipeFor(d.Name, d.Rows)
	return listedDataset{
		Dataset: d,
		Epochs:  recipe.Epochs,
		Batch:   recipe.Batch,
		Fold:    recipe.Folds,
		Path:    path,
	}
}

// datasetTable returns a table with a row for each data set.
func datasetTable(sets []listedDataset) string {
	t := terminal.NewTable(0, "DATA SET", "ROWS", "FEATURES", "TARGET", "EPOCHS", "BATCH", "FOLDS", "FILE")
	for _, d := range sets {
		t.AppendRow(table.Row{
			d.Name,
			d.Rows,
			d.Features,
			d.Target,
			d.Epochs,
			d.Batch,
			len(d.Fold),
			cmp.Or(d.Path, "not found"),
		})
	}
	return t.Render()
}
