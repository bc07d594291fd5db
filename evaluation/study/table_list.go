package study

import "sml/evaluation/experiment"

// tableEntry is a data set or table of a resolved configuration.
type tableEntry struct {
	name         string // name in cells and reports
	source       experiment.Source
	splits       []string
	testFraction float64 // fraction of the rows to hold out, for splits that let it be chosen; 0 for their default
}

// splitTestFraction returns the fraction of the rows that a split holds out, or 0 for its default. Only some splits let
// it be chosen.
func (e tableEntry) splitTestFraction(split string) float64 {
	if splitKind(split).TestFraction == 0 {
		return 0
	}
	return e.testFraction
}

// tables lists the data sets and then the tables of a resolved configuration.
func (c Config) tables() []tableEntry {
	var list []tableEntry
	for _, name := range c.Datasets {
		list = append(list, tableEntry{name: name, source: experiment.Source{Name: name}, splits: c.Splits})
	}
	for _, t := range c.Tables {
		source, _ := t.source() // resolve has checked it
		source.Classes = c.forClasses()
		list = append(list, tableEntry{name: t.Name, source: source, splits: c.tableSplits(t), testFraction: t.TestFraction})
	}
	return list
}

// forClasses reports whether the methods predict classes. The methods of a resolved configuration all predict classes or
// all numbers.
func (c Config) forClasses() bool {
	label, _ := parseLabel(c.Methods[0]) // resolve has checked it
	return label.method.PredictsClasses()
}

// tableSplits returns the splits of a table: its own splits, or else the split that its columns or test file are for, or
// else the study's splits.
func (c Config) tableSplits(t Table) []string {
	if len(t.Splits) > 0 {
		return t.Splits
	}
	if split := t.DefaultSplit(); split != "" {
		return []string{split}
	}
	return c.Splits
}
