package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/summary"
	"sml/cmd/internal/terminal"
	"sml/data"
)

// recommendTraining returns the command that trains a model on the described table t, for a shell: with
// the user's options for reading the table, and with options that follow from the suspicions. argument is
// the name of the table on the command line. The result is "" if no input would remain.
func recommendTraining(c *cli.Context, argument string, t *data.Table, d describeResult) string {
	splitKind, splitColumn := d.recommendSplit()
	dropped := d.columnsToDrop(splitColumn, declaredColumns(c))
	unused := dropped // columns that are no inputs
	if splitKind == "group" {
		unused = append(slices.Clip(dropped), splitColumn)
	}
	if !d.hasInputBeside(unused) {
		return ""
	}
	words := []string{"sml", "train", "--data", argument}
	words = append(words, chosenTableFlags(c, unused)...)
	if !c.IsSet("target") {
		for _, target := range t.Targets {
			words = append(words, "--target", target)
		}
	}
	for _, name := range dropped {
		words = append(words, "--drop", name)
	}
	for _, column := range d.Columns {
		isUsed := column.Name != splitColumn && !slices.Contains(unused, column.Name)
		if column.IsBetterAsCategory && isUsed && !c.IsSet("numeric") { // a user who declares numbers has looked at them
			words = append(words, "--categorical", column.Name)
		}
	}
	if t.TargetFields != nil {
		words = append(words, "--method", "classes")
	}
	words = append(words, "--split", splitKind)
	if splitColumn != "" {
		words = append(words, "--"+splitKind, splitColumn)
	}
	words = append(words, "--out", "model")
	for i, word := range words {
		words[i] = terminal.ShellWord(word)
	}
	return strings.Join(words, " ")
}

// kindFlags are the flags that declare the kind of an input.
var kindFlags = []string{"categorical", "numeric", "date", "ordinal"}

// chosenTableFlags returns the words of all flags of dataFlags that the user has set, except for declarations of
// unused columns.
func chosenTableFlags(c *cli.Context, unused []string) (words []string) {
	for _, flag := range dataFlags()[1:] {
		name := flag.Names()[0]
		if !c.IsSet(name) {
			continue
		}
		if _, isList := flag.(*cli.StringSliceFlag); !isList {
			words = append(words, "--"+name, fmt.Sprint(c.Value(name)))
			continue
		}
		for _, value := range c.StringSlice(name) {
			if slices.Contains(kindFlags, name) && slices.Contains(unused, declaredColumn(value)) {
				continue
			}
			words = append(words, "--"+name, value)
		}
	}
	return words
}

// declaredColumns returns the columns whose kind the user has declared.
func declaredColumns(c *cli.Context) (columns []string) {
	for _, name := range kindFlags {
		for _, value := range c.StringSlice(name) {
			columns = append(columns, declaredColumn(value))
		}
	}
	return columns
}

// declaredColumn returns the column of a declaration, such as size for size=S,M,L.
func declaredColumn(declaration string) string {
	column, _, _ := strings.Cut(declaration, "=")
	return column
}

// recommendSplit returns the split for the table, and the column that it follows, "" if it follows none. Of
// several columns that may name groups it follows the one with the most groups, which keeps most inputs.
func (d describeResult) recommendSplit() (kind, column string) {
	for _, s := range d.Suspicions {
		if s.Kind == summary.Time {
			return "time", s.Column
		}
	}
	const minGroups = 10 // as many as folds
	most := minGroups - 1
	for _, s := range d.Suspicions {
		if s.Kind != summary.Groups {
			continue
		}
		if c := d.column(s.Column); c.Missing == 0 && c.Distinct > most {
			most = c.Distinct
			column = c.Name
		}
	}
	if column == "" {
		return "random", ""
	}
	return "group", column
}

// column returns the column with a name.
func (d describeResult) column(name string) describedColumn {
	i := slices.IndexFunc(d.Columns, func(c describedColumn) bool { return c.Name == name })
	return d.Columns[i]
}

// columnsToDrop returns the inputs that give a target away, or name or number the rows, in the order of the
// table. The column that the split follows is not among them, and no declared column is dropped because it
// names or numbers the rows.
func (d describeResult) columnsToDrop(splitColumn string, declared []string) (names []string) {
	isSuspicious := make(map[string]bool)
	for _, s := range d.Suspicions {
		switch s.Kind {
		case summary.LikeTarget:
			isSuspicious[s.Column] = true
		case summary.Counter, summary.Identifier:
			isSuspicious[s.Column] = isSuspicious[s.Column] || !slices.Contains(declared, s.Column)
		case summary.Combination:
			for _, name := range s.Drop {
				isSuspicious[name] = true
			}
		}
	}
	for _, c := range d.Columns {
		if isSuspicious[c.Name] && c.Role == summary.Input && c.Name != splitColumn {
			names = append(names, c.Name)
		}
	}
	return names
}

// hasInputBeside reports whether train has an input beside the unused columns.
func (d describeResult) hasInputBeside(unused []string) bool {
	return slices.ContainsFunc(d.Columns, func(c describedColumn) bool {
		return c.Role == summary.Input && !c.isLeftOut && !slices.Contains(unused, c.Name)
	})
}
