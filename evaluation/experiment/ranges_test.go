package experiment

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/data/read"
	"sml/internal/expect"
	"sml/models"
)

// Ranges cover the training rows, missing values and unseen categories
// aside.
func TestRanges(t *testing.T) {
	text := "a,kind,empty,y\n1,u,,1\n5,v,,2\nNA,u,,3\n-2,w,,4\n"
	table := expect.Must(read.All(t.Context(), strings.NewReader(text), "f", read.Options{Raw: true}))
	got, err := json.Marshal(columnRanges(table, []int{0, 1, 2}))
	if want := `[{"low":1,"high":5},{"categories":["u","v"]},{}]`; err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	fields := WithCategories(slices.Clone(table.Fields), columnRanges(table, []int{3}))
	if fmt.Sprint(fields[1].Categories) != "[w]" || fmt.Sprint(table.Fields[1].Categories) != "[u v w]" {
		t.Errorf("categories %v, and those of the table %v", fields[1].Categories, table.Fields[1].Categories)
	}
}

// They are kept when the inputs are let go of.
func TestRangesAfterRelease(t *testing.T) {
	table := expect.Must(read.All(t.Context(), strings.NewReader("a,b,y\n1,u,1\n5,v,2\n3,u,3\n-2,v,4\n"), "f", read.Options{Raw: true}))
	s := testSettings(t, "", 0)
	s.Table.Name = "f"
	e := expect.Must(Prepare(t.Context(), s, NewTable(table)))
	want := fmt.Sprint(*e.inputRanges()[0].Low, e.inputRanges()[1].Categories)
	e.Release()
	if got := fmt.Sprint(*e.inputRanges()[0].Low, e.inputRanges()[1].Categories); got != want || want != "-2 [u v]" {
		t.Errorf("%s after %s", got, want)
	}
}

// A model is no list of names: of a column of very many no categories are kept.
func TestRangesOfManyLevels(t *testing.T) {
	var text strings.Builder
	text.WriteString("name,kind,y\n")
	for i := range 2 * maxKeptCategories {
		fmt.Fprintf(&text, "n%d,k%d,%d\n", i, i%2, i)
	}
	table := expect.Must(read.All(t.Context(), strings.NewReader(text.String()), "f", read.Options{Raw: true}))
	rows := make([]int, table.Rows())
	for i := range rows {
		rows[i] = i
	}
	if got := columnRanges(table, rows); got[0].Categories != nil || len(got[1].Categories) != 2 {
		t.Errorf("%d and %d categories", len(got[0].Categories), len(got[1].Categories))
	}
}

func TestInputRanges(t *testing.T) {
	m := &Model{Model: &models.Model{Inputs: data.Scalers{{Name: "a", Std: 1}}}}
	expect.Error(t, expect.ErrorOf(m.InputRanges()), "does not keep the ranges")
	m.Ranges = make([]models.ColumnRange, 2)
	expect.Error(t, expect.ErrorOf(m.InputRanges()), "do not match its columns")
	m.Ranges = []models.ColumnRange{{Low: new(1.0)}}
	if _, err := m.InputRanges(); err == nil {
		t.Error("a range without an end is accepted")
	}
}
