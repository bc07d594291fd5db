package trainers

import (
	"math"
	"slices"
	"testing"

	"sml/data"
	"sml/internal/expect"
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
	_, _, err = holdOut(data.Separation{Values: by}, numbers, 0.2, 1)
	expect.Error(t, err, "or none for training")
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

// In a cross-validation every row is a validation row of two members, neighbours in a circle. Groups and classes are dealt whole or evenly.
func TestHoldOutParts(t *testing.T) {
	const rows = 48
	const members = 8
	indices := make([]int32, rows)
	groups := make([]float64, rows)
	classes := make([]float64, rows)
	for i := range indices {
		indices[i] = int32(i)
		groups[i] = float64(i / 4)
		classes[i] = float64(i / 24)
	}
	for name, separation := range map[string]data.Separation{
		"random":  {},
		"groups":  {Values: groups},
		"classes": {Classes: classes},
	} {
		heldOutBy := make([][]int, rows) // members
		for member := range members {
			validation, training, err := holdOutParts(separation, indices, members, member, 1)
			if err != nil || len(validation)+len(training) != rows {
				t.Fatalf("%s, member %d: %d and %d rows, %v", name, member, len(validation), len(training), err)
			}
			firstClass := 0
			for _, row := range validation {
				heldOutBy[row] = append(heldOutBy[row], member)
				if classes[row] == 0 {
					firstClass++
				}
			}
			if name == "classes" && firstClass != 6 { // 24 rows of the first class, 3 in each of 8 parts
				t.Errorf("member %d holds out %d rows of the first class, want 6", member, firstClass)
			}
		}
		for row, by := range heldOutBy {
			areNeighbours := len(by) == 2 && (by[1] == by[0]+1 || by[0] == 0 && by[1] == members-1)
			if !areNeighbours {
				t.Errorf("%s: row %d is held out by the members %v, want two neighbours", name, row, by)
			}
			if name == "groups" && !slices.Equal(by, heldOutBy[row/4*4]) {
				t.Errorf("group %v is held out by %v and by %v", groups[row], by, heldOutBy[row/4*4])
			}
		}
	}
}

// In the order of time, members hold out the latest tenth of the rows, and at least 20 or a quarter of few rows; no row
// that they learn from is later. Members that follow others learn from all rows.
func TestHoldOutLatest(t *testing.T) {
	for n, want := range map[int]int{8: 2, 60: 15, 100: 20, 1000: 100} {
		byTime := data.Separation{ByLatest: true}
		var indices []int32
		for i := range n {
			byTime.Values = append(byTime.Values, float64(i*7%n)) // 7 divides no n
			indices = append(indices, int32(i))
		}
		validation, training, err := holdOutLatest(byTime, indices, false, 1)
		if err != nil || len(validation) != want || len(training) != n-want {
			t.Errorf("of %d rows %d are held out, %d trained on, %v; want %d held out", n, len(validation), len(training), err, want)
		}
		for _, row := range training {
			if byTime.Values[row] >= float64(n-want) {
				t.Errorf("of %d rows, row %v is trained on", n, byTime.Values[row])
			}
		}
		if validation, training, err := holdOutLatest(byTime, indices, true, 1); err != nil || len(validation) != 0 || len(training) != n {
			t.Errorf("a follower holds out %d of %d rows, %v", len(validation), n, err)
		}
	}
}

// A cross-validation and a bootstrap set the fraction of the validation rows, and need four members.
func TestResolveRotation(t *testing.T) {
	for _, c := range []struct {
		settings Settings
		want     float64
		message  string
	}{
		{settings: Settings{CrossValidation: true, Members: 8}, want: 0.25},
		{settings: Settings{CrossValidation: true, Members: 5}, want: 0.4},
		{settings: Settings{CrossValidation: true, Members: 8, Validation: 0.25}, want: 0.25},
		{settings: Settings{CrossValidation: true, Members: 8, Validation: 0.1}, message: "has the fraction 0.25 of validation rows, and not 0.1"},
		{settings: Settings{CrossValidation: true, Members: 3}, message: "4 or more members: there are 3"},
		{settings: Settings{Bootstrap: true, Members: 4}, want: 1 / math.E},
		{settings: Settings{Bootstrap: true, Members: 8, Validation: 1 / math.E}, want: 1 / math.E},
	} {
		s := c.settings
		err := s.resolveRotation()
		if c.message != "" {
			expect.Error(t, err, c.message)
		} else if err != nil || s.Validation != c.want {
			t.Errorf("%+v: a fraction of %v, %v", c.settings, s.Validation, err)
		}
	}
}

// With fewer groups than half the members, each member of a cross-validation holds out one group, and each group is held
// out by two members or more.
func TestHoldOutPartsOfTwoToFourGroups(t *testing.T) {
	const members = 8
	for _, groups := range []int{2, 3, 4} {
		separation := data.Separation{Values: make([]float64, 40)}
		var indices []int32
		for i := range separation.Values {
			separation.Values[i] = float64(i % groups)
			indices = append(indices, int32(i))
		}
		heldOut := make(map[float64]int) // number of members by group
		for member := range members {
			validation, training, err := holdOutParts(separation, indices, members, member, 1)
			if err != nil || len(validation)+len(training) != len(indices) {
				t.Fatalf("%d groups, member %d: %d and %d rows, %v", groups, member, len(validation), len(training), err)
			}
			of := make(map[float64]bool)
			for _, row := range validation {
				of[separation.Values[row]] = true
			}
			for group := range of {
				heldOut[group]++
			}
			if len(of) != 1 {
				t.Errorf("%d groups: member %d holds out %d", groups, member, len(of))
			}
		}
		for group := range groups {
			if heldOut[float64(group)] < 2 {
				t.Errorf("%d groups: %d members hold out group %v", groups, heldOut[float64(group)], group)
			}
		}
	}
	single := data.Separation{Values: make([]float64, 10)}
	_, _, err := holdOutParts(single, []int32{0, 1, 2}, members, 1, 1)
	expect.Error(t, err, "leaves no row for the validation of member 2")
}

// A fraction of rows in groups never takes all groups: of groups of 5 and 130 rows, one is held out, whichever comes
// first.
func TestHoldOutLeavesAGroup(t *testing.T) {
	separation := data.Separation{Values: make([]float64, 135)}
	var indices []int32
	for i := range separation.Values {
		if i < 5 {
			separation.Values[i] = 1
		}
		indices = append(indices, int32(i))
	}
	sizes := make(map[int]bool)
	for seed := range uint64(40) {
		validation, _, err := holdOut(separation, indices, 0.1, seed)
		expect.NoError(t, err)
		sizes[len(validation)] = true
	}
	if len(sizes) != 2 || !sizes[5] || !sizes[130] {
		t.Errorf("%v rows are held out; want 5 or 130", sizes)
	}
}

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
