package pages

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
)

// missingBits is the NaN of a missing value. It differs from math.NaN, which stands for every
// NaN in a file.
const missingBits = 0x7ff8<<48 | 2

// IsMissing reports whether a number read by ReadFloats is a missing value.
func IsMissing(v float64) bool { return math.Float64bits(v) == missingBits }

// ReadFloats decodes the next n values of a column of numbers into dst[0], dst[stride],
// dst[2*stride] and so on, rounded to float64. It returns the number of decoded values, and an
// error if it is less than n: io.EOF after the last value.
func (c *Chunk) ReadFloats(dst []float64, stride, n int) (int, error) {
	for i := 0; i < n; {
		for c.left == 0 {
			if err := c.nextPage(); err != nil {
				return i, err
			}
		}
		count := min(n-i, c.left)
		doubles, ok := c.values.(*plain)
		if !ok || c.levels != nil || doubles.shape.kind != parquet.Double {
			count = 1
			v, err := c.nextFloat()
			if err != nil {
				return i, err
			}
			dst[i*stride] = v
		} else if count = doubles.readDoubles(dst[i*stride:], stride, count); count == 0 {
			return i, io.ErrUnexpectedEOF
		} else {
			c.left -= count
		}
		i += count
	}
	return n, nil
}

// nextFloat returns the next value as a number.
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
		return oneNaN(float64(v.Float())), nil
	case parquet.Double:
		return oneNaN(v.Double()), nil
	}
	return 0, errBroken
}

// readDoubles decodes up to n doubles into dst[0], dst[stride] and so on. It returns how many it
// decoded: fewer than n at the end of the page.
func (p *plain) readDoubles(dst []float64, stride, n int) int {
	n = min(n, len(p.text)/8)
	for i, text := 0, p.text; i < n; i++ {
		dst[i*stride] = oneNaN(math.Float64frombits(binary.LittleEndian.Uint64(text[8*i:])))
	}
	p.text = p.text[8*n:]
	return n
}

// oneNaN returns math.NaN for every NaN, and any other number unchanged.
func oneNaN(v float64) float64 {
	if v != v {
		return math.NaN()
	}
	return v
}
