package cmd

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sml/data"
	"sml/data/read"
)

// fileOf is a random table in a format.
type fileOf struct {
	format  string
	content []byte
}

func randomFiles(t testing.TB, table randomTable, seed uint64) []fileOf {
	return []fileOf{
		{"csv", randomCSV(table, newSpelling(table, 4*seed))},
		{"jsonl", randomJSON(table, newSpelling(table, 4*seed+1))},
		{"parquet", randomParquet(t, table, newSpelling(table, 4*seed+2))},
		{"xlsx", randomWorkbook(t, table, newSpelling(table, 4*seed+3))},
	}
}

// The same table is the same in every format, with the kinds that are found and with the kinds that another format's file
// had at training.
func TestRandomTablesInEveryFormat(t *testing.T) {
	tables := uint64(100)
	if os.Getenv("SML_LONG") != "" {
		tables = 2000
	}
	refused := 0
	for seed := range tables {
		table := newRandomTable(seed)
		if !sameInEveryFormat(t, table, seed) {
			refused++
		}
	}
	t.Logf("%d of %d tables are refused", refused, tables)
	if refused > int(tables)/4 {
		t.Errorf("%d of %d tables are refused", refused, tables)
	}
}

func readFormat(t testing.TB, f fileOf, o read.Options) (*data.Table, error) {
	return read.All(t.Context(), bytes.NewReader(f.content), "t."+f.format, o)
}

// sameInEveryFormat fails the test unless the table is read alike from all formats. It returns false if it is refused in
// all of them.
func sameInEveryFormat(t *testing.T, table randomTable, seed uint64) (accepted bool) {
	files := randomFiles(t, table, seed)
	o := read.Options{Raw: true, Targets: []string{"y"}, Classes: table.classes}
	for i, c := range table.columns {
		if c.categorical {
			o.Categorical = append(o.Categorical, fmt.Sprint(i+1))
		}
	}
	var read []*data.Table
	var errs []error
	for _, f := range files {
		got, err := readFormat(t, f, o)
		read = append(read, got)
		errs = append(errs, err)
	}
	for i := range files[1:] {
		if (errs[0] == nil) != (errs[i+1] == nil) {
			t.Errorf("table %d: csv: %v\n%s: %v\n%s", seed, errs[0], files[i+1].format, errs[i+1], files[0].content)
			return true
		}
	}
	if errs[0] != nil {
		return false
	}
	for i, f := range files[1:] {
		if difference := differenceOf(read[0], read[i+1]); difference != "" {
			t.Errorf("table %d: csv and %s: %s\n%s", seed, f.format, difference, files[0].content)
			return true
		}
	}
	for i := range files {
		predictsAlike(t, files, read[i], i, seed)
	}
	return true
}

// predictsAlike fails the test unless all files have the same rows when they are read as the file with index i, whose
// table is given.
func predictsAlike(t *testing.T, files []fileOf, trained *data.Table, i int, seed uint64) {
	layout := trained.FileLayout()
	fields := trained.Fields
	if fields == nil {
		fields = slices.Repeat([]data.Field{{Kind: data.Number}}, len(trained.Columns))
	}
	o := read.Options{Inputs: trained.Columns, Targets: trained.Targets, Fields: fields, TargetFields: trained.TargetFields, Layout: &layout}
	for _, f := range files {
		got, err := readFormat(t, f, o)
		if err != nil {
			t.Errorf("table %d: %s after %s: %v\n%s", seed, f.format, files[i].format, err, files[0].content)
			return
		}
		got = got.WithoutBlanks()
		if difference := differentValues(trained, got); difference != "" {
			t.Errorf("table %d: %s after %s: %s\n%s", seed, f.format, files[i].format, difference, files[0].content)
			return
		}
	}
}

// differenceOf says how two tables differ, and returns "" if they do not.
func differenceOf(a, b *data.Table) string {
	if !slices.EqualFunc(a.Fields, b.Fields, sameMeaning) {
		return fmt.Sprintf("fields %v\nand %v", a.Fields, b.Fields)
	}
	if !slices.EqualFunc(a.TargetFields, b.TargetFields, sameMeaning) {
		return fmt.Sprintf("labels %v\nand %v", a.TargetFields, b.TargetFields)
	}
	if !slices.Equal(a.Numbers, b.Numbers) || a.UnlabelledRows != b.UnlabelledRows || a.BlankRows != b.BlankRows {
		return fmt.Sprintf("rows %v\nand %v", a.Numbers, b.Numbers)
	}
	return differentValues(a, b)
}

// differentValues names the first value that differs between two tables, and returns "" if none does.
func differentValues(a, b *data.Table) string {
	if len(a.X) != len(b.X) || !slices.Equal(a.Y, b.Y) {
		return fmt.Sprintf("%d and %d values, targets %v\nand %v", len(a.X), len(b.X), a.Y, b.Y)
	}
	for i, v := range a.X {
		if w := b.X[i]; v != w && (v == v || w == w) {
			return fmt.Sprintf("row %d, column %d: %v and %v", i/len(a.Columns)+1, i%len(a.Columns)+1, v, w)
		}
	}
	return ""
}

// sameMeaning reports whether two fields have the same kind and categories. Truth values may be written in different ways,
// and numbers beside texts with a point or without.
func sameMeaning(a, b data.Field) bool {
	same := func(a, b string) bool {
		numberA, errA := strconv.ParseFloat(strings.Replace(a, ",", ".", 1), 64)
		numberB, errB := strconv.ParseFloat(strings.Replace(b, ",", ".", 1), 64)
		isNumber := errA == nil && errB == nil && numberA == numberB
		return strings.EqualFold(a, b) || isNumber || isTrue(a) && isTrue(b) || isFalse(a) && isFalse(b)
	}
	return a.Kind == b.Kind && slices.EqualFunc(a.Categories, b.Categories, same)
}

func isTrue(text string) bool {
	return slices.Contains([]string{"yes", "y", "on", "t", "true"}, strings.ToLower(text))
}

func isFalse(text string) bool {
	return slices.Contains([]string{"no", "n", "off", "f", "false"}, strings.ToLower(text))
}
