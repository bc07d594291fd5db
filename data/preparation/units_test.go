package preparation_test

import (
	"strings"
	"testing"

	"sml/data"
	"sml/data/preparation"
)

func TestCheckSameUnits(t *testing.T) {
	transformed := func(name string, knots ...float64) *preparation.Preparation {
		return &preparation.Preparation{Targets: []preparation.Transform{{Name: name, Knots: knots}}}
	}
	ordered := func(levels ...string) *preparation.Preparation {
		return &preparation.Preparation{Columns: []preparation.Column{{Name: "cut", Field: data.Field{Kind: data.Category, Categories: levels}, Ordered: true}}}
	}
	startingAt := func(first float64) *preparation.Preparation {
		return &preparation.Preparation{Columns: []preparation.Column{{Name: "day", FirstDate: first, DateParts: []string{"seconds", "month"}}}}
	}
	for _, c := range []struct {
		model, training *preparation.Preparation
		want            string
	}{
		{nil, nil, ""},
		{nil, ordered("a", "b"), ""},
		{transformed("log"), transformed("log"), ""},
		{transformed("log"), nil, "target 1 has the transform log in the model, and no transform in this training"},
		{nil, transformed("sqrt"), "target 1 has no transform in the model, and the transform sqrt in this training"},
		{transformed("quantile-normal", 1, 2), transformed("quantile-normal", 1, 2), ""},
		{transformed("quantile-normal", 1, 2), transformed("quantile-normal", 1, 3), "the transform quantile-normal of target 1 was fitted on other rows"},
		{ordered("a", "b"), ordered("a", "b"), ""},
		{ordered("a", "b"), ordered("b", "a"), `the order of column "cut" is ["a" "b"] in the model, and ["b" "a"] in this training`},
		{startingAt(1), startingAt(1), ""},
		{startingAt(1), startingAt(2), `the dates of column "day" are counted from another day`},
	} {
		err := preparation.CheckSameUnits(c.model, c.training)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
