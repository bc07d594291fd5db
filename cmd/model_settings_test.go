package cmd

import (
	"slices"
	"testing"
)

func TestFlatten(t *testing.T) {
	list := flatten("data.", []byte(`{"b": {"y": [1, 2], "x": "text", "none": {}}, "a": 1e-8, "c": null}`))
	want := []setting{{"data.b.y", "[1,2]"}, {"data.b.x", "text"}, {"data.a", "1e-8"}, {"data.c", "null"}}
	if !slices.Equal(list, want) {
		t.Error(list)
	}
}
