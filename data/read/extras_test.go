package read

import (
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/data/write"
	"sml/internal/expect"
)

const flagged = "a,flag,y,w,b\n1,0,10,2,5\n3,1,20,0,6\n"

var flaggedOptions = Options{Targets: []string{"y"}, Extra: []string{"flag"}, Weight: "w"}

func TestExtraColumns(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          Options
		names      string // of inputs, further columns and weight
		e, w       []float64
	}{
		{"by name", flagged, flaggedOptions, "a b|flag|w", []float64{0, 1}, []float64{2, 0}},
		{"by number", flagged, Options{Targets: []string{"3"}, Extra: []string{"5", "2"}, Weight: "4"}, "a|b flag|w", []float64{5, 0, 6, 1}, []float64{2, 0}},
		{"without a header", "1,0,10,2\n3,1,20,4\n", Options{Targets: []string{"3"}, Extra: []string{"2"}, Weight: "4"}, "x1|x2|x4", []float64{0, 1}, []float64{2, 4}},
		{"a header that is all numbers but for their names", "1,2,flag\n3,4,5\n", Options{Targets: []string{"1"}, Extra: []string{"flag"}}, "2|flag|", []float64{5}, nil},
		{"of a model, where the file has them", flagged, Options{Inputs: []string{"b"}, Targets: []string{"y"}, Extra: []string{"flag", "none"}, Weight: "w"}, "b|flag|w", []float64{0, 1}, []float64{2, 0}},
		{"of a model, where it has none", "b,y\n1,2\n", Options{Inputs: []string{"b"}, Targets: []string{"y"}, Extra: []string{"flag"}, Weight: "w"}, "b||", nil, nil},
		{"of a model, by place", "1,0,10,2\n", Options{
			Inputs: []string{"x1"}, Targets: []string{"x3"}, Extra: []string{"x2"}, Weight: "x4",
			Layout: &data.Layout{Columns: 4, Inputs: []int{1}, Targets: []int{3}, Extra: []int{2}, Weight: 4},
		}, "x1|x2|x4", []float64{0}, []float64{2}},
		{"inputs alone", flagged, Options{Inputs: []string{"b"}, NoTarget: true}, "b||", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := expect.Must(readText(c.text, c.o))
			names := strings.Join(got.Columns, " ") + "|" + strings.Join(got.Extras, " ") + "|" + got.Weight
			if names != c.names || !slices.Equal(got.E, c.e) || !slices.Equal(got.W, c.w) {
				t.Errorf("got %s, %v, weights %v; want %s, %v, %v", names, got.E, got.W, c.names, c.e, c.w)
			}
		})
	}
}

func TestExtraAndKeptColumnsThatAreWrong(t *testing.T) {
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{"a,f,y\n1,,2\n", Options{Extra: []string{"f"}}, `f.csv:2: column 2 (f): the value is missing (""); fill it in, delete the row or drop the column`},
		{"a,f,y\n1,2,3\n1,yes,2\n", Options{Extra: []string{"f"}}, `f.csv:3: column 2 (f): "yes" is not a number`},
		{"a,f,y\n1,2,3\n", Options{Extra: []string{"g"}}, `f.csv:1: there is no column "g"; the columns are a, f, y, or their numbers 1 to 3`},
		{"a,f,y\n1,2,3\n", Options{Extra: []string{"f"}, Weight: "f"}, `f.csv:1: column 2 (f) cannot be both an extra column and the weight; name it once`},
		{"a,f,y\n1,2,3\n", Options{Weight: "y"}, `f.csv:1: column 3 (y) cannot be both the weight and a target; name it once; the last column was taken as the target, as none was named`},
		{"a,f,f,y\n1,2,3,4\n", Options{Extra: []string{"2"}, Drop: []string{"3"}}, `f.csv:1: columns 2 and 3 are both named "f"; give each its own name`},
		{"a,y\n1,2\n", Options{Extra: []string{"a"}}, `f.csv:1: no inputs are left of the columns a, y; at least one must have no other use`},
		{"a,w,y\n1,2,3\n1,-0.5,3\n", Options{Weight: "w"}, `f.csv:3: column 2 (w): the weight is -0.5; want 0 or more`},
		{"a,w,y\n1,inf,3\n", Options{Weight: "w"}, `f.csv:2: column 2 (w): "inf" is not finite; a finite number is needed`},
		{"a,b,b,y\n1,2,3,4\n", Options{Drop: []string{"2", "3"}, Keep: []string{"c"}}, `f.csv:1: to be kept: there is no column "c"; the columns are a, b, b, y, or their numbers 1 to 4`},
		{"a,b,b,y\n1,2,3,4\n", Options{Drop: []string{"2", "3"}, Keep: []string{"b"}}, `f.csv:1: to be kept: columns 2 and 3 are both named "b"; give each its own name, or name it by its number`},
		{"a,w,y\n1,0,3\n1,0,3\n", Options{Weight: "w"}, `f.csv: column 2 (w): all 2 weights are 0, and no row would count`},
	} {
		_, err := readText(c.text, c.o)
		expect.ErrorText(t, err, c.want)
	}
}

// Extra columns change the checksum by their values, their names and their use. A table without
// extra columns keeps its checksum.
func TestChecksumCoversExtraColumns(t *testing.T) {
	sum := func(o Options, text string) string {
		t.Helper()
		table := expect.Must(readText(text, o))
		return expect.Must(table.Checksum(ctx))
	}
	seen := map[string]string{}
	for name, s := range map[string]string{
		"as it is":         sum(flaggedOptions, flagged),
		"another flag":     sum(flaggedOptions, strings.Replace(flagged, "3,1,", "3,2,", 1)),
		"another weight":   sum(flaggedOptions, strings.Replace(flagged, "10,2", "10,3", 1)),
		"another name":     sum(Options{Targets: []string{"y"}, Extra: []string{"2"}, Weight: "w"}, strings.Replace(flagged, "flag", "flog", 1)),
		"dropped instead":  sum(Options{Targets: []string{"y"}, Drop: []string{"flag", "w"}}, flagged),
		"the other use":    sum(Options{Targets: []string{"y"}, Extra: []string{"w"}, Weight: "flag"}, flagged),
		"both further":     sum(Options{Targets: []string{"y"}, Extra: []string{"flag", "w"}}, flagged),
		"weight unnoticed": sum(Options{Targets: []string{"y"}, Extra: []string{"flag"}, Drop: []string{"w"}}, flagged),
	} {
		if other, twice := seen[s]; twice {
			t.Errorf("%s and %s have the same checksum", name, other)
		}
		seen[s] = name
	}
}

func TestExtraColumnsAreWritten(t *testing.T) {
	var text strings.Builder
	expect.NoError(t, write.Table(ctx, &text, expect.Must(readText(flagged, flaggedOptions)), write.CSV))
	if want := "a,b,y,flag,w\n1,5,10,0,2\n3,6,20,1,0\n"; text.String() != want {
		t.Errorf("wrote\n%s\nwant\n%s", text.String(), want)
	}
}
