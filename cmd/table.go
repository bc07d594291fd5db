package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/models"
)

// source says which rows a model was trained on, as model.json keeps it:
// enough to read the same table and cut it the same way again.
type source struct {
	Data     string   `json:"data"` // name of a data set, or a file as it was given
	Target   []string `json:"target,omitempty"`
	Drop     []string `json:"drop,omitempty"`
	Header   string   `json:"header,omitempty"`
	Rows     int      `json:"rows"`
	Checksum string   `json:"sha256"` // of the table's names and values
	Split    string   `json:"split"`
	Fold     int      `json:"fold"`
	Seed     uint64   `json:"split_seed"`
	Mode     string   `json:"mode"`
}

// noSplit is the split that trains on all rows.
const noSplit = "none"

func dataFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "data", Usage: "a data set or toy set (see \"sml data list\"), or a `FILE`.csv, also .gz"},
		&cli.StringFlag{Name: "data-dir", Usage: "`DIR` with the data sets' files (default: $SML_DATA, then the user's cache)"},
		&cli.StringSliceFlag{Name: "target", Usage: "target `COLUMN` by name or number, may be repeated (default: the last)"},
		&cli.StringSliceFlag{Name: "drop", Usage: "`COLUMN` to leave out, may be repeated"},
		headerFlag("the file"),
	}
}

func headerFlag(file string) cli.Flag {
	return &cli.StringFlag{
		Name: "header", Value: string(data.HeaderAuto), Usage: "`WHETHER` the first row of " + file + " names the columns: auto, yes, no",
		Action: func(_ *cli.Context, v string) error {
			switch data.Header(v) {
			case data.HeaderAuto, data.HeaderYes, data.HeaderNo:
				return nil
			}
			return usage("--header %q: there is auto, yes, no", v)
		},
	}
}

// readTable reads the table that a source names.
func readTable(s source, dir string) (*data.Table, error) {
	mode, err := data.ParseMode(s.Mode)
	if err != nil {
		return nil, err
	}
	_, unknownSet := data.Lookup(s.Data)
	switch {
	case s.Data == "":
		return nil, usage("--data is missing: name a data set or a file")
	case isToy(s.Data):
		return data.Generate(s.Data, s.Seed)
	case unknownSet == nil && len(s.Target) == 0 && len(s.Drop) == 0:
		return data.Load(s.Data, dir, mode)
	case unknownSet == nil:
		path, err := data.Locate(s.Data, dir)
		if err != nil {
			return nil, err
		}
		return data.ReadFile(path, data.Options{Targets: s.Target, Drop: s.Drop})
	}
	t, err := data.ReadFile(s.Data, data.Options{Targets: s.Target, Drop: s.Drop, Header: data.Header(s.Header)})
	return t, unknown(s.Data, err)
}

// unknown answers a file that there is not by the known data sets, if its name
// could be one of theirs.
func unknown(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, `./\`) {
		return fmt.Errorf("%q is neither a data set (%s), nor a toy set (%s), nor a file", name, setNames(), toyNames())
	}
	return err
}

func isToy(name string) bool {
	return slices.ContainsFunc(data.Toys(), func(t data.Toy) bool { return t.Name == name })
}

func setNames() string {
	var names []string
	for _, d := range data.Datasets() {
		names = append(names, d.Name)
	}
	return strings.Join(names, ", ")
}

func toyNames() string {
	var names []string
	for _, t := range data.Toys() {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}

// cut returns the rows of a source's table that are trained and tested on.
// Without a split all rows are trained on and none is tested.
func (s source) cut(t *data.Table) (data.Split, error) {
	if s.Split == noSplit {
		all := make([]int, t.Rows())
		for i := range all {
			all[i] = i
		}
		return data.Split{Train: all}, nil
	}
	return t.Split(s.Split, s.Fold, data.Mode(s.Mode), s.Seed)
}

func names(list []models.Column) []string {
	var names []string
	for _, c := range list {
		names = append(names, c.Name)
	}
	return names
}

// readFor reads the rows of a file for a model: its inputs, and its targets
// unless withoutTargets.
func readFor(m *models.Model, path, header string, withoutTargets bool) (*data.Table, error) {
	return data.ReadFile(path, optionsFor(m, header, withoutTargets))
}

// readFrom reads rows of a model's inputs from a stream, such as a terminal,
// that may never end: when ctx ends, the reading is left to itself.
func readFrom(ctx context.Context, in io.Reader, m *models.Model, header string) (*data.Table, error) {
	type result struct {
		table *data.Table
		err   error
	}
	read := make(chan result, 1)
	go func() {
		t, err := data.Read(in, "standard input", optionsFor(m, header, true))
		read <- result{t, err}
	}()
	select {
	case r := <-read:
		return r.table, r.err
	case <-ctx.Done():
		return nil, errInterrupted
	}
}

func optionsFor(m *models.Model, header string, withoutTargets bool) data.Options {
	return data.Options{Inputs: names(m.Inputs), Targets: names(m.Targets), NoTarget: withoutTargets, Header: data.Header(header)}
}
