package summary

import (
	"slices"
	"strings"

	"sml/data"
)

// timeNames are words in the names of columns of times.
var timeNames = []string{"date", "datetime", "day", "epoch", "hour", "minute", "month", "quarter", "second", "time", "timestamp", "week", "year"}

// hasTimeName reports whether the column's name has a word for a time.
func (c *Column) hasTimeName() bool { return hasWord(c.Name, timeNames...) }

// hasIdentifierName reports whether the column's name has the word "id", as in order_id or CustomerID.
func (c *Column) hasIdentifierName() bool {
	stem, isSuffix := strings.CutSuffix(c.Name, "ID")
	if !isSuffix {
		stem, isSuffix = strings.CutSuffix(c.Name, "Id")
	}
	endsInLower := stem != "" && stem[len(stem)-1] >= 'a' && stem[len(stem)-1] <= 'z'
	return hasWord(c.Name, "id") || isSuffix && endsInLower
}

// namesThings reports whether the values of the column seem to be names, such as texts, numbers from 1 on, or the
// numbers of a column with the name of an identifier.
func (c *Column) namesThings() bool {
	const maxRangePerValue = 2 // 1 if the numbers have no gaps
	if c.Kind != data.Number || c.Numbers == nil {
		return c.Kind == data.Category
	}
	isConsecutive := c.Max-c.Min < maxRangePerValue*float64(c.Distinct)
	return isConsecutive || c.hasIdentifierName()
}

// hasWord reports whether a column's name has one of the words.
func hasWord(name string, words ...string) bool {
	return slices.ContainsFunc(wordsOf(name), func(word string) bool { return slices.Contains(words, word) })
}

// wordsOf returns the words of a column's name, in lower case. Characters other than letters from a to z separate them.
func wordsOf(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' })
}
