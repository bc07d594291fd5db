package preparation

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/data/read"
	"sml/internal/expect"
	"sml/internal/strict"
)

// readTable reads a raw table with the target in its last column.
func readTable(t *testing.T, text string) *data.Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	expect.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	table := expect.Must(read.File(context.Background(), path, read.Options{Raw: true}))
	return table
}

// Every expected value is worked out by hand.
func TestFeatures(t *testing.T) {
	table := readTable(t, strings.Join([]string{
		"colour,size,day,always,y",
		"red,1,2024-01-01,7,1",
		"red,,2024-01-03,7,2",
		"blue,5,2024-01-01,7,3",
		"blue,2,2024-01-02,7,4",
		"green,9,2024-01-04,7,5", // test row
		",9,2024-01-05,7,6",      // test row
	}, "\n"))
	train := []int{0, 1, 2, 3}
	p := expect.Must(Fit(table, train, Options{}))
	prepared, e, err := p.Table(table)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"colour=blue", "colour=red", "size", "size is missing", "day, seconds", "day, day of month",
		"day, day of year, sine", "day, day of year, cosine", "day, day of week, Monday", "day, day of week, Tuesday", "day, day of week, Wednesday"}
	if !slices.Equal(prepared.Columns, want) {
		t.Errorf("features are %q", prepared.Columns)
	}
	first := func(r int) []float64 { return prepared.X[r*len(want):][:5] }
	for r, want := range [][]float64{{0, 1, 1, 0, 0}, {0, 1, 2, 1, 2 * 86400}, {1, 0, 5, 0, 0}, {1, 0, 2, 0, 86400}, {0, 0, 9, 0, 3 * 86400}, {0, 0, 9, 0, 4 * 86400}} {
		if !slices.Equal(first(r), want) {
			t.Errorf("row %d is %v, want %v", r, first(r), want)
		}
	}
	weekdays := func(r int) []float64 { return prepared.X[r*len(want):][8:11] }
	// 1 January 2024 was a Monday, 3 January a Wednesday; no training row has the Friday 5 January.
	for r, want := range map[int][]float64{0: {1, 0, 0}, 1: {0, 0, 1}, 3: {0, 1, 0}, 5: {0, 0, 0}} {
		if !slices.Equal(weekdays(r), want) {
			t.Errorf("the days of the week of row %d are %v, want %v", r, weekdays(r), want)
		}
	}
	if day := prepared.X[5*len(want)+5]; day != 5 {
		t.Errorf("5 January is day %v of its month", day)
	}
	if e.Missing[0] != 1 || e.Unseen[0] != 1 || e.Missing[1] != 1 {
		t.Errorf("missing %v, unseen %v", e.Missing, e.Unseen)
	}
	if p.Columns[3].Dropped != "constant" {
		t.Errorf("the constant column is %+v", p.Columns[3])
	}
}

// A fit does not depend on held-out rows, nor on targets.
func TestFittedOnTrainingRowsAlone(t *testing.T) {
	table := readTable(t, "a,b,c,y\n1,x,5,1\n,y,6,2\n3,x,7,3\n4,y,8,4\n100,z,,5\n")
	train := []int{0, 1, 2, 3}
	p := expect.Must(Fit(table, train, Options{}))
	for j := range 3 {
		table.X[4*3+j] = 0
	}
	for i := range table.Y {
		table.Y[i] = -table.Y[i]
	}
	again := expect.Must(Fit(table, train, Options{}))
	before, _ := json.Marshal(p)
	after, _ := json.Marshal(again)
	if !bytes.Equal(before, after) {
		t.Errorf("%s\nbecame %s", before, after)
	}
}

// A preparation is stored as JSON in models. Reading it must restore all of it.
func TestComesBackFromJSON(t *testing.T) {
	table := readTable(t, "a,b,c,y\n1,x,2024-01-01,1\n.,y,2024-01-02,2\n3,x,2024-01-04,3\n4,,,4\n")
	table.Fields[0].MissingTexts = []string{"none"}
	p := expect.Must(Fit(table, nil, Options{Transform: "log"}))
	text := expect.Must(json.Marshal(p))
	again := new(Preparation)
	if err := strict.Unmarshal(text, again); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if !reflect.DeepEqual(p, again) {
		t.Errorf("%+v\nbecame %+v", p, again)
	}
}

// Models of registered data sets have a nil preparation, whose methods do not panic.
func TestNilPreparation(t *testing.T) {
	var p *Preparation
	if names, fields := p.Inputs(); names != nil || fields != nil {
		t.Errorf("inputs %q, %v", names, fields)
	}
	if p.TableColumns() != nil || p.Features() != nil || p.FeatureNames() != nil {
		t.Error("it has columns")
	}
	layout := &data.Layout{Columns: 3}
	if p.Layout(layout) != layout {
		t.Error("the layout of the file is another")
	}
	if _, err := p.Encoder([]string{"a"}, nil); err == nil {
		t.Error("it has an encoder")
	}
	table := &data.Table{Columns: []string{"a"}, X: []float64{1}}
	if same, _, err := p.Table(table); same != table || err != nil {
		t.Errorf("the table becomes %v, %v", same, err)
	}
}
