package data

import (
	"slices"
	"strings"
	"testing"
)

func TestDecimalCommas(t *testing.T) {
	table, err := readRaw("a;b;y\n0,5;1.234,25;3\n1,234;2;-2,5\n", Options{})
	if err != nil || !slices.Equal(table.X, []float64{0.5, 1234.25, 1.234, 2}) || !slices.Equal(table.Y, []float64{3, -2.5}) || table.Fields != nil {
		t.Fatalf("%+v, %v", table, err)
	}
	if want := `numbers have decimal commas: "0,5" is read as 0.5`; !slices.Equal(table.Remarks, []string{want}) {
		t.Errorf("%q", table.Remarks)
	}
	layout := table.FileLayout() // as a model keeps it
	again, err := Read(ctx, strings.NewReader("b;a\n1;0,25\n1;0.75\n"), "t.csv", Options{Inputs: []string{"a"}, Fields: []Field{{Kind: Number}}, Layout: &layout, NoTarget: true})
	if err != nil || !slices.Equal(again.X, []float64{0.25, 0.75}) {
		t.Errorf("%+v, %v", again, err)
	}
	for _, text := range []string{
		"a;b;y\n1,234;1;3\n5,678;2;4\n", // thousands, perhaps
		"a;b;y\n0,5;1.5;3\n1,5;2.5;4\n", // points as well
	} {
		if _, err := readRaw(text, Options{}); err == nil || !strings.Contains(err.Error(), "comma") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
