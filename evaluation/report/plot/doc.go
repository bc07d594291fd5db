// Package plot draws what one model, or one method of a study, says of rows whose
// targets are known, and how its training went: one file a plot.
package plot
