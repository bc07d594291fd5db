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

// Table is a table of the user, or a data set with chosen columns.
type Table struct {
	Data string `yaml:"data" json:"data"`           // path of a file, or name of a data set
	Name string `yaml:"name" json:"name,omitempty"` // name in cells and reports; default the file's name without folder and extension

	experiment.ReadOptions `yaml:",inline"`

	Splits strict.List[string] `yaml:"splits" json:"splits,omitempty"` // splits of this table; default the split that the options are for, or else the study's
}

// UnmarshalYAML reads a table from a mapping, or from a text with its Data alone.
func (t *Table) UnmarshalYAML(n *yaml.Node) error {
	if resolveAlias(n).Kind == yaml.ScalarNode {
		return n.Decode(&t.Data)
	}
	type plainTable Table // has no UnmarshalYAML
	return n.Decode((*plainTable)(t))
}

// isPlainDataset reports whether the table is a data set with its own columns, read as usual.
func (t Table) isPlainDataset() bool {
	_, err := data.Lookup(t.Data)
	return err == nil && reflect.DeepEqual(t, Table{Data: t.Data, Name: t.Name, Splits: t.Splits})
}

// source returns the source from which experiments read the table. It returns an error if a study cannot use the data,
// or if the options are not valid. It does not open the file.
func (t Table) source() (experiment.Source, error) {
	switch {
	case t.Data == "":
		return experiment.Source{}, errors.New("the data has no name: want a file, or a data set")
	case t.Data == "-" || t.Test == "-" || t.Data == experiment.StandardInput:
		return experiment.Source{}, errors.New("a study reads its tables more than once, and standard input is read once: name a file")
	case !utf8.ValidString(t.Data):
		return experiment.Source{}, fmt.Errorf("the file name %q is not valid UTF-8, which plans need; rename the file", t.Data)
	}
	return t.Source(t.Data)
}

// maxNameBytes is the largest length of a table's name. Names are parts of file names, which have at most 255 bytes.
const maxNameBytes = 60

// checkName returns an error if a name that a user gives a table cannot be part of a file name.
func checkName(name string) error {
	if strings.HasPrefix(name, ".") || len(name) > maxNameBytes || strings.ContainsFunc(name, isForbiddenInName) {
		return fmt.Errorf("the name %q: want at most %d letters, digits, dots, hyphens and underscores, not beginning with a dot", name, maxNameBytes)
	}
	return nil
}

// isForbiddenInName reports whether a table's name cannot have the character.
func isForbiddenInName(r rune) bool {
	return r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-", r)
}

// nameFromFile returns the default name of the table in a file: the file's name without folder and extension, with
// hyphens for characters that a name cannot have.
func nameFromFile(path string) string {
	name := trimExtension(filepath.Base(path), ".gz")
	name = trimExtension(name, filepath.Ext(name))
	words := strings.FieldsFunc(name, isForbiddenInName)
	name = strings.Join(words, "-")
	const roomForNumber = 4 // bytes that unusedName may append
	name = name[:min(len(name), maxNameBytes-roomForNumber)]
	name = strings.ToValidUTF8(name, "") // the cut may have split a letter
	name = strings.TrimLeft(name, ".")
	if name == "" {
		return "table"
	}
	return name
}

// trimExtension returns a file's name without the extension, or the whole name if it has nothing else.
func trimExtension(name, extension string) string {
	if name == extension {
		return name
	}
	return strings.TrimSuffix(name, extension)
}

// nameTables returns the tables with a unique name each. No table has the name of a data set, unless the table is that data
// set. It returns an error if the names that the user has chosen are not unique or not valid.
func nameTables(tables []Table, datasets []string) ([]Table, error) {
	taken, err := takenNames(tables, datasets)
	if err != nil {
		return nil, err
	}
	tables = slices.Clone(tables)
	for i, t := range tables {
		if t.Name == "" {
			name := t.unusedName(taken)
			tables[i].Name = name
			taken[name] = true
		}
	}
	return tables, nil
}

// takenNames returns the names of the data sets and the names that the user has chosen for tables.
func takenNames(tables []Table, datasets []string) (map[string]bool, error) {
	taken := make(map[string]bool)
	for _, name := range datasets {
		taken[name] = true
	}
	for _, t := range tables {
		if t.isPlainDataset() && slices.Contains(datasets, t.Data) {
			return nil, fmt.Errorf("%s is listed among the data sets and among the tables; remove one of them", t.Data)
		}
		if t.Name == "" {
			continue
		}
		if err := checkName(t.Name); err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Data, err)
		}
		if isDataset(t.Name) && !t.isPlainDataset() {
			return nil, fmt.Errorf("table %s: a data set is called %s; give the table another name", t.Data, t.Name)
		}
		if taken[t.Name] {
			return nil, fmt.Errorf("two tables are called %s; give each a name of its own", t.Name)
		}
		taken[t.Name] = true
	}
	return taken, nil
}

// unusedName returns the default name of the table, with a number if the name is taken or a data set has it.
func (t Table) unusedName(taken map[string]bool) string {
	base := nameFromFile(t.Data)
	name := base
	for n := 2; taken[name] || isDataset(name) && !t.isPlainDataset(); n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	return name
}

// isDataset reports whether a registered data set has the name.
func isDataset(name string) bool {
	_, err := data.Lookup(name)
	return err == nil
}
