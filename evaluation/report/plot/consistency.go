package plot

import "math"

// consistency is the band that the share of n rows whose level is at most p stays within
// with a probability of 95 %, where predictions are honest: the number of such rows is
// then binomial, and its quantiles at 2.5 % and 97.5 % are computed from its
// probabilities. (Bröcker and Smith 2007, Increasing the reliability of reliability
// diagrams, estimate such bars by drawing rows.)
func consistency(n int, p float64) (low, high float64) {
	if n < 1 {
		return 0, 1
	}
	// Probabilities over that of the mode, outwards until they are nothing beside it.
	const nothing = 1e-18
	mode := min(n, int(float64(n+1)*p))
	first, last := mode, mode
	below, above := []float64{1}, []float64(nil)
	for v := 1.0; first > 0 && v > nothing; first-- {
		v *= float64(first) / float64(n-first+1) * (1 - p) / p
		below = append(below, v)
	}
	for v := 1.0; last < n && v > nothing; last++ {
		v *= float64(n-last) / float64(last+1) * p / (1 - p)
		above = append(above, v)
	}
	total := 0.0
	each := func(of func(k int, v float64)) {
		for i := len(below) - 1; i >= 0; i-- {
			of(mode-i, below[i])
		}
		for i, v := range above {
			of(mode+1+i, v)
		}
	}
	each(func(_ int, v float64) { total += v })
	sum := 0.0
	low, high = math.NaN(), math.NaN()
	each(func(k int, v float64) {
		sum += v / total
		if math.IsNaN(low) && sum >= 0.025 {
			low = float64(k) / float64(n)
		}
		if math.IsNaN(high) && sum >= 0.975 {
			high = float64(k) / float64(n)
		}
	})
	return low, high
}

// wilson is the interval of 95 % for the probability of what was seen in a share of n
// rows (Wilson 1927).
func wilson(share float64, n int) (low, high float64) {
	const z = 1.959963984540054
	count := float64(n)
	middle := (share + z*z/(2*count)) / (1 + z*z/count)
	half := z / (1 + z*z/count) * math.Sqrt(share*(1-share)/count+z*z/(4*count*count))
	return math.Max(0, middle-half), math.Min(1, middle+half)
}
