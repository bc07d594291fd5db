package graph

import "testing"

// The first outputs of splitmix64 from state 0, as published with its reference
// implementation (Vigna, splitmix64.c): e220a8397b1dcdaf, 6e789e6aa1b965f4.
func TestSeedIsSplitmix64(t *testing.T) {
	if got := Seed(0, 0); got != 0xe220a8397b1dcdaf {
		t.Errorf("%#x", got)
	}
	if got := Seed(0, 1); got != 0x6e789e6aa1b965f4 {
		t.Errorf("%#x", got)
	}
	if Seed(7) != 7 {
		t.Error("no numbers: not the seed itself")
	}
}

// Neighbouring seeds and numbers, and numbers in another order, have nothing in
// common.
func TestSeedsDiffer(t *testing.T) {
	seen := make(map[uint64][3]uint64)
	for seed := range uint64(30) {
		for a := range uint64(30) {
			for b := range uint64(30) {
				s := Seed(seed, a, b)
				if other, ok := seen[s]; ok {
					t.Fatalf("%v and %v share %#x", other, [3]uint64{seed, a, b}, s)
				}
				seen[s] = [3]uint64{seed, a, b}
			}
		}
	}
}
