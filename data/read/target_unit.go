package read

// findTargetUnits finds the units of the numbers of targets by the first rows.
func (s *Stream) findTargetUnits(o Options) {
	waitsForRows := s.size == 0 && !o.findsKinds() // a pipe for a model
	if waitsForRows {
		return
	}
	for _, c := range s.columns {
		if c.group == targetGroup && c.rule == mustBeNumber {
			s.findTargetUnit(c)
		}
	}
}

// findTargetUnit sets the unit of the numbers of a target if most of the first rows have it, and adds a remark.
func (s *Stream) findTargetUnit(c *column) {
	k := &tally{column: c, texts: s.sampleColumn(c), distinct: make(map[float64]bool)}
	for _, text := range k.texts {
		if v, ok := c.notation.parseNegative(text.text); ok {
			s.reader.position().addRemark("column %s: %s is read as %v", c.label, quoteShort(text.text), v)
			break
		}
	}
	k.takeUnit()
	mostHaveUnit := len(k.unitNumbers) > len(k.texts) // takeUnit leaves the others in texts
	isReadAnyway := c.isPercent && k.unit.isPercent()
	if !mostHaveUnit || isReadAnyway {
		return
	}
	c.unit = k.unit
	example := k.unitNumbers[0].text
	v, _ := c.notation.parseUnit(c.unit, example)
	s.reader.position().addRemark("column %s: %s is read as %v", c.label, quoteShort(example), v)
}

// sampleColumn returns the cells of a column in the first rows, without missing values, each as a text of its own.
func (s *Stream) sampleColumn(c *column) (texts textCounts) {
	for n := range lookAheadRows {
		row := s.peekRow(n)
		if c.index < len(row) && !c.isMissingCell(row[c.index]) {
			texts = append(texts, textCount{row[c.index], s.peekedRows[n].line, 1})
		}
	}
	return texts
}
