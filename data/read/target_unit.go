package read

// findTargetUnits finds the units of the numbers of targets by the first rows. Rows of a pipe for a model are not awaited.
func (s *Stream) findTargetUnits(o Options) {
	for _, c := range s.columns {
		if c.group != targetGroup || c.rule != mustBeNumber || s.size == 0 && !o.findsKinds() {
			continue
		}
		k := &cells{column: c, distinct: make(map[float64]bool)}
		for n := range lookAheadRows {
			if row := s.peekRow(n); c.index < len(row) && !c.isMissingCell(row[c.index]) {
				k.texts = append(k.texts, row[c.index])
				k.firstLines = append(k.firstLines, s.peekedRows[n].line)
				k.counts = append(k.counts, 1)
			}
		}
		k.takeUnit()
		hasUnit := k.unitNumbers.cells > len(k.texts)        // the others
		if hasUnit && !(c.isPercent && k.unit.isPercent()) { // isPercent reads these
			c.unit = k.unit
			v, _ := c.notation.parseUnit(c.unit, k.unitNumbers.first)
			s.reader.position().addRemark("column %s: %s is read as %v", c.label, quoteShort(k.unitNumbers.first), v)
		}
	}
}
