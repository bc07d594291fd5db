package trainers

import (
	"testing"

	"sml/data"
)

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
		if err != nil {
			t.Fatal(err)
		}
		sizes[len(validation)] = true
	}
	if len(sizes) != 2 || !sizes[5] || !sizes[130] {
		t.Errorf("%v rows are held out; want 5 or 130", sizes)
	}
}
