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

// In a cross-validation every row is a validation row of exactly one fold. Groups and classes are dealt whole or
// evenly, and the latest rows are the validation rows of all folds.
func TestHoldOutFold(t *testing.T) {
	const rows = 41
	const folds = 4
	indices := make([]int32, rows)
	groups := make([]float64, rows)
	classes := make([]float64, rows)
	for i := range indices {
		indices[i] = int32(i)
		groups[i] = float64(i / 4)
		classes[i] = float64(min(i/20, 1))
	}
	for name, separation := range map[string]data.Separation{
		"random":  {},
		"groups":  {Values: groups},
		"classes": {Classes: classes},
	} {
		timesValidated := make([]int, rows)
		foldOfGroup := make(map[float64]int)
		for fold := range folds {
			validation, training, err := holdOutFold(separation, indices, folds, fold, 1)
			if err != nil || len(validation)+len(training) != rows {
				t.Fatalf("%s, fold %d: %d and %d rows, %v", name, fold, len(validation), len(training), err)
			}
			firstClass := 0
			for _, row := range validation {
				timesValidated[row]++
				if classes[row] == 0 {
					firstClass++
				}
				other, ok := foldOfGroup[groups[row]]
				if name == "groups" && ok && other != fold {
					t.Errorf("group %v is in the folds %d and %d", groups[row], other, fold)
				}
				foldOfGroup[groups[row]] = fold
			}
			if name == "classes" && firstClass != 5 { // 20 rows of the first class in 4 folds
				t.Errorf("fold %d has %d rows of the first class, want 5", fold, firstClass)
			}
		}
		for row, times := range timesValidated {
			if times != 1 {
				t.Errorf("%s: row %d is in %d folds", name, row, times)
			}
		}
	}
	byTime := data.Separation{Values: groups, ByLatest: true}
	first, _, err := holdOutFold(byTime, indices, folds, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	last, _, err := holdOutFold(byTime, indices, folds, folds-1, 1)
	if err != nil || !slices.Equal(slices.Sorted(slices.Values(first)), slices.Sorted(slices.Values(last))) {
		t.Errorf("by time, the folds are %v and %v, %v: want the same, latest rows", first, last, err)
	}
	if _, _, err := holdOutFold(data.Separation{Values: make([]float64, rows)}, indices, folds, 1, 1); err == nil || !strings.Contains(err.Error(), "leaves no row in fold 1") {
		t.Errorf("a single group: %v", err)
	}
}

// A cross-validation sets the fraction of the validation rows, and needs four members.
func TestResolveCrossValidation(t *testing.T) {
	for _, c := range []struct {
		members    int
		validation float64
		want       float64
		message    string
	}{
		{members: 8, want: 0.25},
		{members: 5, want: 0.5},
		{members: 8, validation: 0.25, want: 0.25},
		{members: 8, validation: 0.1, message: "has the fraction 0.25 of validation rows, and not 0.1"},
		{members: 3, message: "4 or more members: there are 3"},
	} {
		s := Settings{Members: c.members, Validation: c.validation, CrossValidation: true}
		err := s.resolveCrossValidation()
		switch {
		case c.message == "" && (err != nil || s.Validation != c.want):
			t.Errorf("%+v: a fraction of %v, %v", c, s.Validation, err)
		case c.message != "" && (err == nil || !strings.Contains(err.Error(), c.message)):
			t.Errorf("%+v: %v", c, err)
		}
	}
}
