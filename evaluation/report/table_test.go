package report

import (
	"math"
	"strings"
	"testing"

	"sml/evaluation/measure"
	"sml/internal/expect"
)

// awkward has all characters that the formats escape, and every kind of cell.
var awkward = Table{
	Caption: "50 % of <a> & b_c: R²",
	Header:  []string{"name", "A|B", "σ"},
	Words:   1,
	Body: [][]Cell{
		{{Text: `a\b {c} ~ ^ # $`}, {Text: "1.4·10⁶ ± 2.0·10¹²", Below: []string{"0.45 (−0.01)" + notReproducedMark, "2 of 10 failed"}}, {Text: "−∞", Best: true}},
		{{Text: "b*c*"}, {Text: "–"}, {}},
	},
	Foot:  [][]Cell{{{Text: "mean"}, {Text: "1.00"}, {Text: "2.00", Below: []string{"3.00"}}}},
	Notes: []string{"A note.", "Another, with 1 < 2."},
}

func TestTableFormats(t *testing.T) {
	html := func(table Table) string {
		var text strings.Builder
		expect.NoError(t, tableHTML.Execute(&text, table))
		return text.String()
	}
	ece := someReport(someScores).scoreTable(newGrid(someScores, "test", "ece"), "test")
	for extension, format := range map[string]func(Table) string{"md": Table.Markdown, "tex": Table.LaTeX, "html": html} {
		for name, table := range map[string]Table{"awkward": awkward, "ece": ece} {
			golden(t, "testdata/table_"+name+"."+extension, []byte(format(table)))
		}
	}
}

func TestLaTeXIsASCII(t *testing.T) {
	// What pdfLaTeX has no letter for would be lost or stop it.
	r := &Report{Shown: invented(), Reference: inventedReference, MethodTitle: sameTitle}
	for _, table := range append(r.ScoreTables("test"), awkward) {
		for _, letter := range table.LaTeX() {
			if letter > 126 {
				t.Errorf("%s: there is a %q", table.Caption, letter)
			}
		}
	}
}

func TestMarkBest(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	lower, higher, near, neither := measure.Measure{}, measure.Measure{HigherIsBetter: true}, measure.Measure{Nominal: 0.5}, measure.Measure{Undirected: true}
	cases := []struct {
		values []float64
		by     measure.Measure
		want   string // the marks, by hand
	}{
		{[]float64{0.5, 0.4, 0.6}, lower, "-*-"},
		{[]float64{0.5, 0.4, 0.6}, higher, "--*"},
		{[]float64{0.401, 0.4, 0.404}, lower, "***"}, // the same in print
		{[]float64{nan, 0.4, 0.6}, lower, "-*-"},
		{[]float64{nan, 0.4, nan}, lower, "---"}, // nothing to compare with
		{[]float64{inf, inf}, lower, "--"},
		{[]float64{inf, 2}, lower, "-*"},
		{[]float64{0.25, 0.5625, 0.75}, near, "-*-"},
		{[]float64{0.25, 0.75, nan}, near, "**-"},
		{[]float64{1, 2, 3}, neither, "---"},
	}
	for _, c := range cases {
		cells := make([]Cell, len(c.values))
		markBest(cells, c.values, c.by.Badness)
		var got strings.Builder
		for _, cell := range cells {
			if cell.Best {
				got.WriteByte('*')
			} else {
				got.WriteByte('-')
			}
		}
		if got.String() != c.want {
			t.Errorf("marks of %v are %s; want %s", c.values, got.String(), c.want)
		}
	}
}
