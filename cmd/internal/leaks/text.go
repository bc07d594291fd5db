package leaks

import (
	"math"
	"strconv"
	"strings"
)

// maxTextNumbers is the maximum number of numbers read from a text.
const maxTextNumbers = 3

// textNumbers returns the number at a position, from 0, in each text of a categorical column: 450 in
// "sold for $450 in May", for position 0. It is missing where a text has fewer numbers.
func textNumbers(c Column, position int) []float64 {
	numbers := make([]float64, len(c.Field.Categories))
	for i, text := range c.Field.Categories {
		numbers[i] = textNumber(text, position)
	}
	values := make([]float64, len(c.Values))
	for row, v := range c.Values {
		values[row] = math.NaN()
		if code := int(v); !math.IsNaN(v) && code >= 0 {
			values[row] = numbers[code]
		}
	}
	return values
}

// textNumber returns the number at a position in a text, or NaN. Commas between digits group them.
func textNumber(text string, position int) float64 {
	isOther := func(r rune) bool { return (r < '0' || r > '9') && r != '.' && r != ',' }
	for _, word := range strings.FieldsFunc(text, isOther) {
		digits := strings.Trim(strings.ReplaceAll(word, ",", ""), ".")
		number, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			continue
		}
		if position == 0 {
			return number
		}
		position--
	}
	return math.NaN()
}
