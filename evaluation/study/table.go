package study

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/internal/strict"
)

// Table is a table of the user's own, or a data set with chosen columns.
type Table struct {
	Data string `yaml:"data" json:"data"`           // a file, or the name of a data set
	Name string `yaml:"name" json:"name,omitempty"` // in cells and reports; default that of the file, without its folder and ending

	experiment.ReadOptions `yaml:",inline"`

	Splits strict.List[string] `yaml:"splits" json:"splits,omitempty"` // in place of the study's; default the split of the options
}

// UnmarshalYAML reads a mapping, or a text that is the file's name alone.
func (t *Table) UnmarshalYAML(n *yaml.Node) error {
	if resolveAlias(n).Kind == yaml.ScalarNode {
		return n.Decode(&t.Data)
	}
	type plain Table
	return n.Decode((*plain)(t))
}

// plain tells whether it is a data set as it is.
func (t Table) plain() bool {
	_, err := data.Lookup(t.Data)
	return err == nil && reflect.DeepEqual(t, Table{Data: t.Data, Name: t.Name, Splits: t.Splits})
}

// source returns the table as experiments read it. It returns an error if no table of
// this name can be read with the options.
func (t Table) source() (experiment.Source, error) {
	switch {
	case t.Data == "":
		return experiment.Source{}, errors.New("the data has no name: want a file, or a data set")
	case t.Data == "-" || t.Test == "-" || t.Data == experiment.StandardInput:
		return experiment.Source{}, errors.New("a study reads its tables more than once, and standard input is read once: name a file")
	case !utf8.ValidString(t.Data):
		return experiment.Source{}, fmt.Errorf("the name %q is not UTF-8, and plans are: rename the file", t.Data)
	}
	return t.Source(t.Data)
}

// maxNameBytes is that of a table, in bytes.
const maxNameBytes = 60

// checkName returns what is wrong with a name that a user gives a table: it is a part
// of names of files and of the bounds that a report is held to.
func checkName(name string) error {
	if strings.HasPrefix(name, ".") || len(name) > maxNameBytes || strings.ContainsFunc(name, isForbiddenInName) {
		return fmt.Errorf("the name %q: want at most %d letters, digits, dots, hyphens and underscores, the first no dot", name, maxNameBytes)
	}
	return nil
}

func isForbiddenInName(r rune) bool {
	return r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-", r)
}

// nameFromFile is what a table is called by the name of its file.
func nameFromFile(file string) string {
	name := filepath.Base(file)
	for _, ending := range []string{".gz", filepath.Ext(strings.TrimSuffix(name, ".gz"))} {
		if short := strings.TrimSuffix(name, ending); short != "" {
			name = short
		}
	}
	name = strings.Join(strings.FieldsFunc(name, isForbiddenInName), "-")
	name = strings.ToValidUTF8(name[:min(len(name), maxNameBytes-4)], "") // room for a number
	if name = strings.TrimLeft(name, "."); name == "" {
		return "table"
	}
	return name
}

// nameTables gives every table a name that no other and no data set has: one of a
// data set would be taken for it. Two that a user has chosen are an error.
func nameTables(tables []Table, datasets []string) ([]Table, error) {
	taken := make(map[string]bool)
	for _, name := range datasets {
		taken[name] = true
	}
	for _, t := range tables {
		if t.plain() && slices.Contains(datasets, t.Data) {
			return nil, fmt.Errorf("%s is listed among the data sets and among the tables", t.Data)
		}
		if t.Name == "" {
			continue
		}
		if err := checkName(t.Name); err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Data, err)
		}
		if _, err := data.Lookup(t.Name); err == nil && !t.plain() {
			return nil, fmt.Errorf("table %s: a data set is called %s: give the table another name", t.Data, t.Name)
		}
		if taken[t.Name] {
			return nil, fmt.Errorf("two tables are called %s: give each a name of its own", t.Name)
		}
		taken[t.Name] = true
	}
	tables = slices.Clone(tables)
	for i, t := range tables {
		if t.Name != "" {
			continue
		}
		name := nameFromFile(t.Data)
		free := func(name string) bool {
			_, err := data.Lookup(name)
			return !taken[name] && (err != nil || t.plain())
		}
		for n := 2; !free(name); n++ {
			name = fmt.Sprintf("%s-%d", nameFromFile(t.Data), n)
		}
		tables[i].Name, taken[name] = name, true
	}
	return tables, nil
}
