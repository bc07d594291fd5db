package read

import "sml/data"

// findDateLayouts finds the layouts of dates for a model by the first rows of a file. Rows of a pipe are not awaited.
func (s *Stream) findDateLayouts() {
	for _, c := range s.columns {
		if s.size > 0 && c.rule == mustFitField && c.field.Kind == data.Date {
			s.setDateLayout(c)
		}
	}
}

// setDateLayout sets the layout of the dates of the file, and adds a remark, if the first rows have a date whose meaning the
// layout of the training table does not tell, such as 1/2/2020, and all fit one layout.
func (s *Stream) setDateLayout(c *column) {
	dates := s.sampleColumn(c)
	isUnclear := func(text string) bool { _, ok := parseOtherDate(c.layout, text); return !ok }
	_, isYearFirst := findYearFirst(dates.list()) // each by itself is a day of 2030
	if !isYearFirst && !dates.any(isUnclear) {
		return
	}
	layouts := findDateLayouts(dates.list())
	if len(layouts) == 1 && isClock(layouts[0]) == isClock(c.layout) {
		s.reader.position().addRemark("column %s: dates are written as %s, and those of the training table as %s", c.label, formatLayoutLetters(layouts[0]), formatLayoutLetters(c.layout))
		c.layout = layouts[0]
	}
}
