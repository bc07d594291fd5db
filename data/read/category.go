package read

import (
	"math"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// composed returns the composed Unicode form of a text, so that texts that look the same are one category. Programs write
// a letter and its accent as one character or as two.
func composed(text string) string { return norm.NFC.String(text) }

// CategoryNames returns the names of the categories of a column's texts, row by row, and nil for no texts. A missing value keeps its
// text.
func CategoryNames(texts []string) []string {
	var present []string
	isKnown := make(map[string]bool)
	for _, text := range texts {
		if !isKnown[text] && !isMissingText(text) {
			present = append(present, text)
		}
		isKnown[text] = true
	}
	nameOf := notation{}.categoryNamer(present)
	var names []string
	for _, text := range texts {
		if !isMissingText(text) {
			text = nameOf(text)
		}
		names = append(names, text)
	}
	return names
}

// CategoryFinder returns a function that returns the index of the category that a text of another table means, and false
// if there is none.
func CategoryFinder(categories []string) func(text string) (index int, ok bool) {
	f := newCategoryFinder(categories, notation{})
	return func(text string) (int, bool) { return f.find(text, notation{}) }
}

// categoryNamer returns the function that gives the category of each of a column's texts. Texts of the same category are
//
//   - the same text in composed Unicode form;
//   - the same whole number, as 3, 3.0 and 3e0, if all texts are numbers and none begins with a zero, as 007 and postal
//     codes do;
//   - the same truth value, as True, T and yes, if all texts are truth values, or true, false, 1 and 0 in one column;
//   - the same word true or false, as True, TRUE and true, beside other texts.
func (n notation) categoryNamer(texts []string) func(text string) string {
	spellings := truthSpellings(texts)
	switch {
	case n.areNumbers(texts):
		return func(text string) string {
			if number, ok := n.wholeNumber(text); ok {
				return number
			}
			return composed(text)
		}
	case spellings > 1, mixWordsAndBits(texts):
		return func(text string) string {
			if isTrue, _ := truthValueOrBit(text); isTrue {
				return "true"
			}
			return "false"
		}
	case spellings == 1:
		return composed
	}
	return plainSpelling
}

// plainSpelling returns a text in composed Unicode form, and the words true and false in lower case: JSON, Python and
// spreadsheets write them as true, True and TRUE.
func plainSpelling(text string) string {
	if isTrueOrFalse(text) {
		return strings.ToLower(text)
	}
	return composed(text)
}

// isTrueOrFalse reports whether a text is the word true or false, in any case.
func isTrueOrFalse(text string) bool {
	return strings.EqualFold(text, "true") || strings.EqualFold(text, "false")
}

// meaning returns a text that all spellings of a category share: the digits of a whole number, as 3 for 3.0, another number
// with a decimal point, and the plain spelling of any other text.
func (n notation) meaning(text string) string {
	if number, ok := n.wholeNumber(text); ok {
		return number
	}
	if number, err := n.withDecimalPoint(text); err == nil && number != text {
		return number
	}
	return plainSpelling(text)
}

// areNumbers reports whether all texts are numbers without a leading zero.
func (n notation) areNumbers(texts []string) bool {
	isOther := func(text string) bool {
		_, isNumber, _ := n.parseNumber(text)
		return !isNumber || hasLeadingZero(text)
	}
	return len(texts) > 0 && !slices.ContainsFunc(texts, isOther)
}

// hasLeadingZero reports whether a number has a zero before other digits of its whole part, as 007 does.
func hasLeadingZero(number string) bool {
	digits := strings.TrimLeft(inASCII(number), "+-")
	return len(digits) > 1 && digits[0] == '0' && '0' <= digits[1] && digits[1] <= '9'
}

// wholeNumber returns a whole number in digits alone. ok is false for any other text.
func (n notation) wholeNumber(text string) (digits string, ok bool) {
	v, isNumber, _ := n.parseNumber(text)
	if !isNumber || v != math.Trunc(v) || math.Abs(v) >= mostExact || hasLeadingZero(text) {
		return "", false
	}
	return formatNumber(v), true
}

// truthValue returns the meaning of a truth value in any case: true, t, yes, y and on, or false, f, no, n and off. ok is
// false for any other text.
func truthValue(text string) (isTrue, ok bool) {
	switch strings.ToLower(text) {
	case "true", "t", "yes", "y", "on":
		return true, true
	case "false", "f", "no", "n", "off":
		return false, true
	}
	return false, false
}

// truthSpellings returns the number of texts that mean true or false, whichever is larger: 1 if each truth value is written
// in one way. It returns 0 if one of the texts is no truth value. The texts are different.
func truthSpellings(texts []string) int {
	spellings := make(map[bool]int)
	for _, text := range texts {
		isTrue, ok := truthValue(text)
		if !ok {
			return 0
		}
		spellings[isTrue]++
	}
	return max(spellings[true], spellings[false])
}

// mixWordsAndBits reports whether the texts are the words true and false beside the numbers 1 and 0, and nothing else. Both
// truth values occur.
func mixWordsAndBits(texts []string) bool {
	words := 0
	occurs := make(map[bool]bool) // by truth value
	for _, text := range texts {
		isTrue, isTruth := truthValueOrBit(text)
		_, isLetters := truthValue(text)
		switch {
		case isTrueOrFalse(text):
			words++
		case isLetters, !isTruth: // n beside 1 and 0 may be another value
			return false
		}
		occurs[isTrue] = true
	}
	return 0 < words && words < len(texts) && len(occurs) == 2
}

// categoryFinder finds the category of a text in another table, whose program may write the same values in another way.
type categoryFinder struct {
	indices    map[string]int
	hasCodes   bool           // 7 and 007 are codes, and not one number
	byMeaning  map[string]int // by meaning; among categories of one meaning, the category that equals the meaning, or else the first
	truthIndex map[bool]int   // by truth value; nil unless the categories are one or two truth values, or 0 and 1
}

// newCategoryFinder returns a finder of the categories of the training table, whose numbers have the given notation.
func newCategoryFinder(categories []string, n notation) categoryFinder {
	f := categoryFinder{
		indices:   make(map[string]int, len(categories)),
		hasCodes:  slices.ContainsFunc(categories, hasLeadingZero),
		byMeaning: make(map[string]int, len(categories)),
	}
	for i, category := range categories {
		f.indices[category] = i
		m := f.meaning(category, n)
		if _, isTaken := f.byMeaning[m]; !isTaken || category == m {
			f.byMeaning[m] = i
		}
	}
	isBit := slices.Equal(categories, []string{"0", "1"})
	if isBit || truthSpellings(categories) == 1 {
		f.truthIndex = make(map[bool]int)
		for i, category := range categories {
			isTrue, _ := truthValueOrBit(category)
			f.truthIndex[isTrue] = i
		}
	}
	return f
}

// truthValueOrBit returns the meaning of a truth value, also of 1 and 0.
func truthValueOrBit(text string) (isTrue, ok bool) {
	switch number, _ := (notation{}).wholeNumber(text); number {
	case "1":
		return true, true
	case "0":
		return false, true
	}
	return truthValue(text)
}

// meaning returns the meaning of a text, whose numbers have the given notation, among the categories.
func (f categoryFinder) meaning(text string, n notation) string {
	if f.hasCodes {
		return plainSpelling(text)
	}
	return n.meaning(text)
}

// find returns the index of the category of a text, whose numbers have the given notation, and false if there is none. A
// model of an older version has categories as they were written, so that the text itself is tried first.
func (f categoryFinder) find(text string, n notation) (int, bool) {
	if i, ok := f.indices[text]; ok {
		return i, true
	}
	if i, ok := f.byMeaning[f.meaning(text, n)]; ok {
		return i, true
	}
	if isTrue, ok := truthValueOrBit(text); ok && f.truthIndex != nil {
		i, ok := f.truthIndex[isTrue]
		return i, ok
	}
	return 0, false
}
