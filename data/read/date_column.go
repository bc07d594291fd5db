package read

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// This file reads columns of dates: it finds the layout of most of them, and the meaning of the other texts.

// hasLayouts reports whether the texts of the column are dates in a common layout.
func (k *tally) hasLayouts() bool { return len(k.layouts) > 0 }

// hasDates reports whether the texts of the column are dates in a common layout, without numbers beside them.
func (k *tally) hasDates() bool { return k.hasLayouts() && k.numbers == 0 && len(k.texts) > 0 }

// hasMixedDates reports whether the column has dates, or must have them, without a common layout.
func (k *tally) hasMixedDates() bool {
	return !k.hasLayouts() && k.mayHaveMixedDates() && k.mostFrequentLayout() != ""
}

// mayHaveMixedDates reports whether the column has dates, or must have them, and perhaps other texts.
func (k *tally) mayHaveMixedDates() bool {
	return k.isDeclaredDate() || k.numbers == 0 && areMostlyDates(k.texts)
}

// areMostlyDates reports whether almost all texts look like dates: only some different texts in few cells do not.
func areMostlyDates(texts textCounts) bool {
	const maxWords = 100 // looking at all texts of a column of categories would take long
	words, wordCells := 0, 0
	for _, text := range texts {
		if looksLikeDate(text.text) {
			continue
		}
		words++
		wordCells += text.cells
		if words > maxWords {
			return false
		}
	}
	return words < len(texts) && float64(wordCells) <= maxWordFraction*float64(texts.cells())
}

// possibleLayouts returns the declared date layout or, if there is none, the layouts that fit all texts, as findDateLayouts
// does. In a column that mostly has dates, they need to fit only these, perhaps each in its own way.
func (k *tally) possibleLayouts() []string {
	switch {
	case k.isDeclaredNumber():
		return nil
	case k.declared.layout != "":
		return []string{k.declared.layout}
	}
	layouts := findDateLayouts(k.texts.list())
	if layouts != nil || !k.mayHaveMixedDates() {
		return layouts
	}
	dates := k.texts.where(looksLikeDate)
	if layouts = findDateLayouts(dates.list()); layouts != nil {
		return layouts
	}
	return mixedLayouts(dates)
}

// mixedLayouts returns the most frequent layout of dates that are written in several ways, each of which has one meaning. It
// returns two layouts if the dates have two meanings, with the day first and with the month first, and nil if a date has no
// meaning.
func mixedLayouts(dates textCounts) (layouts []string) {
	for _, order := range []string{"day", "month"} {
		if layout, ok := mixedLayout(dates, order); ok {
			layouts = append(layouts, layout)
		}
	}
	haveTwo := func(text string) bool { return haveTwoMeanings(layouts, text) }
	if len(layouts) == 2 && !dates.any(haveTwo) {
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

// mixedLayout returns the most frequent layout of dates that are written in several ways, if the given order, "day" or
// "month", comes first in numbers such as 1/2/2020. If there are such numbers, it is a layout of them, so that it tells the
// order. ok is false if a date has no meaning or two, or if only some of the dates are times of day.
func mixedLayout(dates textCounts, order string) (layout string, ok bool) {
	layouts, ok := onlyLayouts(dates, order)
	clocks := layoutsWhere(layouts, isClock)
	mixesClocks := len(clocks) > 0 && len(clocks) < len(layouts)
	if !ok || len(layouts) == 0 || mixesClocks {
		return "", false
	}
	tellsOrder := func(layout string) bool { return dayBeforeMonth(layout) != "" }
	if ordered := layoutsWhere(layouts, tellsOrder); ordered != nil {
		layouts = ordered
	}
	return mostFrequent(layouts, cellsByLayout(dates)), true
}

// onlyLayouts returns the layouts in which the dates have their only meanings, in the order of dateLayouts. order is as for
// dateMeanings. ok is false if a date has no meaning or two.
func onlyLayouts(dates textCounts, order string) (layouts []string, ok bool) {
	isOnly := make(map[string]bool)
	for _, date := range dates {
		meanings := dateMeanings(order, date.text)
		if len(meanings) != 1 {
			return nil, false
		}
		isOnly[meanings[0].layout] = true
	}
	return layoutsWhere(dateLayouts(), func(layout string) bool { return isOnly[layout] }), true
}

// layoutsWhere returns the layouts that meet a condition.
func layoutsWhere(layouts []string, holds func(layout string) bool) (kept []string) {
	for _, layout := range layouts {
		if holds(layout) {
			kept = append(kept, layout)
		}
	}
	return kept
}

// cellsByLayout returns the number of cells with a date in each layout.
func cellsByLayout(texts textCounts) map[string]int {
	cells := make(map[string]int)
	for _, text := range texts {
		for _, layout := range layoutsLike(text.text) {
			if _, ok := data.ParseDate(layout, text.text); ok {
				cells[layout] += text.cells
			}
		}
	}
	return cells
}

// mostFrequent returns the layout with the most cells, and the first of several.
func mostFrequent(layouts []string, cells map[string]int) string {
	return slices.MaxFunc(layouts, func(a, b string) int { return cmp.Compare(cells[a], cells[b]) })
}

// mostFrequentLayout returns the layout that fits most cells, perhaps without their times, and "" if none fits any. Of a
// column of many texts it looks at a sample.
func (k *tally) mostFrequentLayout() string {
	const sampleSize = 1000
	step := max(1, len(k.texts)/sampleSize)
	var sample textCounts
	for i := 0; i < len(k.texts); i += step {
		sample = append(sample, k.texts[i])
	}
	cells := cellsByLayout(sample)
	for layout, day := range dayOf() {
		cells[layout] += cells[day] // no day has a time, so that the order makes no difference
	}
	layout := mostFrequent(dateLayouts(), cells)
	if cells[layout] == 0 {
		return ""
	}
	return layout
}

// decideDates returns the decision for a column of dates in a common layout. It reports a mistake if there are two such
// layouts.
func (k *tally) decideDates() decision {
	if len(k.layouts) > 1 {
		haveTwo := func(text string) bool { return haveTwoMeanings(k.layouts, text) }
		k.reportTexts(k.texts.where(haveTwo), "%s is a date as %s and another as %s; declare the layout", formatLayoutLetters(k.layouts[0]), formatLayoutLetters(k.layouts[1]))
	}
	return k.decideDatesIn(k.layouts[0])
}

// decideMixedDates returns the decision for a column of dates without a common layout.
func (k *tally) decideMixedDates() decision { return k.decideDatesIn(k.mostFrequentLayout()) }

// decideDatesIn returns the decision for a column of dates, most of which have the given layout. A text that does not look
// like a date means a missing value. It reports texts that look like dates but are none, unless they are a few. In a column that
// must have dates, because it is declared so or splits the rows, it reports any other text.
func (k *tally) decideDatesIn(layout string) decision {
	texts := k.bySpelling(layout)
	mustBeDate := k.isDeclaredDate() || k.group == splitGroup
	areFew := float64(texts[noDate].cells()) <= maxWordFraction*float64(k.texts.cells())
	isMistake := func(text string) bool { return mustBeDate || !areFew && looksLikeDate(text) }
	isWord := func(text string) bool { return !isMistake(text) }
	if mistakes := texts[noDate].where(isMistake); mistakes != nil {
		k.reportNoDates(mistakes, layout, texts[dateInLayout])
	}
	words := texts[noDate].where(isWord)
	d := decision{
		field:   data.Field{Kind: data.Date, Layout: layout, MissingTexts: words.list()},
		valueOf: func(text string) float64 { return dateOf(layout, text) },
	}
	if k.group == splitGroup && haveSeveralOffsets(k.texts, layout) {
		d.field.Layout = instantLayout
		d.valueOf = func(text string) float64 { return instant(layout, text) }
	}
	d.addRemark(k, words, "are not dates and count as missing; declare the column categorical to keep them")
	d.addRemark(k, texts[midnightAlone], "have no time, and count as midnight")
	d.addRemark(k, texts[otherDate], "are dates that are written in another way than "+formatLayoutLetters(layout)+", and are read")
	return d
}

// addRemark adds a remark about some texts of a column, if there are any.
func (d *decision) addRemark(k *tally, texts textCounts, whatTheyDo string) {
	if len(texts) > 0 {
		d.remarks = append(d.remarks, fmt.Sprintf("%s in %d rows %s", k.describe(texts), texts.cells(), whatTheyDo))
	}
}

// reportNoDates reports mistakes, which are no dates in the given layout. dates are the texts in the layout.
func (k *tally) reportNoDates(mistakes textCounts, layout string, dates textCounts) {
	if k.declared.layout != "" {
		k.reportTexts(mistakes, "%s is not a date as %s", formatLayoutLetters(layout))
		return
	}
	k.reportTexts(mistakes, "%s is not a date as %s, as %s is; write all alike, or declare the column categorical", formatLayoutLetters(layout), quoteShort(dates[0].text))
}

// dateSpelling says how a date is written in a column whose dates have a layout.
type dateSpelling int

const (
	noDate        dateSpelling = iota
	dateInLayout               // as the layout says
	midnightAlone              // without its time
	otherDate                  // in another layout, with one meaning
)

// bySpelling returns the texts of a column, whose dates have the given layout, by their spelling.
func (k *tally) bySpelling(layout string) (texts [otherDate + 1]textCounts) {
	for _, text := range k.texts {
		spelling := k.spellingOf(layout, text.text)
		texts[spelling] = append(texts[spelling], text)
	}
	return texts
}

// spellingOf returns how a text of the column is written, whose dates have the given layout. A declared layout allows no
// other.
func (k *tally) spellingOf(layout, text string) dateSpelling {
	if _, ok := data.ParseDate(layout, text); ok {
		return dateInLayout
	}
	if _, ok := parseDate(layout, text); ok {
		return midnightAlone
	}
	if _, ok := parseOtherDate(layout, text); ok && k.declared.layout == "" {
		return otherDate
	}
	return noDate
}

// decideUnknownDates returns the decision for a column that is declared a date and has no known layout. It reports its
// values.
func (k *tally) decideUnknownDates() decision {
	k.takeRoundedNumbers()
	switch {
	case k.numbers > 0:
		k.problems.add(1, fmt.Sprintf("column %s: %d of its values are plain numbers; declare the layout of its dates, such as yyyymmdd", k.label, k.numbers))
	case len(k.texts) > 0:
		k.reportTexts(k.texts, "%s is not a date in a known layout; declare the layout, such as dd.mm.yyyy")
	}
	return decision{field: k.numberField(), valueOf: func(string) float64 { return math.NaN() }} // a column without values holds numbers
}

// dateOf returns the value of a date in a column of the given layout, and NaN for a text that is no date.
func dateOf(layout, text string) float64 {
	if seconds, ok := parseOtherDate(layout, text); ok {
		return seconds
	}
	return math.NaN()
}

// instantLayout shows the instants of dates with several offsets from UTC.
const instantLayout = "2006-01-02 15:04:05 UTC"

// haveSeveralOffsets reports whether dates, most of which have the given layout, have different offsets from UTC. If all have
// one, the hours that are written have the order of the instants.
func haveSeveralOffsets(dates textCounts, layout string) bool {
	first := math.NaN()
	return dates.any(func(text string) bool {
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
// Rows are split by instants, since the order of events does not depend on the clocks that show their hours.
func instant(layout, text string) float64 {
	own, ok := layoutOfText(layout, text)
	if !ok {
		return math.NaN()
	}
	local, _ := data.ParseDate(own, text)
	return local - data.UTCOffset(own, text)
}
