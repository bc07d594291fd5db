package trainers

import (
	"hash/fnv"
	"math/rand/v2"

	"sml/graph"
	"sml/internal/portable"
)

// Streams of the generators that a member's seed feeds. Parameters take the
// streams from 0, masks have a generator of their own.
const (
	shuffleStream    = 1 << 32 // plus the epoch
	validationStream = 1 << 33
	innerStream      = 1 << 34

	calibrationStream = 1<<33 + 1 // of the seed of a fold
)

// FoldSeed is what initial weights, shuffles and masks of a training follow
// from: the seed, and which part of a table is trained on, so that the folds of one
// seed are as different as those of two. It does not depend on the method or the
// table, so that methods can be compared fold by fold. Without a split it is
// the seed itself.
func (s Settings) FoldSeed() uint64 {
	seed := s.Seed
	if s.Split != "" {
		h := fnv.New64a()
		h.Write([]byte(s.Split))
		seed = graph.Seed(seed, h.Sum64(), uint64(s.Fold))
	}
	if s.Inner != (Inner{}) {
		seed = graph.Seed(seed, innerStream, uint64(s.Inner.Folds), uint64(s.Inner.Fold))
	}
	return seed
}

// memberSeed gives every member of an ensemble its own seed.
func memberSeed(seed uint64, member int) uint64 { return graph.Seed(seed, uint64(member)) }

// permute returns a permutation of 0, …, n−1.
func permute(seed, stream uint64, n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	r := rand.New(rand.NewPCG(seed, stream))
	for i := n - 1; i > 0; i-- { // rand.Shuffle, without a call for each swap
		j := portable.Below(r, uint64(i)+1)
		list[i], list[j] = list[j], list[i]
	}
	return list
}
