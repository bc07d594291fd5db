package read

import (
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

// Each rule decides the kind of a column of few cells.
func TestKindRules(t *testing.T) {
	numbers := "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33"
	columns := []struct {
		cells     string // divided by blanks
		declared  data.Kind
		condition string
		kind      data.Kind
	}{
		{"1 2", data.Category, "it is declared a category, or is a class", data.Category},
		{"1 a", data.Number, "it is declared a number", data.Number},
		{"2020-01-31 2020-02-01", "", "its texts are dates in a common layout", data.Date},
		{"2020-01-31 31.02.2020", "", "it has dates, without a common layout", data.Date},
		{"20240131" + strings.Repeat(" 20240201", 9), data.Date, "its numbers are dates", data.Date},
		{"1 2", data.Date, "it is declared a date, and has none", data.Number},
		{"1 2 2020-01-31", "", "its texts are dates beside numbers", data.Number},
		{"1 0 true false", "", "its texts are true and false beside 1 and 0", data.Category},
		{"1 2 NA", "", "it has no texts", data.Number},
		{"a 1,000 b 2,000", "", "many texts are misspelt numbers", data.Number},
		{"1 2 3 4 5 6 7 8 9 10 a", "", "nearly all cells are numbers", data.Number},
		{numbers + strings.Repeat(" a", 10), "", "it has a few texts among many different numbers", data.Number},
		{"1 2 a b", "", "it has texts", data.Category},
	}
	for i, c := range columns {
		column := &column{rule: mayBeAnything, declared: declaration{kind: c.declared}, keepsNumberTexts: c.declared != data.Date, textBytes: new(int)}
		var values []float64
		for line, text := range strings.Fields(c.cells) {
			v := expect.Must(column.value(cell{text: text}, line+1))
			values = append(values, v)
		}
		k := newTally(column, values, 0, 1, &problemReport{position: &filePosition{}})
		if rule := k.kindRule(); rule.condition != c.condition || kindRules[i].condition != c.condition {
			t.Errorf("%s: the rule is that %s", c.cells, rule.condition)
		}
		if kind := k.decide().field.Kind; kind != c.kind {
			t.Errorf("%s: a %s", c.cells, kind)
		}
	}
	if len(columns) != len(kindRules) {
		t.Errorf("%d columns for %d rules", len(columns), len(kindRules))
	}
}
