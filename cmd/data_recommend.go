package cmd

import (
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
	split := d.recommendSplit()
	dropped := d.columnsToDrop(split, declaredColumns(c))
	unused := split.unusedColumns(dropped)
	if !d.hasInputBeside(unused) {
		return ""
	}
	isUnused := func(declaration string) bool { return slices.Contains(unused, declaredColumn(declaration)) }
	words := []string{"sml", "train", "--data", argument}
	words = append(words, chosenTableFlags(c, isUnused)...)
	if !c.IsSet("target") {
		words = append(words, flagWords("target", t.Targets...)...)
	}
	words = append(words, flagWords("drop", dropped...)...)
	words = append(words, flagWords("na", slices.DeleteFunc(d.flagValues("na"), isUnused)...)...)
	if !c.IsSet("missing") {
		words = append(words, flagWords("missing", d.flagValues("missing")...)...)
	}
	if !c.IsSet("numeric") { // a user who declares numbers has looked at them
		words = append(words, flagWords("categorical", slices.DeleteFunc(d.flagValues("categorical"), isUnused)...)...)
		words = append(words, flagWords("date", slices.DeleteFunc(d.flagValues("date"), isUnused)...)...)
	}
	if t.TargetFields != nil {
		words = append(words, "--method", "classes")
	}
	words = append(words, split.flags()...)
	words = append(words, "--out", "model")
	return terminal.ShellCommand(words...)
}

// flagValues returns the values of a flag that suspicions of the given kinds, or of all kinds, advise.
func (d describeResult) flagValues(flag string, kinds ...summary.Kind) (values []string) {
	for _, s := range d.Suspicions {
		for _, f := range s.Flags {
			if f.Name == flag && (kinds == nil || slices.Contains(kinds, s.Kind)) {
				values = append(values, f.Value)
			}
		}
	}
	return values
}

// kindFlags are the flags that declare the kind of an input.
var kindFlags = []string{"categorical", "numeric", "date", "ordinal"}

// chosenTableFlags returns the words of all flags of dataFlags that the user has set, except for declarations of
// unused columns.
func chosenTableFlags(c *cli.Context, isUnused func(declaration string) bool) (words []string) {
	for _, f := range dataFlags()[1:] {
		name := f.Names()[0]
		if slices.Contains(kindFlags, name) {
			used := slices.DeleteFunc(slices.Clone(c.StringSlice(name)), isUnused)
			words = append(words, flagWords(name, used...)...)
		} else {
			words = append(words, chosenWords(c, f)...)
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

// recommendedSplit is the split of the recommended training. All rows are trained on if its kind is "".
type recommendedSplit struct {
	kind   string // "time", "group", "random" or ""
	column string // column that the split follows; "" if it follows none
}

// recommendSplit returns the split for the table. Of several columns that name groups it follows the one with
// the most groups, which leaves out the least.
func (d describeResult) recommendSplit() recommendedSplit {
	const minRows = 10 // one for each fold
	if d.Rows < minRows {
		return recommendedSplit{}
	}
	times := d.flagValues("time")
	if len(times) > 0 {
		return recommendedSplit{kind: "time", column: times[0]}
	}
	groups := ""
	most := 0
	for _, name := range d.flagValues("group") {
		distinct := d.column(name).Distinct
		if distinct > most && d.hasInputBeside([]string{name}) {
			most = distinct
			groups = name
		}
	}
	if groups != "" {
		return recommendedSplit{kind: "group", column: groups}
	}
	return recommendedSplit{kind: "random"}
}

// unusedColumns returns the columns that are no inputs of the training: the dropped ones, and the column of
// groups.
func (s recommendedSplit) unusedColumns(dropped []string) []string {
	if s.kind == "group" {
		return append(slices.Clip(dropped), s.column)
	}
	return dropped
}

// flags returns the flags of train for the split, none for the split at random that train has by default.
func (s recommendedSplit) flags() []string {
	if s.column == "" {
		return nil
	}
	return []string{"--split", s.kind, "--" + s.kind, s.column}
}

// column returns the column with a name.
func (d describeResult) column(name string) describedColumn {
	i := slices.IndexFunc(d.Columns, func(c describedColumn) bool { return c.Name == name })
	return d.Columns[i]
}

// columnsToDrop returns the inputs that give a target away, or name or number the rows, in the order of the
// table. The column that the split follows is not among them, and no declared column is dropped because it
// names or numbers the rows.
func (d describeResult) columnsToDrop(split recommendedSplit, declared []string) (names []string) {
	dropped := d.flagValues("drop", summary.LikeTarget, summary.Combination)
	for _, name := range d.flagValues("drop", summary.Counter, summary.Identifier) {
		if !slices.Contains(declared, name) {
			dropped = append(dropped, name)
		}
	}
	for _, c := range d.Columns {
		if slices.Contains(dropped, c.Name) && c.Role == summary.Input && c.Name != split.column {
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
