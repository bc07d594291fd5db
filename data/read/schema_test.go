package read

import (
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

func TestChoice(t *testing.T) {
	const named = "a,b,2,y\n10,20,30,40\n"
	const bare = "10,20,30,40\n"
	last := data.Layout{Columns: 4, Inputs: []int{1, 2, 3}, Targets: []int{4}}
	for _, c := range []struct {
		name, text string
		o          Options
		columns    string
		targets    string
		x, y       []float64
	}{
		{"by name", named, Options{Targets: []string{"b"}}, "a 2 y", "b", []float64{10, 30, 40}, []float64{20}},
		{"by number", named, Options{Targets: []string{"1"}}, "b 2 y", "a", []float64{20, 30, 40}, []float64{10}},
		{"a name before a number", named, Options{Targets: []string{"2"}}, "a b y", "2", []float64{10, 20, 40}, []float64{30}},
		{"a number that is a name, and no column's number", "2010,2011,2012\n1,2,3\n", Options{Targets: []string{"2011"}}, "2010 2012", "2011", []float64{1, 3}, []float64{2}},
		{"several, in the order asked for", named, Options{Targets: []string{"y", "a"}}, "b 2", "y a", []float64{20, 30}, []float64{40, 10}},
		{"drop", named, Options{Drop: []string{"a", "3"}}, "b", "y", []float64{20}, []float64{40}},
		{"drop the last", named, Options{Drop: []string{"y"}, Targets: []string{"2"}}, "a b", "2", []float64{10, 20}, []float64{30}},
		{"bare, by number", bare, Options{Targets: []string{"2"}, Drop: []string{"x4"}}, "x1 x3", "x2", []float64{10, 30}, []float64{20}},
		{"no target", named, Options{NoTarget: true}, "a b 2 y", "", []float64{10, 20, 30, 40}, nil},
		{"no target, but one to leave out", named, Options{NoTarget: true, Targets: []string{"y"}}, "a b 2", "", []float64{10, 20, 30}, nil},
		{"inputs", named, Options{Inputs: []string{"2", "a"}, Targets: []string{"y"}}, "2 a", "y", []float64{30, 10}, []float64{40}},
		{"inputs, target present", named, Options{Inputs: []string{"b", "a"}, Targets: []string{"y"}, NoTarget: true}, "b a", "", []float64{20, 10}, nil},
		{"inputs, target absent", named, Options{Inputs: []string{"b", "a"}, Targets: []string{"z"}, NoTarget: true}, "b a", "", []float64{20, 10}, nil},
		{"inputs, bare", bare, Options{Inputs: []string{"p", "q", "r"}, Targets: []string{"s"}, Layout: &last}, "p q r", "s", []float64{10, 20, 30}, []float64{40}},
		{"inputs, bare, target present", bare, Options{Inputs: []string{"p", "q", "r"}, Targets: []string{"s"}, NoTarget: true, Layout: &last}, "p q r", "", []float64{10, 20, 30}, nil},
		{"inputs, bare, target absent", bare, Options{Inputs: []string{"p", "q", "r", "s"}, Targets: []string{"t"}, NoTarget: true}, "p q r s", "", []float64{10, 20, 30, 40}, nil},
		{"a dropped column may hold text and lack a name", "a,,y\n1,text,3\n", Options{Drop: []string{"2"}}, "a", "y", []float64{1}, []float64{3}},
		{"an ignored column too", "a,,y\n1,text,3\n", Options{Inputs: []string{"a"}, Targets: []string{"y"}}, "a", "y", []float64{1}, []float64{3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := expect.Must(readText(c.text, c.o))
			if strings.Join(got.Columns, " ") != c.columns || strings.Join(got.Targets, " ") != c.targets ||
				!slices.Equal(got.X, c.x) || !slices.Equal(got.Y, c.y) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestChoiceErrors(t *testing.T) {
	const named = "a,b,y\n10,20,30\n"
	const bare = "10,20,30\n"
	for _, c := range []struct {
		name, text string
		o          Options
		want       []string // parts of the error
	}{
		{"number out of range", named, Options{Targets: []string{"4"}}, []string{`no column "4"`, "1 to 3"}},
		{"number 0", named, Options{Targets: []string{"0"}}, []string{`no column "0"`}},
		{"empty name", named, Options{Drop: []string{""}}, []string{`no column ""`}},
		{"target twice", named, Options{Targets: []string{"b", "2"}}, []string{"column 2 (b)", "named twice as a target"}},
		{"drop twice", named, Options{Drop: []string{"b", "b"}}, []string{"column 2 (b)", "named twice as a dropped column"}},
		{"default target dropped", named, Options{Drop: []string{"y"}}, []string{"column 3 (y)", "as none was named"}},
		{"nothing left", named, Options{Drop: []string{"a", "b"}}, []string{"no inputs are left of the columns a, b, y"}},
		{"one column", "y\n1\n", Options{}, []string{"no inputs are left"}},
		{"same name twice", "a,b,a\n1,2,3\n", Options{}, []string{`f.csv:1: columns 1 and 3 are both named "a"`}},
		{"no name", "a,,y\n1,2,3\n", Options{}, []string{"f.csv:1: column 2 has no name"}},
		{"unknown header setting", named, Options{Header: "maybe"}, []string{`"maybe"`, "auto, yes or no"}},
		{"input missing", named, Options{Inputs: []string{"a", "c"}, NoTarget: true}, []string{`the input "c" is missing`, "a, b, y"}},
		{"inputs are no numbers", named, Options{Inputs: []string{"1"}, NoTarget: true}, []string{`the input "1" is missing`}},
		{"input twice", named, Options{Inputs: []string{"a", "a"}, NoTarget: true}, []string{"named twice as an input"}},
		{"input and target", named, Options{Inputs: []string{"a"}, Targets: []string{"a"}}, []string{"both an input and a target"}},
		{"inputs without a target", named, Options{Inputs: []string{"a"}}, []string{"no target"}},
		{"inputs and drop", named, Options{Inputs: []string{"a"}, Targets: []string{"y"}, Drop: []string{"b"}}, []string{"drop"}},
		{"no inputs asked for", named, Options{Inputs: []string{}, NoTarget: true}, []string{"no inputs"}},
		{"bare, other width", bare, Options{Inputs: []string{"p"}, Targets: []string{"q"}}, []string{"f.csv:1: ", "3 columns", "no header with the names p"}},
		{"bare, target wanted and absent", bare, Options{Inputs: []string{"p", "q", "r"}, Targets: []string{"s"}}, []string{"no header", "the places of the targets are not known"}},
		{"many names", strings.Repeat("1,", 40) + "2\n", Options{Targets: []string{"z"}}, []string{"x20 and 21 more"}},
	} {
		t.Run(c.name, func(t *testing.T) { wantError(t, c.text, c.o, c.want) })
	}
}
