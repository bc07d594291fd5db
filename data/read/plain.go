package read

import "strconv"

// scanNumber parses the number that begins at text[i] and ends before the first byte that no
// decimal number has; the text must have such a byte. It is a fast parseNumber, without its
// errors.
func scanNumber(text []byte, i int) (v float64, end int, ok bool) {
	start := i
	c := text[i]
	negative := c == '-'
	if negative || c == '+' {
		i++
		c = text[i]
	}
	first := i
	var digits uint64
	for ; c-'0' <= 9; c = text[i] {
		digits = 10*digits + uint64(c-'0')
		i++
	}
	n, decimals := i-first, 0
	if c == '.' {
		i++
		first = i
		for c = text[i]; c-'0' <= 9; c = text[i] {
			digits = 10*digits + uint64(c-'0')
			i++
		}
		decimals = i - first
		n += decimals
	}
	const most = 19 // digits that a uint64 holds
	switch {
	case n == 0:
		return 0, i, false
	case c|0x20 != 'e' && n <= most && digits>>53 == 0 && decimals < len(powersOfTen):
		v = float64(digits) / powersOfTen[decimals] // both exact, so that this is rounded once
		if negative {
			v = -v
		}
		return v, i, true
	}
	if c|0x20 == 'e' {
		if i++; text[i] == '-' || text[i] == '+' {
			i++
		}
		for text[i]-'0' <= 9 {
			i++
		}
	}
	v, err := strconv.ParseFloat(string(text[start:i]), 64)
	return v, i, err == nil
}

// powersOfTen are the powers of ten that float64 holds exactly.
var powersOfTen = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}
