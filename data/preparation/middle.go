package preparation

import "slices"

// middle returns the median of values, which it reorders.
func middle(values []float64) float64 {
	n := len(values)
	low := smallest(values, (n-1)/2)
	if n%2 == 1 {
		return low
	}
	return (low + slices.Min(values[n/2:])) / 2
}

// smallest returns the value that has k before it in ascending order, and moves it
// to place k, the smaller ones before it and the larger ones behind.
func smallest(values []float64, k int) float64 {
	from, to := 0, len(values)-1
	for from < to {
		a, b, c := values[from], values[(from+to)/2], values[to]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := from, to
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			to = j
		case k >= i:
			from = i
		default:
			return values[k]
		}
	}
	return values[k]
}
