package trainers

import (
	"slices"
	"strings"
	"testing"

	"sml/data"
)

func TestHoldOut(t *testing.T) {
	numbers := make([]int32, 40)
	by := make([]float64, 40)
	for i := range numbers {
		numbers[i], by[i] = int32(i), float64(i*7%40/5) // eight groups of five
	}
	validate, train, err := holdOut(data.Subset{By: by}, numbers, 0.2, 1)
	if err != nil || len(validate) != 10 || len(train) != 30 {
		t.Fatalf("%d and %d rows, %v", len(validate), len(train), err)
	}
	for _, v := range validate {
		if slices.ContainsFunc(train, func(r int32) bool { return by[r] == by[v] }) {
			t.Errorf("group %v is on both sides", by[v])
		}
	}
	validate, train, err = holdOut(data.Subset{By: by, Latest: true}, numbers, 0.25, 1)
	if err != nil || len(validate) != 10 {
		t.Fatal(len(validate), err)
	}
	for _, v := range validate {
		if slices.ContainsFunc(train, func(r int32) bool { return by[r] > by[v] }) {
			t.Errorf("a row at %v is validated with, and a later one trained on", by[v])
		}
	}
	clear(by)
	if _, _, err = holdOut(data.Subset{By: by}, numbers, 0.2, 1); err == nil || !strings.Contains(err.Error(), "or none to train on") {
		t.Errorf("a single group: %v", err)
	}
}
