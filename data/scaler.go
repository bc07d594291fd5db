package data

import "math"

// Scaler standardises columns: (value − mean) / std.
type Scaler struct {
	Mean, Std []float64 // one of each column; Std is not 0, but of Moments
}

// FitScaler returns the moments of each column over the given rows. A deviation of 0
// counts as 1.
func FitScaler(values []float64, columns int, rows []int) Scaler {
	s := Moments(values, columns, rows)
	for j, std := range s.Std {
		if std == 0 {
			s.Std[j] = 1
		}
	}
	return s
}

// Moments returns the mean and the population standard deviation of each column
// over the given rows of values, which are row-major; nil rows are all rows. The
// deviation of a column that is constant but for rounding is 0.
func Moments(values []float64, columns int, rows []int) Scaler {
	s := Scaler{Mean: make([]float64, columns), Std: make([]float64, columns)}
	if rows == nil && columns > 0 {
		rows = upTo[int](len(values) / columns)
	}
	n := float64(len(rows))
	if n == 0 {
		return s
	}
	unit := units(values, columns, rows)

	// Means are summed as distances from the first row: exact for a constant column.
	first := make([]float64, columns)
	for j, v := range values[rows[0]*columns:][:columns] {
		first[j] = v * unit[j]
	}
	for _, r := range rows {
		for j, v := range values[r*columns:][:columns] {
			s.Mean[j] += (float64(v*unit[j]) - first[j]) / n
		}
	}
	// The second pass measures from the mean and takes out what rounding left in it.
	rest := make([]float64, columns)
	for j := range s.Mean {
		s.Mean[j] += first[j]
	}
	for _, r := range rows {
		for j, v := range values[r*columns:][:columns] {
			d := float64(v*unit[j]) - s.Mean[j]
			rest[j] += d / n
			s.Std[j] += float64(d*d) / n // no fused multiply-add: the same bits on every CPU
		}
	}
	for j := range s.Std {
		s.Mean[j] += rest[j]
		s.Std[j] = math.Sqrt(max(0, s.Std[j]-float64(rest[j]*rest[j])))
		const rounding = 1e-14 // some 50 times the spacing of float64 numbers
		if s.Std[j] <= rounding*math.Abs(s.Mean[j]) {
			s.Std[j] = 0
		}
		s.Mean[j] /= unit[j]
		s.Std[j] /= unit[j]
	}
	return s
}

// units returns a power of 2 for each column by which its values are
// multiplied while they are squared and summed: 1, but for columns so large or so
// small that the squares would leave the range of float64.
func units(values []float64, columns int, rows []int) []float64 {
	largest := make([]float64, columns)
	for _, r := range rows {
		for j, v := range values[r*columns:][:columns] {
			largest[j] = max(largest[j], math.Abs(v))
		}
	}
	const small, large = 1e-140, 1e140
	for j, v := range largest {
		largest[j] = 1
		if v > 0 && (v < small || v > large) {
			_, exponent := math.Frexp(v)
			largest[j] = math.Ldexp(1, min(-exponent, 1000)) // 2⁻¹⁰²³ and 2¹⁰²³ are the limits
		}
	}
	return largest
}
