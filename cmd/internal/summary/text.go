package summary

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// maxTextNumbers is the maximum number of numbers read from a text.
const maxTextNumbers = 3

// textNumbers returns the number at a position, from 0, in each text of a categorical column: 450 in
// "sold for $450 in May", for position 0. It is missing where a text has fewer numbers.
func textNumbers(c *Column, position int) []float64 {
	numbers := make([]float64, len(c.field.Categories))
	for i, text := range c.field.Categories {
		numbers[i] = textNumber(text, position)
	}
	values := make([]float64, len(c.sample))
	for row, v := range c.sample {
		values[row] = math.NaN()
		isText := v >= 0 // neither missing nor unseen
		if isText {
			values[row] = numbers[int(v)]
		}
	}
	return values
}

// numberPattern matches a number with commas between groups of digits. A minus sign belongs to it at the start of
// the text or after a blank; elsewhere it joins words or numbers.
var numberPattern = regexp.MustCompile(`(?:(?:^|\s)-)?\d[\d,]*(?:\.\d+)?`)

// textNumber returns the number at a position in a text, or NaN.
func textNumber(text string, position int) float64 {
	matches := numberPattern.FindAllString(text, position+1)
	if len(matches) <= position {
		return math.NaN()
	}
	digits := strings.TrimSpace(strings.ReplaceAll(matches[position], ",", ""))
	number, err := strconv.ParseFloat(digits, 64)
	if err != nil { // too many digits
		return math.NaN()
	}
	return number
}
