package preparation

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"sml/data"
	"sml/data/read"
)

// DefaultMaxCategories is the default of Options.MaxCategories. It keeps the categories of postal
// areas, car models and airports apart.
const DefaultMaxCategories = 256

const (
	// minCategoryRows is the minimum number of training rows of a category with an indicator: a
	// network learns nothing general from a single row.
	minCategoryRows = 2

	// maxIndicators is the maximum number of indicators of all columns together. The network embeds
	// most of them, so that its first layer stays small.
	maxIndicators = 10_000

	// maxIndicatorValues is the maximum number of indicators times training rows: 2 GiB of values.
	// Columns keep largeTableCategories categories even if these exceed it, but no more than
	// largeTableIndicators together.
	maxIndicatorValues   = 1 << 28
	largeTableCategories = 32
	largeTableIndicators = 2000
)

// categoryCounts holds how often each category of a column occurs in the training rows.
type categoryCounts struct {
	column     *Column
	categories []string // categories of the column in the whole table
	rows       []int    // number of training rows of each category
	frequent   []int    // indices of categories with at least minCategoryRows rows, most frequent first
}

// countCategories counts the training rows of each category of the column. The values v are indices in
// c.Categories, which still has the categories of the whole table.
func (c *Column) countCategories(v columnValues) *categoryCounts {
	counts := &categoryCounts{
		column:     c,
		categories: c.Categories,
		rows:       make([]int, len(c.Categories)),
	}
	for _, category := range v.present {
		counts.rows[int(category)]++
	}
	for i, rows := range counts.rows {
		if rows >= minCategoryRows {
			counts.frequent = append(counts.frequent, i)
		}
	}
	slices.SortStableFunc(counts.frequent, func(a, b int) int { return counts.rows[b] - counts.rows[a] })
	return counts
}

// limitIndicators gives the most frequent categories of each column an indicator: at most
// maxCategories of a column, and fewer if all columns together would have too many for a table of
// the given number of training rows. It sets Categories and OtherRows of the columns. It returns
// the maximum for each column, or 0 if that is maxCategories.
func limitIndicators(columns []*categoryCounts, maxCategories, rows int) int {
	indicators := min(maxIndicators, maxIndicatorValues/max(1, rows))
	limit := highestLimit(columns, maxCategories, indicators)
	if limit < largeTableCategories {
		limit = max(limit, highestLimit(columns, min(maxCategories, largeTableCategories), largeTableIndicators))
	}
	for _, counts := range columns {
		counts.keepFrequent(limit)
	}
	if limit == maxCategories {
		return 0
	}
	return limit
}

// highestLimit returns the highest limit, from 1 to maxLimit, with which the columns have at most
// maxCount indicators, or 1 if there is none.
func highestLimit(columns []*categoryCounts, maxLimit, maxCount int) int {
	if countIndicators(columns, maxLimit) <= maxCount {
		return maxLimit
	}
	isTooHigh := func(i int) bool { return countIndicators(columns, 2+i) > maxCount }
	return 1 + sort.Search(maxLimit, isTooHigh)
}

// countIndicators returns the largest number of indicators that the columns can have if at
// most limit categories of each column have their own.
func countIndicators(columns []*categoryCounts, limit int) int {
	indicators := 0
	for _, counts := range columns {
		ownIndicators := min(len(counts.frequent), limit)
		indicators += ownIndicators + 1 // one more for all other categories
	}
	return indicators
}

// keepFrequent sets the column's Categories to the most frequent ones, at most limit, in their
// original order, and OtherRows to the number of training rows of all other categories. It
// drops the column if no category is frequent enough.
func (counts *categoryCounts) keepFrequent(limit int) {
	mostFrequent := counts.frequent[:min(len(counts.frequent), limit)]
	indices := slices.Sorted(slices.Values(mostFrequent)) // in the original order
	c := counts.column
	c.Categories = make([]string, 0, len(indices))
	c.OtherRows = 0
	for _, rows := range counts.rows {
		c.OtherRows += rows
	}
	for _, i := range indices {
		c.Categories = append(c.Categories, counts.categories[i])
		c.OtherRows -= counts.rows[i] // the rows have an indicator of their own
	}
	if len(c.Categories) == 0 { // the column has no features, not even for missing values
		c.Dropped = dropRareCategories
		c.Indicator = false
	}
}

// setOrder makes the column ordinal with the given categories, lowest first, which may be written in another way than the
// column's: 1 is 1.0. They may have categories that the table lacks. It returns an error if they lack a category of the
// column, or have one twice.
func (c *Column) setOrder(order []string) error {
	find := read.CategoryFinder(c.Categories)
	categories := slices.Clone(order)
	isListed := make(map[string]bool)
	for i, text := range order {
		if index, ok := find(text); ok {
			categories[i] = c.Categories[index]
		}
		if isListed[categories[i]] {
			return fmt.Errorf("column %q: the order of its categories has %s twice", c.Name, categories[i])
		}
		isListed[categories[i]] = true
	}
	absent := slices.DeleteFunc(slices.Clone(c.Categories), func(category string) bool { return isListed[category] })
	if len(absent) > 0 {
		return fmt.Errorf("column %q: the order of its categories lacks %s", c.Name, strings.Join(absent, ", "))
	}
	c.Categories = categories
	c.Ordered = true
	return nil
}

// categoryIndices returns, for each category of field f, a column of another table, its index in
// c.Categories, or data.UnseenCategory.
func (c *Column) categoryIndices(f data.Field) []int {
	find := read.CategoryFinder(c.Categories)
	indices := make([]int, len(f.Categories))
	for i, category := range f.Categories {
		index, ok := find(category)
		if !ok {
			index = data.UnseenCategory
		}
		indices[i] = index
	}
	return indices
}

// appendCategory appends the features of a category to dst. The category is given by its index in
// c.Categories, which is data.UnseenCategory, −1, for a missing value and for any other category.
// An ordinal column has one feature: the index, or the middle of the order for an unseen category.
// Another column has an indicator for each category, and perhaps one for all other categories.
func (c *Column) appendCategory(dst []float64, index int, missing bool) []float64 {
	if c.Ordered {
		if index < 0 {
			middle := float64(len(c.Categories)-1) / 2
			return append(dst, middle)
		}
		return append(dst, float64(index))
	}
	for i := range c.Categories {
		dst = append(dst, indicator(i == index))
	}
	if c.OtherRows > 0 {
		dst = append(dst, indicator(index < 0 && !missing))
	}
	return dst
}

// indicator returns 1 if the condition is true, and 0 otherwise.
func indicator(condition bool) float64 {
	if condition {
		return 1
	}
	return 0
}
