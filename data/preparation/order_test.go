package preparation

import (
	"slices"
	"strings"
	"testing"

	"sml/data/read"
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
	table, err := read.All(t.Context(), strings.NewReader("id,\"a=b, \"\"c\"\"\",a,y\nu,v,w,1\nu,x,w,2\n"), "t.csv", read.Options{Drop: []string{"id"}, Raw: true})
	if err != nil {
		t.Fatal(err)
	}
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
