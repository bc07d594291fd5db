package data

import (
	"fmt"
	"math"

	"sml/internal/statistics"
)

// Scaler is the name, mean and standard deviation of a column, and standardises its
// values: (value − Mean)/Std.
type Scaler struct {
	Name string  `json:"name"` // "" if the name is not known
	Mean float64 `json:"mean"`
	Std  float64 `json:"std"`
}

// Check returns an error if no value can be standardised by the scaler.
func (s Scaler) Check() error {
	if !(s.Std > 0) || !statistics.Finite(s.Std) || !statistics.Finite(s.Mean) {
		return fmt.Errorf("column %q has the impossible mean %v or std %v", s.Name, s.Mean, s.Std)
	}
	return nil
}

// Scalers standardise the columns of a table, in order. Nil leaves all values as they
// are.
type Scalers []Scaler

// FitScalers returns the mean and standard deviation of each column over the given rows
// of values, which are row-major; nil rows are all rows. A standard deviation of 0 counts
// as 1.
func FitScalers(values []float64, names []string, rows []int) Scalers {
	means, stds := Moments(values, len(names), rows)
	scalers := make(Scalers, len(names))
	for j, name := range names {
		scalers[j] = Scaler{Name: name, Mean: means[j], Std: stds[j]}
		if stds[j] == 0 {
			scalers[j].Std = 1
		}
	}
	return scalers
}

// UnitScalers returns scalers that leave the values of the columns as they are, such as the
// numbers of classes.
func UnitScalers(names []string) Scalers {
	scalers := make(Scalers, len(names))
	for j, name := range names {
		scalers[j] = Scaler{Name: name, Std: 1}
	}
	return scalers
}

// Names returns the names of the columns, nil for nil.
func (s Scalers) Names() []string {
	if s == nil {
		return nil
	}
	names := make([]string, len(s))
	for i, c := range s {
		names[i] = c.Name
	}
	return names
}

// Means returns the means of the columns, nil for nil.
func (s Scalers) Means() []float64 {
	if s == nil {
		return nil
	}
	means := make([]float64, len(s))
	for i, c := range s {
		means[i] = c.Mean
	}
	return means
}

// Stds returns the standard deviations of the columns, nil for nil.
func (s Scalers) Stds() []float64 {
	if s == nil {
		return nil
	}
	stds := make([]float64, len(s))
	for i, c := range s {
		stds[i] = c.Std
	}
	return stds
}

// Moments returns the mean and the population standard deviation of each column
// over the given rows of values, which are row-major; nil rows are all rows. The
// standard deviation is 0 if the values differ only by rounding.
func Moments(values []float64, columns int, rows []int) (means, stds []float64) {
	means, stds = make([]float64, columns), make([]float64, columns)
	if rows == nil && columns > 0 {
		rows = indices[int](len(values) / columns)
	}
	n := float64(len(rows))
	if n == 0 {
		return means, stds
	}
	unit := units(values, columns, rows)

	// Means are summed as distances from the first row: exact for a constant column.
	first := make([]float64, columns)
	for j, v := range values[rows[0]*columns:][:columns] {
		first[j] = v * unit[j]
	}
	for _, r := range rows {
		for j, v := range values[r*columns:][:columns] {
			means[j] += (float64(v*unit[j]) - first[j]) / n
		}
	}
	// The second pass measures from the mean and takes out what rounding left in it.
	rest := make([]float64, columns)
	for j := range means {
		means[j] += first[j]
	}
	for _, r := range rows {
		for j, v := range values[r*columns:][:columns] {
			d := float64(v*unit[j]) - means[j]
			rest[j] += d / n
			stds[j] += float64(d*d) / n // no fused multiply-add: the same bits on every CPU
		}
	}
	for j := range stds {
		means[j] += rest[j]
		stds[j] = math.Sqrt(max(0, stds[j]-float64(rest[j]*rest[j])))
		const rounding = 1e-14 // some 50 times the spacing of float64 numbers
		if stds[j] <= rounding*math.Abs(means[j]) {
			stds[j] = 0
		}
		means[j] /= unit[j]
		stds[j] /= unit[j]
	}
	return means, stds
}

// units returns a power of 2 for each column. Moments multiplies the column's values by it
// before it squares and sums them. It is 1, unless the values are so large or so small that
// their squares would leave the range of float64.
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
