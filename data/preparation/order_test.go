package preparation

import (
	"slices"
	"strings"
	"testing"

	"sml/data/read"
	"sml/internal/expect"
)

func TestParseOrder(t *testing.T) {
	for text, want := range map[string]Order{
		"cut=Fair,Good":              {Column: "cut", Categories: []string{"Fair", "Good"}},
		` a, "b" =x`:                 {Column: ` a, "b" `, Categories: []string{"x"}},
		`a= "x, y" , "say ""so""",z`: {Column: "a", Categories: []string{"x, y", `say "so"`, "z"}},
		`a=5" pipe,"6" pipe`:         {Column: "a", Categories: []string{`5" pipe`, `"6" pipe`}},
		`a=`:                         {Column: "a", Categories: []string{""}},
		`a=x,`:                       {Column: "a", Categories: []string{"x", ""}},
	} {
		got, ok := ParseOrder(text)
		if !ok || got.Column != want.Column || !slices.Equal(got.Categories, want.Categories) {
			t.Errorf("%s: %q", text, got)
		}
	}
	for _, text := range []string{"", "=a", "a"} {
		if _, ok := ParseOrder(text); ok {
			t.Errorf("%q is an order", text)
		}
	}
}

// A name that contains "=" is found among the table's columns, and a number becomes a name.
func TestResolveColumns(t *testing.T) {
	table := expect.Must(read.All(t.Context(), strings.NewReader("id,\"a=b, \"\"c\"\"\",a,y\nu,v,w,1\nu,x,w,2\n"), "t.csv", read.Options{Drop: []string{"id"}, Raw: true}))
	for text, want := range map[string]Order{
		`a=b, "c"=v,x`: {Column: `a=b, "c"`, Categories: []string{"v", "x"}},
		"a=w,z":        {Column: "a", Categories: []string{"w", "z"}},
		"2=v,x":        {Column: `a=b, "c"`, Categories: []string{"v", "x"}},
		"1=v,x":        {Column: "1", Categories: []string{"v", "x"}}, // which is no input
	} {
		order, _ := ParseOrder(text)
		got := Options{Ordinal: []Order{order}, Keep: []string{"3", "a=b, \"c\""}}.ResolveColumns(table)
		if got.Ordinal[0].Column != want.Column || !slices.Equal(got.Ordinal[0].Categories, want.Categories) || !slices.Equal(got.Keep, []string{"a", `a=b, "c"`}) {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// The categories of an order may be written in another way than those of the table.
func TestOrderInOtherSpellings(t *testing.T) {
	table := readTable(t, "level,y\n1.0,1\n2.0,2\n1.0,3\nGro\u0308\u00dfe,4\n2.0,5\nGro\u0308\u00dfe,6\n")
	for _, c := range []struct {
		order []string
		want  []float64
		err   string
	}{
		{[]string{"1", "2e0", "Gr\u00f6\u00dfe"}, []float64{0, 1, 0, 2, 1, 2}, ""},
		{[]string{"0", "Gro\u0308\u00dfe", "2", "1"}, []float64{3, 2, 3, 1, 2, 1}, ""},
		{[]string{"1", "Gr\u00f6\u00dfe"}, nil, `column "level": the order of its categories lacks 2.0`},
		{[]string{"1", "1.0", "2", "Gr\u00f6\u00dfe"}, nil, `column "level": the order of its categories has 1.0 twice`},
	} {
		p, err := Fit(table, nil, Options{Ordinal: []Order{{Column: "level", Categories: c.order}}})
		if c.err != "" {
			expect.Error(t, err, c.err)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		encoder := expect.Must(p.Encoder(table.Columns, table.Fields))
		for row, want := range c.want {
			got, err := encoder.Append(nil, table.X[row:row+1])
			if err != nil || len(got) != 1 || got[0] != want {
				t.Errorf("%q: row %d is %v, %v; want %v", c.order, row+1, got, err, want)
			}
		}
	}
}
