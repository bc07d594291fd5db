package study

// Summary counts the cells of a study by state.
type Summary struct {
	Cells    int      `json:"cells"`
	Done     int      `json:"done"`
	Failed   int      `json:"failed"`
	Missing  int      `json:"missing"`
	Broken   int      `json:"broken"`
	Failures []string `json:"failures"` // "cell: reason", in the plan's order
	Warnings []string `json:"warnings"` // "cell: problem of its training", in the plan's order
	Breaks   []string `json:"breaks"`   // why files are broken, in the plan's order
}

// Status counts the cells of a study by state.
func Status(dir string, p *Plan) Summary { return summarize(dir, p, p.Cells) }

// summarize counts some cells of a plan by state.
func summarize(dir string, p *Plan, cells []PlannedCell) Summary {
	s := newSummary()
	for c, o := range loadCells(dir, p, cells) {
		s.add(c, o)
	}
	return s
}

// newSummary returns the summary of no cells. Its lists are not nil, so that JSON has arrays.
func newSummary() Summary {
	return Summary{Failures: []string{}, Warnings: []string{}, Breaks: []string{}}
}

// add counts a cell and lists its failure, its warnings, or why its files are broken.
func (s *Summary) add(c PlannedCell, o outcome) {
	s.Cells++
	switch o.State {
	case Done:
		s.Done++
		for _, w := range o.Warnings {
			s.Warnings = append(s.Warnings, c.Name+": "+w)
		}
	case missing:
		s.Missing++
	case broken:
		s.Broken++
		s.Breaks = append(s.Breaks, o.err.Error())
	case Failed:
		s.Failed++
		s.Failures = append(s.Failures, c.Name+": "+o.Failed)
	}
}
