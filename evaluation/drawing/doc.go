// Package drawing is what the figures of reports are made of: panels with axes,
// data and notes, aligned beside and below one another, and their legend.
package drawing
