package preparation_test

import (
	"strings"
	"testing"

	"sml/data"
	"sml/internal/preparation"
)

func TestSameUnits(t *testing.T) {
	through := func(name string, knots ...float64) *preparation.Preparation {
		return &preparation.Preparation{Targets: []preparation.Transform{{Name: name, Knots: knots}}}
	}
	ordered := func(levels ...string) *preparation.Preparation {
		return &preparation.Preparation{Columns: []preparation.Column{{Name: "cut", Field: data.Field{Kind: data.Category, Levels: levels}, Ordered: true}}}
	}
	from := func(first float64) *preparation.Preparation {
		return &preparation.Preparation{Columns: []preparation.Column{{Name: "day", First: first, Parts: []string{"seconds", "month"}}}}
	}
	for _, c := range []struct {
		p, q *preparation.Preparation
		want string
	}{
		{nil, nil, ""},
		{nil, ordered("a", "b"), ""},
		{through("log"), through("log"), ""},
		{through("log"), nil, "target 1 is put through log, and as it is"},
		{nil, through("sqrt"), "target 1 is as it is, and put through sqrt"},
		{through("quantile-normal", 1, 2), through("quantile-normal", 1, 2), ""},
		{through("quantile-normal", 1, 2), through("quantile-normal", 1, 3), "target 1 is put through the quantile-normal of other rows"},
		{ordered("a", "b"), ordered("a", "b"), ""},
		{ordered("a", "b"), ordered("b", "a"), `the levels of "cut" are ["a" "b"], and ["b" "a"]`},
		{from(1), from(1), ""},
		{from(1), from(2), `the dates of "day" are counted from another day`},
	} {
		err := preparation.SameUnits(c.p, c.q)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
