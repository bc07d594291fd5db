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
	"sml/data/preparation"
	"sml/evaluation/experiment"
)

// Table is a table of the user's own, or a data set of which columns are chosen, with
// what is to be made of it: see data.Options and preparation.Options.
type Table struct {
	Data string `yaml:"data" json:"data"`           // a file, or the name of a data set
	Name string `yaml:"name" json:"name,omitempty"` // in cells and reports; default that of the file, without its folder and ending

	Target List[string] `yaml:"target" json:"target,omitempty"` // default the last column
	Drop   List[string] `yaml:"drop" json:"drop,omitempty"`
	Extra  List[string] `yaml:"extra" json:"extra,omitempty"`
	Weight string       `yaml:"weight" json:"weight,omitempty"`
	Header string       `yaml:"header" json:"header,omitempty"` // auto, yes or no

	Categorical List[string] `yaml:"categorical" json:"categorical,omitempty"`
	Numeric     List[string] `yaml:"numeric" json:"numeric,omitempty"`
	Date        List[string] `yaml:"date" json:"date,omitempty"`
	Ordinal     List[string] `yaml:"ordinal" json:"ordinal,omitempty"` // such as cut=Fair,Good,Ideal
	Missing     string       `yaml:"missing" json:"missing,omitempty"`
	Transform   string       `yaml:"transform" json:"transform,omitempty"` // of the targets

	// What splits need to know: one of a column and a file, which stands for its split
	// where Splits names none.
	Group       string  `yaml:"group" json:"group,omitempty"`               // column of the split group, no input
	Time        string  `yaml:"time" json:"time,omitempty"`                 // column of the split time
	FoldsColumn string  `yaml:"folds-column" json:"folds-column,omitempty"` // column of the split folds, no input
	Test        string  `yaml:"test" json:"test,omitempty"`                 // file of the split file
	TestShare   float64 `yaml:"test-share" json:"test-share,omitempty"`     // of the rows, of the split time; default 0.2

	Splits List[string] `yaml:"splits" json:"splits,omitempty"` // in place of the study's
}

// UnmarshalYAML reads a mapping, or a text that is the file's name alone.
func (t *Table) UnmarshalYAML(n *yaml.Node) error {
	if target(n).Kind == yaml.ScalarNode {
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

// source is the table as experiments read it. The error says what cannot be, whatever
// is in the file.
func (t Table) source() (experiment.Source, error) {
	s := experiment.Source{
		Name: t.Data, Target: t.Target, Drop: t.Drop, Extra: t.Extra, Weight: t.Weight, Header: data.Header(t.Header),
		Categorical: t.Categorical, Numeric: t.Numeric, Dates: t.Date,
		Options: preparation.Options{Keep: slices.Concat(t.Categorical, t.Numeric), Transform: t.Transform},
	}
	if s.Header == data.HeaderAuto {
		s.Header = ""
	}
	if s.Missing = preparation.Missing(t.Missing); s.Missing == preparation.Median {
		s.Missing = ""
	}
	for _, n := range t.needs() {
		if n.column == "" {
			s.Test = &experiment.TestFile{Name: n.value}
			continue
		}
		s.By = n.value
		s.ByAlone = slices.ContainsFunc(data.Splits(), func(k data.SplitKind) bool { return k.Name == n.kind && k.Apart })
	}
	for _, text := range t.Ordinal {
		order, ok := preparation.ParseOrder(text)
		if !ok {
			return s, fmt.Errorf("ordinal %q: want a column and its levels, such as cut=Fair,Good,Ideal", text)
		}
		s.Ordinal = append(s.Ordinal, order)
	}
	if !slices.Contains([]data.Header{"", data.HeaderYes, data.HeaderNo}, s.Header) {
		return s, fmt.Errorf("header %q: there is %s, %s, %s", t.Header, data.HeaderAuto, data.HeaderYes, data.HeaderNo)
	}
	if t.Data == "" {
		return s, errors.New("it names no data: want a file, or a data set")
	}
	if t.Data == "-" || t.Test == "-" || t.Data == experiment.StandardInput {
		return s, errors.New("a study reads its tables more than once, and standard input is read once: name a file")
	}
	if !utf8.ValidString(t.Data) {
		return s, fmt.Errorf("the name %q is not UTF-8, and plans are: rename the file", t.Data)
	}
	if known, err := data.Lookup(t.Data); err == nil {
		switch chosen := len(t.Target)+len(t.Drop)+len(t.Extra) > 0 || t.Weight != "" || s.By != ""; {
		case chosen && known.Make != nil:
			return s, errors.New("its columns are what they are: target, drop, extra, weight, group, time and folds-column are for files")
		case len(t.Categorical)+len(t.Numeric)+len(t.Date)+len(t.Ordinal) > 0 || s.Missing != "":
			return s, errors.New("it is all numbers, and read as it is: categorical, numeric, date, ordinal and missing are for files")
		case s.Header == data.HeaderNo:
			return s, errors.New("its columns have names: header is for files")
		}
	}
	return s, s.Options.Check()
}

// need is what a table says that a split needs.
type need struct {
	key, value string
	column     string // what the split calls the column; "": it is a file
	kind       string // the split that it stands for by itself
}

// needs are those that the table has.
func (t Table) needs() []need {
	all := []need{{"group", t.Group, "group", "group"}, {"time", t.Time, "time", "time"}, {"folds-column", t.FoldsColumn, "fold", "folds"}, {"test", t.Test, "", data.TestFile}}
	return slices.DeleteFunc(all, func(n need) bool { return n.value == "" })
}

// checkSplits returns an error if the table has not what its splits need, or more.
func (t Table) checkSplits(names []string) error {
	needs := t.needs()
	if len(needs) > 1 {
		return fmt.Errorf("%s and %s: its rows are split one way; list the file once for each", needs[0].key, needs[1].key)
	}
	used, shared := false, false
	for _, name := range names {
		kind := splitKind(name)
		uses := len(needs) > 0 && (needs[0].kind == name || needs[0].column != "" && needs[0].column == kind.Column)
		switch {
		case !uses && name == data.TestFile:
			return fmt.Errorf("the split %s needs the file: test", name)
		case !uses && kind.Column != "":
			return fmt.Errorf("the split %s needs a column that says the %s of each row: group, time or folds-column", name, kind.Column)
		case !uses && t.Test != "":
			return fmt.Errorf("test: all other rows are trained on, and it cannot be split by %s", name)
		}
		if used = used || uses; kind.AtShare != nil {
			shared = true
			if _, err := kind.WithShare(t.TestShare); err != nil {
				return err
			}
		}
	}
	switch {
	case len(needs) > 0 && !used:
		return fmt.Errorf("%s is for the split %s, and its splits are %s", needs[0].key, needs[0].kind, strings.Join(names, ", "))
	case t.TestShare != 0 && !shared:
		return errors.New("test-share is for the split time")
	}
	return nil
}

// longestName is that of a table, in bytes.
const longestName = 60

// checkName returns what is wrong with a name that a user gives a table: it is a part
// of names of files and of the bounds that a report is held to.
func checkName(name string) error {
	if strings.HasPrefix(name, ".") || len(name) > longestName || strings.ContainsFunc(name, notInName) {
		return fmt.Errorf("the name %q: want at most %d letters, digits, dots, hyphens and underscores, the first no dot", name, longestName)
	}
	return nil
}

func notInName(r rune) bool {
	return r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-", r)
}

// baseName is what a table is called by the name of its file.
func baseName(file string) string {
	name := filepath.Base(file)
	for _, ending := range []string{".gz", filepath.Ext(strings.TrimSuffix(name, ".gz"))} {
		if short := strings.TrimSuffix(name, ending); short != "" {
			name = short
		}
	}
	name = strings.Join(strings.FieldsFunc(name, notInName), "-")
	name = strings.ToValidUTF8(name[:min(len(name), longestName-4)], "") // room for a number
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
		name := baseName(t.Data)
		free := func(name string) bool {
			_, err := data.Lookup(name)
			return !taken[name] && (err != nil || t.plain())
		}
		for n := 2; !free(name); n++ {
			name = fmt.Sprintf("%s-%d", baseName(t.Data), n)
		}
		tables[i].Name, taken[name] = name, true
	}
	return tables, nil
}
