package trainers

import (
	"hash/fnv"
	"math/rand/v2"

	"sml/graph"
	"sml/internal/portable"
)

// Streams of the random generators that follow from a member's seed. They are far apart, so that none
// meets another: the initial weights of parameter i use stream i, and the shuffle of epoch e uses
// shuffleStream + e. Masks have a generator of their own.
const (
	shuffleStream    = 1 << 32 // plus the epoch
	validationStream = 1 << 33
	bootstrapStream  = 1<<33 + 2
	bufferStream     = 1<<33 + 3 // follows from the seed of an epoch instead
	innerStream      = 1 << 34

	calibrationStream = 1<<33 + 1 // follows from the seed of a fold instead
)

// FoldSeed returns the seed from which the initial weights, the shuffles and the masks of a training
// follow. It depends on Seed, Split, Fold and Inner, so that the folds of one seed differ as much as
// two seeds do. It does not depend on the method or the table, so that methods can be compared fold
// by fold. Without a split it is Seed itself.
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

// memberSeed returns the seed of an ensemble member.
func memberSeed(seed uint64, member int) uint64 { return graph.Seed(seed, uint64(member)) }

// permute returns a random permutation of 0, …, n−1, which follows from the seed and the stream. It
// shuffles by the algorithm of Fisher and Yates.
func permute(seed, stream uint64, n int) []int32 {
	permutation := make([]int32, n)
	for i := range permutation {
		permutation[i] = int32(i)
	}
	r := rand.New(rand.NewPCG(seed, stream))
	for i := n - 1; i > 0; i-- { // as rand.Shuffle, without a call for each swap
		j := portable.UintN(r, uint64(i)+1)
		permutation[i], permutation[j] = permutation[j], permutation[i]
	}
	return permutation
}
