package trainers

import (
	"math"
	"slices"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

// A member draws as many rows as there are. The rows that it does not draw are the out-of-bag rows, a fraction of
// (1 − 1/n)ⁿ of them on average.
func TestDrawBootstrap(t *testing.T) {
	const rows = 200
	const draws = 300
	indices := make([]int32, rows)
	for i := range indices {
		indices[i] = int32(2*i + 1)
	}
	total := 0
	for seed := range uint64(draws) {
		outOfBag, drawn, err := drawBootstrap(data.Separation{}, indices, seed)
		if err != nil || len(drawn) != rows {
			t.Fatalf("%d rows are drawn, %v; want %d", len(drawn), err, rows)
		}
		total += len(outOfBag)
		for _, row := range indices {
			if slices.Contains(outOfBag, row) == slices.Contains(drawn, row) {
				t.Fatalf("seed %d: row %d is both drawn and out of bag, or neither", seed, row)
			}
		}
	}
	p := math.Pow(1-1.0/rows, rows)
	// The number of rows without a draw has the variance n·p − n²·p² + n(n − 1)(1 − 2/n)ⁿ (empty boxes of n balls in n boxes).
	variance := rows*p - rows*rows*p*p + rows*(rows-1)*math.Pow(1-2.0/rows, rows)
	got, want := float64(total)/draws, rows*p
	if math.Abs(got-want) > 4*math.Sqrt(variance/draws) {
		t.Errorf("%v rows are out of bag on average; want %v", got, want)
	}
}

// Rows of one group are drawn together.
func TestDrawBootstrapOfGroups(t *testing.T) {
	indices := []int32{0, 1, 2, 3, 4, 5, 6}
	groups := data.Separation{Values: []float64{7, 7, 8, 9, 9, 9, 3}}
	for seed := range uint64(50) {
		outOfBag, drawn, err := drawBootstrap(groups, indices, seed)
		if err != nil || len(outOfBag) == 0 {
			t.Fatalf("seed %d: %v are out of bag, %v", seed, outOfBag, err)
		}
		countOf := make(map[float64]int) // draws of each row of a group
		for _, row := range indices {
			count := 0
			for _, d := range drawn {
				if d == row {
					count++
				}
			}
			group := groups.Values[row]
			if seen, ok := countOf[group]; ok && seen != count {
				t.Errorf("seed %d: the rows of group %v are drawn %d and %d times", seed, group, seen, count)
			}
			countOf[group] = count
		}
		total := 0
		for _, count := range countOf {
			total += count
		}
		if total != 4 {
			t.Errorf("seed %d: %d groups are drawn; want 4", seed, total)
		}
	}
}

func TestDrawBootstrapErrors(t *testing.T) {
	indices := []int32{0, 1, 2}
	_, _, err := drawBootstrap(data.Separation{Values: []float64{5, 5, 5}}, indices, 1)
	expect.Error(t, err, "needs two rows or groups to draw from: there are 1")
	outOfBag, drawn, err := drawBootstrap(data.Separation{}, indices[:2], 1)
	if err != nil || len(outOfBag) != 1 || len(drawn) != 2 || drawn[0] != drawn[1] {
		t.Errorf("of two rows %v are drawn and %v are not, %v; want one row twice", drawn, outOfBag, err)
	}
}

// OutOfBagRows are the validation rows of the members of a training.
func TestOutOfBagRows(t *testing.T) {
	indices := []int32{3, 5, 8, 13, 21, 34, 55}
	s := Settings{Members: 5, Seed: 2, Bootstrap: true}
	got, err := s.OutOfBagRows(data.Separation{}, indices)
	if err != nil || len(got) != 5 {
		t.Fatalf("%v, %v", got, err)
	}
	for i, rows := range got {
		m := member{settings: s, seed: memberSeed(s.FoldSeed(), i), index: i, sharedRows: &sharedRows{rows: data.Subset{Indices: indices}}}
		m.spec.Architecture.Inputs = 1
		expect.NoError(t, m.chooseRows())
		if want := slices.Sorted(slices.Values(m.validationRows)); !slices.Equal(rows, want) {
			t.Errorf("member %d: %v; want %v", i, rows, want)
		}
	}
}
