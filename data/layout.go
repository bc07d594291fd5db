package data

// Layout gives the numbers of a table's columns in its file, counted from 1. A model stores the layout
// of its training table: in a file without a header, it finds the columns by their numbers.
type Layout struct {
	Header      bool  `json:"header"`                 // whether the first row has the columns' names
	Columns     int   `json:"columns"`                // number of the file's columns, read or not; 0 if not known
	Inputs      []int `json:"inputs"`                 // column numbers, in the order of Table.Columns
	Targets     []int `json:"targets"`                // column numbers, in the order of Table.Targets
	Extra       []int `json:"extra,omitempty"`        // column numbers, in the order of Table.Extras
	Weight      int   `json:"weight,omitempty"`       // column number of the weights; 0 if there are none
	SplitColumn int   `json:"split_column,omitempty"` // number of the column that rows are split by; 0 if there is none

	DecimalComma bool   `json:"decimal_comma,omitempty"` // whether numbers are written like 0,5
	Thousands    string `json:"thousands,omitempty"`     // what separates thousands; "" for nothing, or for points in numbers like 1.234,5

	TitleRows int `json:"title_rows,omitempty"` // number of rows above the header
	UnitRows  int `json:"unit_rows,omitempty"`  // number of rows between the header and the values, such as a row of units

	MissingValues []string `json:"na,omitempty"` // values that stand for missing ones, VALUE or COLUMN=VALUE, as the user declared them
}

// FileLayout returns the layout of the table's file or, for a generated table, the layout of the
// file that write.Table writes.
func (t *Table) FileLayout() Layout {
	if t.Layout != nil {
		return *t.Layout
	}
	l := Layout{Header: true}
	l.Inputs = l.appendColumns(len(t.Columns))
	l.Targets = l.appendColumns(len(t.Targets))
	l.Extra = l.appendColumns(len(t.Extras))
	if t.Weight != "" {
		l.Columns++
		l.Weight = l.Columns
	}
	if t.SplitColumn != "" {
		l.Columns++
		l.SplitColumn = l.Columns
	}
	return l
}

// appendColumns adds n columns after the last column of the file, and returns their numbers. The
// result is never nil, which JSON would write as null.
func (l *Layout) appendColumns(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		l.Columns++
		numbers[i] = l.Columns
	}
	return numbers
}
