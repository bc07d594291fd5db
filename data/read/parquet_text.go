package read

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// secondsPerDay is the length of a day of Unix time, which has no leap seconds.
const secondsPerDay = 24 * 60 * 60

// formatterFor returns the formatter of a column's type: it writes a number as the shortest text
// that reads back as the same float64, and dates and times as in ISO 8601, in UTC. The logical
// type, such as a date, gives the values of the physical type, such as Int32, their meaning; see
// https://parquet.apache.org/docs/file-format/types.
func formatterFor(t parquet.Type) formatter {
	if l := t.LogicalType(); l != nil {
		if f := logicalFormatter(t.Kind(), l.Value); f != nil {
			return f
		}
	}
	switch t.Kind() {
	case parquet.Boolean:
		return func(v parquet.Value) (string, error) { return strconv.FormatBool(v.Boolean()), nil }
	case parquet.Int32, parquet.Int64:
		return func(v parquet.Value) (string, error) { return strconv.FormatInt(integer(v), 10), nil }
	case parquet.Float:
		return func(v parquet.Value) (string, error) { return formatNumber(float64(v.Float())), nil }
	case parquet.Double:
		return func(v parquet.Value) (string, error) { return formatNumber(v.Double()), nil }
	case parquet.Int96:
		return formatInt96
	}
	return formatText
}

// logicalFormatter returns the formatter of a logical type stored in values of the given
// physical type, kind. It returns nil if values of the logical type are written like other values of
// the kind.
func logicalFormatter(kind parquet.Kind, logical any) formatter {
	switch l := logical.(type) {
	case *format.DateType:
		return formatDate
	case *format.TimestampType:
		if l.Unit.Value != nil {
			return timestampFormatter(l.Unit.Value.Duration())
		}
	case *format.TimeType:
		if l.Unit.Value != nil {
			return clockFormatter(l.Unit.Value.Duration())
		}
	case *format.DecimalType:
		return func(v parquet.Value) (string, error) { return formatDecimal(v, int(l.Scale)) }
	case *format.IntType:
		return integerFormatter(kind, l.IsSigned)
	case *format.Float16Type:
		return func(v parquet.Value) (string, error) { return formatNumber(decodeFloat16(v.ByteArray())), nil }
	case *format.UUIDType:
		return func(v parquet.Value) (string, error) { return fmt.Sprintf("%x", v.ByteArray()), nil }
	}
	return nil
}

// integerFormatter returns the formatter of whole numbers without a sign, which are stored as signed ones, and nil for signed
// numbers.
func integerFormatter(kind parquet.Kind, isSigned bool) formatter {
	switch {
	case isSigned:
		return nil
	case kind == parquet.Int32:
		return func(v parquet.Value) (string, error) { return strconv.FormatUint(uint64(v.Uint32()), 10), nil }
	}
	return func(v parquet.Value) (string, error) { return strconv.FormatUint(v.Uint64(), 10), nil }
}

// clockFormatter returns the formatter of times of day that are stored as a number of units.
func clockFormatter(unit time.Duration) formatter {
	return func(v parquet.Value) (string, error) {
		return time.Unix(0, integer(v)*int64(unit)).UTC().Format(clockLayout), nil
	}
}

// isTextType reports whether the values of a column's type are texts.
func isTextType(t parquet.Type) bool {
	isBytes := t.Kind() == parquet.ByteArray || t.Kind() == parquet.FixedLenByteArray
	return isBytes && (t.LogicalType() == nil || logicalFormatter(t.Kind(), t.LogicalType().Value) == nil)
}

// integer returns a value of kind Int32 or Int64.
func integer(v parquet.Value) int64 {
	if v.Kind() == parquet.Int32 {
		return int64(v.Int32())
	}
	return v.Int64()
}

// formatDate writes a date, which is stored as a number of days since 1970, such as 2020-02-13.
func formatDate(v parquet.Value) (string, error) {
	return time.Unix(0, 0).UTC().AddDate(0, 0, int(v.Int32())).Format(time.DateOnly), nil
}

// timestampFormatter returns the formatter of times stored as a number of units since 1970.
func timestampFormatter(unit time.Duration) formatter {
	unitsPerSecond := int64(time.Second / unit)
	nanosecondsPerUnit := int64(time.Second) / unitsPerSecond
	return func(v parquet.Value) (string, error) {
		seconds := v.Int64() / unitsPerSecond
		units := v.Int64() % unitsPerSecond
		return formatTime(time.Unix(seconds, units*nanosecondsPerUnit)), nil
	}
}

// formatInt96 writes a timestamp of old programs: the Julian day number in the highest 32 bits,
// and the nanoseconds of the day in the lower 64 bits.
func formatInt96(v parquet.Value) (string, error) {
	const julianDay1970 = 2440588 // 1970-01-01
	words := v.Int96()
	seconds := (int64(words[2]) - julianDay1970) * secondsPerDay
	nanoseconds := int64(words[1])<<32 | int64(words[0])
	return formatTime(time.Unix(seconds, nanoseconds)), nil
}

// formatText returns the text of a byte array without blanks around it. It returns an error if the
// text is not UTF-8.
func formatText(v parquet.Value) (string, error) {
	text := string(v.ByteArray())
	if !utf8.ValidString(text) {
		return "", errors.New("the bytes are not UTF-8 text; leave the column out")
	}
	return strings.TrimSpace(text), nil
}

// clockLayout is the layout of a time of day, with the decimals of its seconds that are not 0.
const clockLayout = "15:04:05.999999999"

// formatTime returns a date with its time, in UTC and without a time zone.
func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.999999999") }

// Bounds on decimal numbers. Programs write at most 76 digits, which fit into 32 bytes.
const (
	maxDecimals     = 76
	maxDecimalBytes = 32
)

// formatDecimal writes v divided by 10 to the power of scale, in full: without an exponent, and
// without zeros after its last decimal. It returns an error for numbers that exceed the bounds.
func formatDecimal(v parquet.Value, scale int) (string, error) {
	unscaled := new(big.Int)
	switch v.Kind() {
	case parquet.Int32, parquet.Int64:
		unscaled.SetInt64(integer(v))
	default:
		b := v.ByteArray()
		if len(b) > maxDecimalBytes {
			return "", fmt.Errorf("a decimal number has %d bytes, more than %d; leave the column out", len(b), maxDecimalBytes)
		}
		unscaled = decodeTwosComplement(b)
	}
	if scale < 0 || scale > maxDecimals {
		return "", fmt.Errorf("a decimal number has %d decimals; 0 to %d are read: leave the column out", scale, maxDecimals)
	}
	return insertDecimalPoint(unscaled.String(), scale), nil
}

// decodeTwosComplement returns the whole number that b holds in two's complement, the highest byte
// first.
func decodeTwosComplement(b []byte) *big.Int {
	n := new(big.Int).SetBytes(b)
	isNegative := len(b) > 0 && b[0] >= 0x80 // the highest bit is the sign
	if isNegative {
		bits := uint(8 * len(b))
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), bits)) // minus 2^bits
	}
	return n
}

// insertDecimalPoint divides a whole number, given by its digits, by 10 to the power of scale, which
// must not be negative: "-1230" and 2 make "-12.3". It drops zeros at the end of the decimals.
func insertDecimalPoint(whole string, scale int) string {
	digits, negative := strings.CutPrefix(whole, "-")
	if scale > 0 {
		missing := max(0, scale+1-len(digits))
		digits = strings.Repeat("0", missing) + digits
		point := len(digits) - scale
		digits = strings.TrimRight(digits[:point]+"."+digits[point:], "0")
		digits = strings.TrimRight(digits, ".")
	}
	if negative {
		return "-" + digits
	}
	return digits
}

// decodeFloat16 returns the value of an IEEE 754 half-precision number in two bytes, the lower byte first, and NaN if b has
// another length. It has 1 bit for the sign, 5 for the exponent and 10 for the fraction. In the places of a float32, which has
// 8 bits for the exponent and 23 for the fraction, these bits are a number that is too small by the difference of the biases.
func decodeFloat16(b []byte) float64 {
	const (
		fractionShift = 23 - 10
		biasFactor    = 1 << (127 - 15)
		infinity      = 31 << 10 // bits of infinity; a NaN has further ones
	)
	if len(b) != 2 {
		return math.NaN()
	}
	bits := uint32(b[0]) | uint32(b[1])<<8
	magnitude := bits & 0x7fff // without the sign
	v := float64(math.Float32frombits(magnitude<<fractionShift)) * biasFactor
	switch {
	case magnitude > infinity:
		return math.NaN()
	case magnitude == infinity:
		v = math.Inf(1)
	}
	if isNegative := bits != magnitude; isNegative {
		return -v
	}
	return v
}
