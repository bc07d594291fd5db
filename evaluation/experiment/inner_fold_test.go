package experiment

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/trainers"
)

// Inner folds are of training rows alone: each is tested on once, groups and moments
// stay whole, and by time nothing that is trained on is later than what is tested.
func TestInnerFolds(t *testing.T) {
	const folds = 3
	for name, s := range ownSplits(t) {
		table := expect.Must(s.Table.Read(t.Context(), "", s.Training.Protocol))
		shared := NewTable(table)
		outer, _, err := shared.fold(t.Context(), s.foldKey())
		expect.NoError(t, err)
		training := outer.rows.Train
		times := make(map[int]int)
		for fold := range folds {
			s.Training.Inner = trainers.Inner{Folds: folds, Fold: fold}
			if _, err := s.Resolve(); err != nil && !strings.Contains(err.Error(), "method") {
				t.Fatal(err)
			}
			f, _, err := shared.fold(t.Context(), s.foldKey())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			train, test := f.rows.Train, f.rows.Test
			all := slices.Sorted(slices.Values(slices.Concat(train, test)))
			if len(slices.Compact(all)) != len(train)+len(test) || len(train) == 0 || len(test) == 0 {
				t.Fatalf("%s: %d rows trained on, %d tested of %d", name, len(train), len(test), table.Rows())
			}
			for _, r := range slices.Concat(train, test) {
				if !slices.Contains(training, r) {
					t.Errorf("%s: row %d, which the split holds out, is in fold %d", name, r, fold)
				}
			}
			for _, r := range test {
				times[r]++
				for _, other := range train {
					switch {
					case name == "group" && table.SplitValues[r] == table.SplitValues[other]:
						t.Fatalf("%s: %v is on both sides", name, table.SplitValues[r])
					case name == "time" && table.SplitValues[other] >= table.SplitValues[r]:
						t.Fatalf("%v is trained on and %v tested", table.SplitValues[other], table.SplitValues[r])
					}
				}
			}
			if name != "time" && len(test) < len(training)/folds-len(training)/6 {
				t.Errorf("%s: fold %d tests on %d of %d rows", name, fold, len(test), len(training))
			}
			if x := data.FitScalers(table.Y, table.Targets, train); f.targetScalers[0].Mean != x[0].Mean {
				t.Errorf("%s: the scale is not of the rows that fold %d trains on", name, fold)
			}
		}
		for r, n := range times {
			if n != 1 {
				t.Errorf("%s: row %d is tested on %d times", name, r, n)
			}
		}
		if name != "time" && len(times) != len(training) {
			t.Errorf("%s: %d of %d training rows are tested on", name, len(times), len(training))
		}
	}
}

// Parts of one moment at least, worked by hand.
func TestConsecutive(t *testing.T) {
	for _, c := range []struct {
		times []float64
		parts int
		want  string
	}{
		{[]float64{5, 4, 3, 2, 1, 0}, 3, "[2 2 1 1 0 0]"},
		{[]float64{1, 1, 1, 1, 2, 3}, 3, "[0 0 0 0 1 2]"},
		{[]float64{1, 2, 3, 3, 3, 3}, 3, "[0 1 2 2 2 2]"},
		{[]float64{7, 7, 8, 8, 9, 9, 9, 9}, 2, "[0 0 0 0 1 1 1 1]"},
	} {
		table := data.Friedman(len(c.times), 1)
		table.SplitValues = c.times
		rows := make([]int, len(c.times))
		for i := range rows {
			rows[i] = i
		}
		got, err := timeFolds(table, rows, c.parts)
		if fmt.Sprint(got) != c.want || err != nil {
			t.Errorf("%v in %d parts: %v, %v; want %s", c.times, c.parts, got, err, c.want)
		}
	}
}

// What cannot be cut says how many folds could be had, or of what there is too little.
func TestInnerFoldErrors(t *testing.T) {
	splits := ownSplits(t)
	for _, c := range []struct {
		split string
		inner trainers.Inner
		want  string
	}{
		{"group", trainers.Inner{Folds: 30}, "inner fold 0 of 30 of the 53 training rows of .*: they have 8 groups"},
		{"time", trainers.Inner{Folds: 60}, "distinct times, and 60 folds by time need 61"},
		{"random", trainers.Inner{Folds: 60}, "want a row for each fold"},
		{"random", trainers.Inner{Folds: 1}, "the number of inner folds is 1: want 2 to 100"},
		{"random", trainers.Inner{Folds: 3, Fold: 3}, "there is no fold 3; folds are 0 to 2"},
	} {
		s := splits[c.split]
		s.Training.Inner = c.inner
		err := s.resolveSplit()
		if err == nil {
			table, unread := s.Table.Read(t.Context(), "", s.Training.Protocol)
			if unread != nil {
				t.Fatal(unread)
			}
			_, err = s.Rows(t.Context(), NewTable(table))
		}
		if err == nil || !regexp.MustCompile(c.want).MatchString(err.Error()) {
			t.Errorf("%s, %+v: %v; want %s", c.split, c.inner, err, c.want)
		}
	}
}
