package read

import (
	"slices"

	"sml/data"
)

// mixedLayouts returns the most frequent layout of a column whose dates are written in several ways, each of which has one
// meaning. It returns two layouts if the dates have two meanings, with the day first and with the month first, and nil if
// a date has no meaning.
func (k *cells) mixedLayouts() (layouts []string) {
	for _, order := range []string{"day", "month"} {
		if layout, ok := k.mainLayout(order); ok {
			layouts = append(layouts, layout)
		}
	}
	differs := func(text string) bool { return haveTwoMeanings(layouts, text) }
	if len(layouts) == 2 && !slices.ContainsFunc(k.texts, differs) {
		layouts = layouts[:1]
	}
	return layouts
}

// haveTwoMeanings reports whether a text is one date in a column of the first of two layouts, and another in a column of
// the second.
func haveTwoMeanings(layouts []string, text string) bool {
	first, _ := parseOtherDate(layouts[0], text)
	second, _ := parseOtherDate(layouts[1], text)
	return first != second
}

// mainLayout returns the most frequent layout of the dates if the given order, "day" or "month", comes first in numbers such
// as 1/2/2020. If there are such numbers, it is a layout of them, so that it tells the order. ok is false if times of day are among the dates, or if a date has no
// meaning or two.
func (k *cells) mainLayout(order string) (layout string, ok bool) {
	tried := make(map[string]bool) // layouts of some of the dates
	for _, text := range k.texts {
		if !looksLikeDate(text) {
			continue
		}
		meanings := dateMeanings(order, text)
		if len(meanings) != 1 {
			return "", false
		}
		tried[meanings[0].layout] = true
	}
	clocks := 0
	for candidate := range tried {
		if isClock(candidate) {
			clocks++
		}
	}
	if clocks > 0 && clocks < len(tried) {
		return "", false
	}
	mostCells, tellsOrder := 0, false
	for _, candidate := range dateLayouts {
		if !tried[candidate] {
			continue
		}
		cells := k.countDates(candidate)
		hasOrder := dayBeforeMonth(candidate) != ""
		if hasOrder && !tellsOrder || hasOrder == tellsOrder && cells > mostCells {
			layout, mostCells, tellsOrder = candidate, cells, hasOrder
		}
	}
	return layout, layout != ""
}

// countDates returns the number of cells with a date in a layout.
func (k *cells) countDates(layout string) (cells int) {
	for i, text := range k.texts {
		if _, ok := data.ParseDate(layout, text); ok {
			cells += k.counts[i]
		}
	}
	return cells
}
