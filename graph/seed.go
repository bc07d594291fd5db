package graph

// Seed derives a seed from another one and numbers that say what it is for: a
// member of an ensemble, a fold, a kind of draw. Different seeds stay different
// under the same numbers. Source of the mixing: splitmix64, Steele et al. 2014.
func Seed(seed uint64, numbers ...uint64) uint64 {
	for _, n := range numbers {
		seed += (n + 1) * 0x9E3779B97F4A7C15
		seed = (seed ^ seed>>30) * 0xBF58476D1CE4E5B9
		seed = (seed ^ seed>>27) * 0x94D049BB133111EB
		seed ^= seed >> 31
	}
	return seed
}
