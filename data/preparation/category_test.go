package preparation

import (
	"fmt"
	"slices"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

// categoryTable returns a table with one column, in which category i of a million stands in
// counts[i] rows.
func categoryTable(counts ...int) *data.Table {
	field := data.Field{Kind: data.Category}
	t := &data.Table{Name: "categories", Columns: []string{"c"}, Targets: []string{"y"}}
	for i, count := range counts {
		field.Categories = append(field.Categories, fmt.Sprintf("%06d", i))
		t.X = append(t.X, slices.Repeat([]float64{float64(i)}, count)...)
	}
	t.Fields = []data.Field{field}
	t.Y = make([]float64, len(t.X))
	return t
}

// The most frequent categories have an indicator each, as many as Options.MaxCategories says, and all
// others share one.
func TestMaxCategories(t *testing.T) {
	many := slices.Repeat([]int{2}, DefaultMaxCategories+10)
	for _, c := range []struct {
		counts    []int
		max       int
		want      int // categories with an indicator
		wantOther int // training rows of all others
	}{
		{[]int{2, 9, 3, 5}, 2, 2, 5},
		{[]int{2, 9, 3, 5}, 4, 4, 0},
		{[]int{2, 9, 1, 5}, 9, 3, 1}, // a category needs two rows
		{many, 0, DefaultMaxCategories, 20},
		{many, len(many), len(many), 0},
	} {
		p := expect.Must(Fit(categoryTable(c.counts...), nil, Options{MaxCategories: c.max}))
		column := p.Columns[0]
		if len(column.Categories) != c.want || column.OtherRows != c.wantOther || p.CategoryLimit != 0 {
			t.Errorf("at most %d of %d categories: %d and %d other rows", c.max, len(c.counts), len(column.Categories), column.OtherRows)
		}
	}
	if _, err := Fit(categoryTable(2, 2), nil, Options{MaxCategories: -1}); err == nil {
		t.Error("a negative maximum is no error")
	}
}

// The number of indicators is bounded, for large tables by their number of rows.
func TestLimitIndicators(t *testing.T) {
	for _, c := range []struct {
		rows int
		want int // limit, one less than the indicators of the only column
	}{
		{1000, maxIndicators - 1},
		{maxIndicatorValues / 5000, 4999},
		{100_000_000, largeTableCategories},
	} {
		counts := &categoryCounts{
			column:   new(Column),
			rows:     slices.Repeat([]int{2}, 2*maxIndicators),
			frequent: make([]int, 2*maxIndicators),
		}
		counts.categories = make([]string, len(counts.rows))
		if got := limitIndicators([]*categoryCounts{counts}, len(counts.rows), c.rows); got != c.want {
			t.Errorf("%d rows: %d categories, want %d", c.rows, got, c.want)
		}
	}
}

// A column is an identifier if nearly every row has a category of its own, and not if it merely has
// many categories.
func TestIdentifierHasFewRepeats(t *testing.T) {
	const categories = 1000
	repeated := slices.Repeat([]int{3}, categories)
	if p, err := Fit(categoryTable(repeated...), nil, Options{}); err != nil || p.Columns[0].Dropped != "" {
		t.Errorf("each of %d categories in 3 rows: %v", categories, err)
	}
	almostUnique := slices.Repeat([]int{1}, categories)
	almostUnique[0] = 50
	if _, err := Fit(categoryTable(almostUnique...), nil, Options{}); err == nil {
		t.Error("the only column is an identifier, and Fit returns no error")
	}
}
