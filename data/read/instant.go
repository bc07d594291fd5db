package read

import (
	"math"
	"slices"

	"sml/data"
)

// This file reads the dates that split the rows: what happened first does not depend on the clocks beside which it happened.

// instantLayout is the layout in which the instants of dates with several offsets from UTC are shown.
const instantLayout = "2006-01-02 15:04:05 UTC"

// haveSeveralOffsets reports whether the dates of the column, most of which have the given layout, have different offsets
// from UTC. If all have one, the hours that are written have the order of the instants.
func (k *cells) haveSeveralOffsets(layout string) bool {
	first := math.NaN()
	return slices.ContainsFunc(k.texts, func(text string) bool {
		own, ok := layoutOfText(layout, text)
		if !ok {
			return false
		}
		offset := data.UTCOffset(own, text)
		if math.IsNaN(first) {
			first = offset
		}
		return offset != first
	})
}

// instant returns the seconds from 1970 in UTC of a date in a column of the given layout, and NaN for a text that is no date.
func instant(layout, text string) float64 {
	own, ok := layoutOfText(layout, text)
	if !ok {
		return math.NaN()
	}
	local, _ := data.ParseDate(own, text)
	return local - data.UTCOffset(own, text)
}
