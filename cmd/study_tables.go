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
		if f.Names()[0] == "data" {
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
	var tables []study.Table
	for _, name := range c.StringSlice("data") {
		t := study.Table{Data: name, ReadOptions: readOptions(c)}
		if slices.ContainsFunc(tableSplitFlags(), func(f cli.Flag) bool { return c.IsSet(f.Names()[0]) }) {
			t.Splits = splitList(c.String("splits"))
		}
		tables = append(tables, t)
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

// noteTableNames prints the names of tables that do not follow from their files' names, since
// reports show these names. Tables have the same order in both configurations: asked is the user's, and planned has
// the names of the plan.
func noteTableNames(c *cli.Context, asked, planned study.Config) {
	for i, t := range planned.Tables {
		if base := filepath.Base(t.Data); asked.Tables[i].Name == "" && base != t.Name && !strings.HasPrefix(base, t.Name+".") {
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
		// Toy sets, which have Make, are computed and need no file.
		if d, err := data.Lookup(s.Name); err == nil && d.Make == nil {
			if _, err := read.Locate(s.Name, dir); err != nil {
				return nil, fmt.Errorf("%w (%w)", err, study.ErrMissingData)
			}
		}
		ctx, stop := showTransfer(ctx, c, "reading "+s.Name)
		defer stop()
		t, err := s.Read(ctx, dir, protocol)
		if errors.Is(err, read.ErrLabels) {
			err = fmt.Errorf("%w; the method classes learns labels", err)
		}
		if errors.Is(err, read.ErrHeader) {
			err = fmt.Errorf("%w with --header yes or --header no, or with header: among the tables of --config", err)
		}
		if errors.Is(err, read.ErrLastColumn) {
			err = fmt.Errorf("%w; --target names another column, or target: among the tables of --config", err)
		}
		if err == nil {
			noteTable(c, t)
		}
		return t, err
	}
}
