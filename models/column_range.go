package models

// ColumnRange is what an input column of a table held in the rows that a model was trained on.
type ColumnRange struct {
	// Low and High are the least and the largest of numbers, and of dates as seconds
	// since 1970; nil: there were none.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`

	Categories []string `json:"categories,omitempty"` // texts; nil: they are not kept, or the column has none
}
