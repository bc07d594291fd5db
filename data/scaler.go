package data

import "math"

// Scaler standardises columns: (value − mean) / std.
type Scaler struct {
	Mean, Std []float64 // one of each column; Std is never 0
}

// FitScaler returns the mean and the population standard deviation of each column
// over the given rows of values, which are row-major; nil rows are all rows. The
// deviation of a column that is constant but for rounding counts as 1.
func FitScaler(values []float64, columns int, rows []int) Scaler {
	s := Scaler{Mean: make([]float64, columns), Std: make([]float64, columns)}
	rows = orAll(rows, values, columns)
	n := float64(len(rows))
	if n == 0 {
		for j := range s.Std {
			s.Std[j] = 1
		}
		return s
	}

	// Means are summed as distances from the first row: exact for a constant column.
	first := values[rows[0]*columns:][:columns]
	for _, r := range rows {
		for j, v := range values[r*columns:][:columns] {
			s.Mean[j] += (v - first[j]) / n
		}
	}
	// The second pass measures from the mean and takes out what rounding left in it.
	rest := make([]float64, columns)
	for j := range s.Mean {
		s.Mean[j] += first[j]
	}
	for _, r := range rows {
		for j, v := range values[r*columns:][:columns] {
			d := v - s.Mean[j]
			rest[j] += d / n
			s.Std[j] += float64(d*d) / n // no fused multiply-add: the same bits on every CPU
		}
	}
	for j := range s.Std {
		s.Mean[j] += rest[j]
		s.Std[j] = math.Sqrt(max(0, s.Std[j]-float64(rest[j]*rest[j])))
		const rounding = 1e-14 // some 50 times the spacing of float64 numbers
		if s.Std[j] <= rounding*math.Abs(s.Mean[j]) {
			s.Std[j] = 1
		}
	}
	return s
}

// Apply returns the given rows of values, standardised and row-major; nil rows are
// all rows.
func (s Scaler) Apply(values []float64, rows []int) []float32 {
	columns := len(s.Mean)
	rows = orAll(rows, values, columns)
	out := make([]float32, 0, len(rows)*columns)
	for _, r := range rows {
		for j, v := range values[r*columns:][:columns] {
			out = append(out, float32((v-s.Mean[j])/s.Std[j]))
		}
	}
	return out
}

func orAll(rows []int, values []float64, columns int) []int {
	if rows != nil || columns == 0 {
		return rows
	}
	rows = make([]int, len(values)/columns)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
