package data

// Layout says where a table's columns stand in its file, as places counted from 1. A model keeps
// it, as only the places tell the columns of a file without a header apart.
type Layout struct {
	Header  bool  `json:"header"`  // whether the first row has the columns' names
	Columns int   `json:"columns"` // number of the file's columns, read or not; 0 if not known
	Inputs  []int `json:"inputs"`
	Targets []int `json:"targets"`
	Extra   []int `json:"extra,omitempty"`
	Weight  int   `json:"weight,omitempty"` // 0 if there is no weight
	By      int   `json:"by,omitempty"`     // column that rows are split by; 0 if there is none

	DecimalComma bool `json:"decimal_comma,omitempty"` // whether numbers are written like 0,5
}

// FileLayout returns the layout of the table's file or, for a generated table, the layout of the
// file from WriteCSV.
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
