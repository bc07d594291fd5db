package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/safefile"
	"sml/models"
)

// source says which rows a model was trained on, as model.json keeps it:
// enough to read the same table and cut it the same way again.
type source struct {
	Data   string   `json:"data"` // name of a data set, or a file as it was given
	Target []string `json:"target,omitempty"`
	Drop   []string `json:"drop,omitempty"`
	Header string   `json:"header,omitempty"`

	// Layout says where the columns stood in the file; nil in models of a time
	// when it was not kept: it is not known.
	Layout *data.Layout `json:"layout,omitempty"`

	Rows     int    `json:"rows"`
	Checksum string `json:"sha256"` // of the table's names and values
	Split    string `json:"split"`
	Fold     int    `json:"fold"`
	Seed     uint64 `json:"split_seed"`
	Mode     string `json:"mode"`
}

// noSplit is the split that trains on all rows.
const noSplit = "none"

func dataFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "data", Usage: "a data set or toy set (see \"sml data list\"), or a `FILE`.csv, also .gz"},
		dataDirFlag(),
		&cli.StringSliceFlag{Name: "target", Usage: "target `COLUMN` by name or number; repeat the flag for several (default: the last)"},
		&cli.StringSliceFlag{Name: "drop", Usage: "`COLUMN` to leave out, by name or number; repeat the flag for several"},
		headerFlag("the file"),
	}
}

func dataDirFlag() cli.Flag {
	return &cli.StringFlag{Name: "data-dir", Usage: "`DIR` with the data sets' files", DefaultText: "$SML_DATA, then the user's cache"}
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

// heeded refuses flags of dataFlags that the table has no use for: unheeded they
// would be taken for done.
func heeded(c *cli.Context, name string) error {
	d, err := data.Lookup(name)
	switch {
	case err != nil:
	case d.Make != nil && len(c.StringSlice("target"))+len(c.StringSlice("drop")) > 0:
		return usage("--target and --drop: the columns of %s are what they are; write it to a file with \"sml data toy %[1]s --out FILE.csv\" and choose there", name)
	case c.String("header") == string(data.HeaderNo):
		return usage("--header no: the columns of %s have names", name)
	}
	return nil
}

// readTable reads the table that a source names.
func readTable(ctx context.Context, s source, dir string) (*data.Table, error) {
	t, err := readSource(ctx, s, dir)
	if errors.Is(err, data.ErrNoColumn) && slices.ContainsFunc(slices.Concat(s.Target, s.Drop), func(name string) bool { return strings.Contains(name, ",") }) {
		err = fmt.Errorf("%w: --target and --drop take one column each, and may be repeated", err)
	}
	if errors.Is(err, data.ErrHeader) {
		err = fmt.Errorf("%w with --header yes or --header no", err)
	}
	return t, interruption(err)
}

func readSource(ctx context.Context, s source, dir string) (*data.Table, error) {
	mode, err := data.ParseProtocol(s.Mode)
	if err != nil {
		return nil, err
	}
	if s.Data == "" {
		return nil, usage("--data is missing: name a data set or a file")
	}
	if len(s.Target)+len(s.Drop) > 0 {
		mode = data.Sound // all rows of a data set
	}
	return readNamed(ctx, s.Data, dir, mode, s.Seed, data.Options{Targets: s.Target, Drop: s.Drop, Header: s.header()})
}

// readNamed reads a data set or a file.
func readNamed(ctx context.Context, name, dir string, mode data.Protocol, seed uint64, o data.Options) (*data.Table, error) {
	_, unknown := data.Lookup(name)
	if unknown == nil {
		return data.LoadColumns(ctx, name, dir, mode, seed, o)
	}
	t, err := data.ReadFile(ctx, name, o)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, `./\`) { // it could be the name of a data set
		err = fmt.Errorf("%w; nor is it a file", unknown)
	}
	return t, err
}

// header is what was asked for, or, of a table that was read before, what was found.
func (s source) header() data.Header {
	switch {
	case s.Layout == nil:
		return data.Header(s.Header)
	case s.Layout.Header:
		return data.HeaderYes
	}
	return data.HeaderNo
}

// cut returns the rows of a source's table that are trained and tested on.
// Without a split all rows are trained on and none is tested.
func (s source) cut(ctx context.Context, t *data.Table) (data.Split, error) {
	if s.Split == noSplit {
		all := make([]int, t.Rows())
		for i := range all {
			all[i] = i
		}
		return data.Split{Train: all}, nil
	}
	split, err := t.Split(ctx, s.Split, s.Fold, data.Protocol(s.Mode), s.Seed)
	return split, interruption(err)
}

func names(list []models.Column) []string {
	var names []string
	for _, c := range list {
		names = append(names, c.Name)
	}
	return names
}

// loadModel reads a model, and tells if its files are not those that were
// written together: what it predicts may be of no training.
func loadModel(c *cli.Context, dir string) (*models.Model, error) {
	dir = safefile.Path(dir)
	m, err := models.Load(dir)
	if err != nil {
		return nil, err
	}
	changed, err := models.Changed(dir)
	for _, path := range changed {
		fmt.Fprintf(c.App.ErrWriter, "sml: %s has been changed since it was written: it is read as it is\n", path)
	}
	if err != nil {
		fmt.Fprintf(c.App.ErrWriter, "sml: whether %s is as it was written cannot be told: %v\n", dir, err)
	}
	return m, nil
}

// trainedOn reads what a model's file says of the rows that it was trained on.
func trainedOn(m *models.Model) (source, error) {
	var s source
	if len(m.Data) == 0 {
		return s, nil
	}
	if err := json.Unmarshal(m.Data, &s); err != nil {
		return s, fmt.Errorf("model.json: data: %w", err)
	}
	return s, nil
}

// columnsOf says how a model's columns are found in a table: by name, and in a
// file without a header by the places that they had in the training table's.
func columnsOf(m *models.Model, trained source, header string, withoutTargets bool) data.Options {
	o := data.Options{Inputs: names(m.Inputs), Targets: names(m.Targets), NoTarget: withoutTargets, Header: data.Header(header), Layout: trained.Layout}
	if o.Layout == nil {
		o.Layout = trained.oldLayout(o.Inputs, o.Targets)
	}
	return o
}

// oldLayout is what the source of a model that keeps no layout tells of it: the
// names x1, x2, … are those of places, and where no column was chosen the target
// was the last of all. Whether there was a header is not known, so that a file
// without one is read all the same.
func (s source) oldLayout(inputs, targets []string) *data.Layout {
	all := slices.Concat(inputs, targets)
	places := make([]int, len(all))
	seen := make(map[int]bool)
	for i, name := range all {
		n, err := strconv.Atoi(strings.TrimPrefix(name, "x"))
		if err != nil || name != "x"+strconv.Itoa(n) || n < 1 || n > len(all) || seen[n] {
			places = nil
			break
		}
		places[i], seen[n] = n, true
	}
	if places == nil && len(s.Target) == 0 && len(s.Drop) == 0 {
		for i := range all {
			places = append(places, i+1)
		}
	}
	if places == nil {
		return new(data.Layout)
	}
	return &data.Layout{Columns: len(all), Inputs: places[:len(inputs)], Targets: places[len(inputs):]}
}

// warn tells what there is to say of a table that is read.
func warn(c *cli.Context, t *data.Table) {
	if t.Differs != "" {
		fmt.Fprintf(c.App.ErrWriter, "sml: %s\n", t.Differs)
	}
	doubtHeader(c, t.Note)
}

func doubtHeader(c *cli.Context, note string) {
	if note != "" {
		fmt.Fprintf(c.App.ErrWriter, "sml: %s; --header yes or no decides\n", note)
	}
}
