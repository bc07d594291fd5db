package cmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/evaluation/study"
)

// studyTableFlags are those of train's that say what a table is, for several tables.
func studyTableFlags() []cli.Flag {
	flags := slices.Concat(dataFlags(), ownSplitFlags())
	for i, f := range flags {
		if f.Names()[0] == "data" {
			flags[i] = &cli.StringSliceFlag{Name: "data", Usage: "add a table of your own, a `FILE` in any format that train reads; repeat the flag for several; the flags below apply to all of them (for flags of one table use tables in --config)"}
		}
	}
	return flags
}

// ownSplitFlags are those of train's that say what the split of a table needs.
func ownSplitFlags() []cli.Flag {
	return slices.DeleteFunc(splitFlags(), func(f cli.Flag) bool { return f.Names()[0] == "split" || f.Names()[0] == "fold" })
}

// studyTablesOf are the tables of the command line.
func studyTablesOf(c *cli.Context) []study.Table {
	var tables []study.Table
	for _, name := range c.StringSlice("data") {
		t := study.Table{Data: name, ReadOptions: readOptions(c)}
		if slices.ContainsFunc(ownSplitFlags(), func(f cli.Flag) bool { return c.IsSet(f.Names()[0]) }) {
			t.Splits = list(c.String("splits"))
		}
		tables = append(tables, t)
	}
	return tables
}

// withoutTable refuses flags that speak of a table where none is named.
func withoutTable(c *cli.Context) error {
	if len(c.StringSlice("data")) > 0 {
		return nil
	}
	for _, f := range slices.Concat(dataFlags(), ownSplitFlags()) {
		if name := f.Names()[0]; name != "data-dir" && c.IsSet(name) {
			return usage("--%s is for tables of --data, and none is named; in --config it is a key of a table", name)
		}
	}
	return nil
}

// notSeveral refuses names of data sets with commas between them where a table is named.
func notSeveral(tables []string) error {
	for _, name := range tables {
		if names := list(name); len(names) > 1 && checkDatasets(names) == nil {
			return usage("--data %s: that is one table; --datasets %s names several data sets", name, name)
		}
	}
	return nil
}

// checkDatasets answers a name that is no data set by those that there are.
func checkDatasets(names []string) error {
	for _, name := range names {
		if _, err := data.Lookup(name); err != nil {
			return usage("%w; a table of your own goes with --data, or among the tables of --config", err)
		}
	}
	return nil
}

// tellTables says what tables are called whose names do not follow from their files'.
func tellTables(c *cli.Context, asked, planned study.Config) {
	for i, t := range planned.Tables {
		if base := filepath.Base(t.Data); asked.Tables[i].Name == "" && base != t.Name && !strings.HasPrefix(base, t.Name+".") {
			note(c, "%s is called %s in this study; a name of its own is a key of tables in --config", t.Data, t.Name)
		}
	}
}
