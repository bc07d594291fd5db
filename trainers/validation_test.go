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
	validate, train, err := holdOut(data.Separation{Values: by}, numbers, 0.2, 1)
	if err != nil || len(validate) != 10 || len(train) != 30 {
		t.Fatalf("%d and %d rows, %v", len(validate), len(train), err)
	}
	for _, v := range validate {
		if slices.ContainsFunc(train, func(r int32) bool { return by[r] == by[v] }) {
			t.Errorf("group %v is on both sides", by[v])
		}
	}
	validate, train, err = holdOut(data.Separation{Values: by, ByLatest: true}, numbers, 0.25, 1)
	if err != nil || len(validate) != 10 {
		t.Fatal(len(validate), err)
	}
	for _, v := range validate {
		if slices.ContainsFunc(train, func(r int32) bool { return by[r] > by[v] }) {
			t.Errorf("a row at %v is validated with, and a later one trained on", by[v])
		}
	}
	clear(by)
	if _, _, err = holdOut(data.Separation{Values: by}, numbers, 0.2, 1); err == nil || !strings.Contains(err.Error(), "or none for training") {
		t.Errorf("a single group: %v", err)
	}
}

// Of 100, 30 and 3 rows of three classes a fifth is 20, 6 and 0.6.
func TestHoldOutOfClasses(t *testing.T) {
	numbers, classes := make([]int32, 133), make([]float64, 133)
	for i := range numbers {
		numbers[i] = int32(i)
		switch {
		case i >= 130:
			classes[i] = 2
		case i >= 100:
			classes[i] = 1
		}
	}
	counts := make(map[float64]int)
	validate, train, err := holdOut(data.Separation{Classes: classes}, numbers, 0.2, 1)
	if err != nil || len(validate) != 27 || len(train) != 106 {
		t.Fatalf("%d and %d rows, %v", len(validate), len(train), err)
	}
	for _, r := range validate {
		counts[classes[r]]++
	}
	if counts[0] != 20 && counts[0] != 21 || counts[1] != 6 && counts[1] != 7 || counts[2] > 1 {
		t.Errorf("rows of each class: %v", counts)
	}
	other, _, err := holdOut(data.Separation{Classes: classes}, numbers, 0.2, 2)
	slices.Sort(validate)
	slices.Sort(other)
	if err != nil || slices.Equal(validate, other) {
		t.Errorf("another seed validates with the same rows, %v", err)
	}
}
