package pages

import (
	"math"

	"github.com/parquet-go/parquet-go"
)

// missingBits are the bits of the NaN that ReadFloats stores for a missing value. They differ in the
// lowest bits from math.NaN, which ReadFloats stores for every NaN of the file.
const missingBits = 0x7ff8<<48 | 2

// IsMissing reports whether a number that ReadFloats stored is a missing value.
func IsMissing(v float64) bool { return math.Float64bits(v) == missingBits }

// ReadFloats decodes the next n values of a column of numbers into dst[0], dst[stride],
// dst[2*stride] and so on, rounded to float64. It returns the number of decoded values, and an
// error if it is less than n: io.EOF after the last value.
func (c *Chunk) ReadFloats(dst []float64, stride, n int) (int, error) {
	for i := 0; i < n; {
		for c.valuesLeft == 0 {
			if err := c.nextPage(); err != nil {
				return i, err
			}
		}
		count, err := c.readPageFloats(dst[i*stride:], stride, min(n-i, c.valuesLeft))
		i += count
		if err != nil {
			return i, err
		}
	}
	return n, nil
}

// readPageFloats reads the next n values of the open page, which must have as many, into dst[0], dst[stride] and so on. It
// returns the number of values that it has read, and an error if it is less than n. Doubles without missing values, the
// most frequent case, are copied without a call for each value.
func (c *Chunk) readPageFloats(dst []float64, stride, n int) (int, error) {
	isPlain := c.levels == nil && !c.hasIndices && c.valueType.kind == parquet.Double
	if isPlain {
		for i, v := range c.stored.decoded.Double()[c.next : c.next+n] {
			dst[i*stride] = canonicalNaN(v)
		}
		c.next += n
		c.valuesLeft -= n
		return n, nil
	}
	for i := range n {
		v, err := c.nextFloat()
		if err != nil {
			return i, err
		}
		dst[i*stride] = v
	}
	return n, nil
}

// nextFloat returns the next value as a number, and the NaN of missingBits if it is missing. It
// returns an error if the column's values are not numbers.
func (c *Chunk) nextFloat() (float64, error) {
	v, err := c.Next()
	if err != nil || v.IsNull() {
		return math.Float64frombits(missingBits), err
	}
	switch v.Kind() {
	case parquet.Int32:
		return float64(v.Int32()), nil
	case parquet.Int64:
		return float64(v.Int64()), nil
	case parquet.Float:
		return canonicalNaN(float64(v.Float())), nil
	case parquet.Double:
		return canonicalNaN(v.Double()), nil
	}
	return 0, errInconsistent
}

// canonicalNaN returns math.NaN for every NaN, so that IsMissing is false for it, and any other number
// unchanged.
func canonicalNaN(v float64) float64 {
	if v != v { // only a NaN differs from itself
		return math.NaN()
	}
	return v
}
