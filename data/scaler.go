package data

import "math"

// Scaler standardises the values of a column: it replaces each value by (value − Mean)/Std.
type Scaler struct {
	Name string  `json:"name"` // name of the column; "" if it is not known
	Mean float64 `json:"mean"`
	Std  float64 `json:"std"`
}

// Scalers standardise the columns of a table, one Scaler for each column in order. Nil scalers
// leave all values as they are.
type Scalers []Scaler

// FitScalers returns scalers with the mean and the standard deviation of each column over the
// given rows of values, which are row-major, or over all rows if rows is nil. Values that are NaN, as
// unknown targets are, do not count; a column without any other has the mean 0. A standard deviation of
// 0 is replaced by 1, so that the values of a constant column become 0.
func FitScalers(values []float64, names []string, rows []int) Scalers {
	means, stds := Moments(values, len(names), rows)
	scalers := make(Scalers, len(names))
	for j, name := range names {
		mean, std := means[j], stds[j]
		if math.IsNaN(mean) {
			known := knownRows(values, len(names), j, rows)
			means, stds := Moments(values, len(names), known)
			mean, std = means[j], stds[j]
		}
		if std == 0 {
			std = 1
		}
		scalers[j] = Scaler{Name: name, Mean: mean, Std: std}
	}
	return scalers
}

// IdentityScalers returns scalers that leave the values of the columns as they are, such as the
// numbers of classes.
func IdentityScalers(names []string) Scalers {
	scalers := make(Scalers, len(names))
	for j, name := range names {
		scalers[j] = Scaler{Name: name, Std: 1}
	}
	return scalers
}

// Names returns the names of the columns, or nil for nil scalers.
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

// Means returns the means of the columns, or nil for nil scalers.
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

// Stds returns the standard deviations of the columns, or nil for nil scalers.
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

// Moments returns the mean and the population standard deviation of each column over the given
// rows of values, which are row-major, or over all rows if rows is nil. The standard deviation is
// 0 if the values differ only by rounding, and both are 0 if there are no rows.
//
// It is the two-pass algorithm with a correction (Chan, Golub and LeVeque 1983, equation 1.7). The
// conversions float64(x*y) keep compilers from fusing products and sums, for the same bits on
// every CPU.
func Moments(values []float64, columns int, rows []int) (means, stds []float64) {
	means = make([]float64, columns)
	stds = make([]float64, columns)
	if rows == nil && columns > 0 {
		rows = indices[int](len(values) / columns)
	}
	if len(rows) == 0 {
		return means, stds
	}
	scales := rangeScales(values, columns, rows) // until they are divided by scales, means and stds belong to scaled values
	addMeans(means, values, rows, scales)
	meanSquares := make([]float64, columns)
	meanErrors := addSquaredDeviations(meanSquares, values, rows, scales, means)
	for j, meanError := range meanErrors {
		means[j] += meanError
		variance := meanSquares[j] - float64(meanError*meanError) // of the deviations from the corrected mean
		stds[j] = math.Sqrt(max(0, variance))
		isRounding := stds[j] <= roundingFraction*math.Abs(means[j])
		if isRounding {
			stds[j] = 0
		}
		means[j] /= scales[j]
		stds[j] /= scales[j]
	}
	return means, stds
}

// roundingFraction is the fraction of the mean up to which a standard deviation counts as a
// rounding error: about 50 times the relative distance of neighbouring float64 numbers.
const roundingFraction = 1e-14

// addMeans adds to means, which are 0, the means over the given rows of the columns, multiplied by
// scales. It averages the distances from the first row and adds the first row to them, which is
// exact for a constant column.
func addMeans(means, values []float64, rows []int, scales []float64) {
	columns := len(means)
	n := float64(len(rows))
	firstRow := make([]float64, columns)
	for j, v := range values[rows[0]*columns:][:columns] {
		firstRow[j] = v * scales[j]
	}
	for _, r := range rows {
		for j, v := range values[r*columns:][:columns] {
			means[j] += (float64(v*scales[j]) - firstRow[j]) / n
		}
	}
	for j := range means {
		means[j] += firstRow[j]
	}
}

// addSquaredDeviations adds to meanSquares, which are 0, the mean squared deviations from the given
// means of the columns, multiplied by scales, over the given rows. It returns the mean deviations,
// which would be 0 if the means had no rounding errors.
func addSquaredDeviations(meanSquares, values []float64, rows []int, scales, means []float64) (meanErrors []float64) {
	columns := len(means)
	n := float64(len(rows))
	meanErrors = make([]float64, columns)
	for _, r := range rows {
		for j, v := range values[r*columns:][:columns] {
			deviation := float64(v*scales[j]) - means[j]
			meanErrors[j] += deviation / n
			meanSquares[j] += float64(deviation*deviation) / n
		}
	}
	return meanErrors
}

// rangeScales returns a power of 2 for each column, by which Moments multiplies the column's values
// before it squares and sums them: such a product is exact. It is 1, unless the values are so large
// or so small that their squares would leave the range of float64. Then it makes the largest
// magnitude about 1.
func rangeScales(values []float64, columns int, rows []int) []float64 {
	const (
		small = 1e-140 // its square, 1e-280, and fractions of it are still normal numbers
		large = 1e140  // sums of many of its square, 1e280, are still finite

		maxExponent = 1000 // of a scale, so that it is finite: the largest float64 is just below 2¹⁰²⁴
	)
	scales := largestMagnitudes(values, columns, rows)
	for j, largest := range scales {
		scales[j] = 1
		if largest > 0 && (largest < small || largest > large) {
			_, exponent := math.Frexp(largest) // largest is from 0.5 to 1 times 2^exponent
			scales[j] = math.Ldexp(1, min(-exponent, maxExponent))
		}
	}
	return scales
}

// largestMagnitudes returns the largest absolute value of each column over the given rows.
func largestMagnitudes(values []float64, columns int, rows []int) []float64 {
	largest := make([]float64, columns)
	for _, r := range rows {
		for j, v := range values[r*columns:][:columns] {
			largest[j] = max(largest[j], math.Abs(v))
		}
	}
	return largest
}
