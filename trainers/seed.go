package trainers

import (
	"math/rand/v2"

	"sml/data/portable"
)

// Streams of the generators that a member's seed feeds. Parameters take the
// streams from 0, masks have a generator of their own.
const (
	shuffleStream    = 1 << 32 // plus the epoch
	validationStream = 1 << 33
)

// memberSeed gives every member of an ensemble its own seed. Source of the
// mixing: splitmix64, Steele et al. 2014.
func memberSeed(seed uint64, member int) uint64 {
	z := seed + uint64(member+1)*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

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
