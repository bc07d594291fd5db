package read

import "strconv"

// maxExactDigits is the number of decimal digits up to which every whole number fits into a uint64.
const maxExactDigits = 19

// mantissaBits is the number of bits up to which float64 holds every whole number.
const mantissaBits = 53

// scanNumber parses the number that begins at text[i] and ends before the first byte that no
// decimal number has; the text must have such a byte. It returns the number and the index after
// it. It is a fast parseNumber, without its errors: ok is false if no number begins at text[i].
//
// A number of few digits without an exponent is a whole number below 2⁵³ divided by a power of
// ten. Both are exact in float64, so the quotient is rounded once, as strconv.ParseFloat does.
func scanNumber(text []byte, i int) (v float64, end int, ok bool) {
	start := i
	negative := text[i] == '-'
	if negative || text[i] == '+' {
		i++
	}
	digits, i, count := scanDigits(text, i, 0) // the digits as a whole number, without the point
	decimals := 0
	if text[i] == '.' {
		digits, i, decimals = scanDigits(text, i+1, digits)
		count += decimals
	}
	hasExponent := lowerASCII(text[i]) == 'e'
	isExact := count <= maxExactDigits && digits>>mantissaBits == 0 && decimals < len(powersOfTen)
	switch {
	case count == 0:
		return 0, i, false
	case isExact && !hasExponent:
		v = float64(digits) / powersOfTen[decimals]
		if negative {
			v = -v
		}
		return v, i, true
	case hasExponent:
		i = skipExponent(text, i)
	}
	v, err := strconv.ParseFloat(string(text[start:i]), 64)
	return v, i, err == nil
}

// scanDigits reads decimal digits from text[i] on, and appends them to the whole number before. It
// returns the number, the index after the digits, and their count. The number is wrong if it does
// not fit into 64 bits.
func scanDigits(text []byte, i int, before uint64) (number uint64, end, count int) {
	number = before
	start := i
	for c := text[i]; c-'0' <= 9; c = text[i] { // bytes below '0' wrap around to more than 9
		number = 10*number + uint64(c-'0')
		i++
	}
	return number, i, i - start
}

// skipExponent returns the index after the exponent whose e is text[i].
func skipExponent(text []byte, i int) int {
	i++
	if text[i] == '-' || text[i] == '+' {
		i++
	}
	for text[i]-'0' <= 9 {
		i++
	}
	return i
}

// powersOfTen are the powers of ten that float64 holds exactly.
var powersOfTen = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}
