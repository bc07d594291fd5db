package cmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/read"
	"sml/evaluation/experiment"
	"sml/evaluation/study"
)

// studyDataFlags returns the flags of train that describe a table. --data may be repeated.
func studyDataFlags() []cli.Flag {
	flags := dataFlags()
	for i, f := range flags {
		if f.Names()[0] == "data" { // the other names are aliases
			flags[i] = &cli.StringSliceFlag{Name: "data", Usage: "add a table of your own, a `FILE` in any format that train reads; repeat the flag for several; options of tables apply to all of them (to describe each table, use tables in --config)"}
		}
	}
	return flags
}

// tableSplitFlags returns the flags of train that configure a table's split, without --split and
// --fold.
func tableSplitFlags() []cli.Flag {
	return withoutFlags(splitFlags(), "split", "fold")
}

// chosenTables returns a table for each --data, with the options of tables that the flags choose. If a flag
// configures a table's split, the tables get the splits of --splits as their own.
func chosenTables(c *cli.Context) []study.Table {
	var splits []string // nil: the tables get the study's splits, as the data sets do
	isSplitFlagSet := slices.ContainsFunc(tableSplitFlags(), func(f cli.Flag) bool { return c.IsSet(f.Names()[0]) })
	if isSplitFlagSet {
		splits = splitList(c.String("splits"))
	}
	var tables []study.Table
	for _, name := range c.StringSlice("data") {
		tables = append(tables, study.Table{Data: name, ReadOptions: readOptions(c), Splits: slices.Clone(splits)})
	}
	return tables
}

// checkTableFlags returns an error for a flag that describes a table if no table is named.
func checkTableFlags(c *cli.Context) error {
	if len(c.StringSlice("data")) > 0 {
		return nil
	}
	for _, f := range slices.Concat(dataFlags(), tableSplitFlags()) {
		name := f.Names()[0]
		if name != "data-dir" && c.IsSet(name) { // data sets need --data-dir, too
			return usageErrorf("--%s is for tables of --data, and none is named; in --config it is a key of a table", name)
		}
	}
	return nil
}

// checkOneTable returns an error if a name of a table consists of several data sets with commas
// between them.
func checkOneTable(tables []string) error {
	for _, name := range tables {
		names := splitList(name)
		if len(names) > 1 && checkDatasets(names) == nil {
			return usageErrorf("--data %s: that is one table; --datasets %s names several data sets", name, name)
		}
	}
	return nil
}

// checkDatasets returns a usage error, which lists the data sets, if a name is unknown.
func checkDatasets(names []string) error {
	for _, name := range names {
		if _, err := data.Lookup(name); err != nil {
			return usageErrorf("%w; a table of your own goes with --data, or among the tables of --config", err)
		}
	}
	return nil
}

// noteTableNames prints the names that the plan gave to tables and that their files' names do not
// suggest, since reports show these names. requested is the user's configuration, and planned the plan's;
// their tables have the same order.
func noteTableNames(c *cli.Context, requested, planned study.Config) {
	for i, t := range planned.Tables {
		fileName := filepath.Base(t.Data)
		isChosen := requested.Tables[i].Name != "" // by the user
		isFileName := fileName == t.Name || strings.HasPrefix(fileName, t.Name+".")
		if !isChosen && !isFileName {
			note(c, "%s is called %s in this study; a name of its own is a key of tables in --config", t.Data, t.Name)
		}
	}
}

// studyTables returns a function that reads a table of a study and prints the remarks on it. Its errors
// wrap study.ErrMissingData for a data set whose file is missing, so that a study can leave it out, and
// name the flag or key that would help.
func studyTables(c *cli.Context) study.Reader {
	dir := c.String("data-dir")
	return func(ctx context.Context, s experiment.Source, protocol data.Protocol) (*data.Table, error) {
		if err := checkDataFile(s.Name, dir); err != nil {
			return nil, err
		}
		ctx, stop := showTransfer(ctx, c, "reading "+s.Name)
		defer stop()
		t, err := s.Read(ctx, dir, protocol)
		if err != nil {
			return t, suggestTableKey(err)
		}
		noteTable(c, t)
		return t, nil
	}
}

// checkDataFile returns an error that wraps study.ErrMissingData if name is a data set without a file, in
// dir or the other folders of data sets. It does not check a toy set, which a function makes (Make), or a
// file of the user, which must exist.
func checkDataFile(name, dir string) error {
	d, err := data.Lookup(name)
	isRegistered := err == nil
	if !isRegistered || d.Make != nil {
		return nil
	}
	if _, err := read.Locate(name, dir); err != nil {
		return fmt.Errorf("%w (%w)", err, study.ErrMissingData)
	}
	return nil
}

// suggestTableKey adds to an error of reading a table the flags and keys that would help. One error may
// have several causes.
func suggestTableKey(err error) error {
	advised := withTableFlags(err)
	if errors.Is(err, read.ErrHeader) {
		advised = fmt.Errorf("%w, or with header: among the tables of --config", advised)
	}
	if errors.Is(err, read.ErrLastColumn) {
		advised = fmt.Errorf("%w, or target: among the tables of --config", advised)
	}
	return advised
}
