package data

// Layout is where a table's columns stand in its file. A model keeps it, as it is
// all that tells the columns of a file without a header apart.
type Layout struct {
	Header  bool  `json:"header"`  // the first row names the columns
	Columns int   `json:"columns"` // of the file, with those that are not read; 0: not known
	Inputs  []int `json:"inputs"`  // their places in the file, from 1
	Targets []int `json:"targets"`
	Extra   []int `json:"extra,omitempty"`  // further columns
	Weight  int   `json:"weight,omitempty"` // 0: there is none
	By      int   `json:"by,omitempty"`     // likewise

	DecimalComma bool `json:"decimal_comma,omitempty"` // numbers are written like 0,5
}

// FileLayout returns the layout of the file that the table was read from, or, for a table that
// was made, of the file that WriteCSV writes.
func (t *Table) FileLayout() Layout {
	if t.Layout != nil {
		return *t.Layout
	}
	l := Layout{Header: true}
	place := func(names []string) []int {
		places := []int{} // not nil, which JSON writes otherwise
		for range names {
			l.Columns++
			places = append(places, l.Columns)
		}
		return places
	}
	l.Inputs, l.Targets, l.Extra = place(t.Columns), place(t.Targets), place(t.Extras)
	if t.Weight != "" {
		l.Columns++
		l.Weight = l.Columns
	}
	if t.By != "" {
		l.Columns++
		l.By = l.Columns
	}
	return l
}
