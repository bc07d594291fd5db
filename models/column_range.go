package models

// ColumnRange describes the values of an input column in the training rows of a model.
type ColumnRange struct {
	// Low and High are the smallest and the largest number, or date as seconds since 1970. They are nil
	// if the column has neither numbers nor dates.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`

	// Categories are the texts of the column. They are nil if there are none, or too many to keep.
	Categories []string `json:"categories,omitempty"`
}
