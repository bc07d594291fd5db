package kernels

import "math/bits"

// maskRounds is the number of rounds of Philox for masks and noise: the smallest number that passes
// the BigCrush tests (Salmon et al. 2011, table 2).
const maskRounds = 7

// The multipliers and Weyl constants of Philox4x32.
const (
	philoxM0, philoxM1 = 0xD2511F53, 0xCD9E8D57
	philoxW0, philoxW1 = 0x9E3779B9, 0xBB67AE85
)

// philox returns four random words, as a function of a counter and a key: the counter-based generator Philox4x32 with the
// given number of rounds (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011). The
// compiler keeps single variables in registers, unlike arrays.
func philox(c0, c1, c2, c3, k0, k1 uint32, rounds int) (w0, w1, w2, w3 uint32) {
	for range rounds {
		hi0, lo0 := bits.Mul32(philoxM0, c0)
		hi1, lo1 := bits.Mul32(philoxM1, c2)
		c0, c1, c2, c3 = hi1^c1^k0, lo1, hi0^c3^k1, lo0
		k0 += philoxW0
		k1 += philoxW1
	}
	return c0, c1, c2, c3
}
