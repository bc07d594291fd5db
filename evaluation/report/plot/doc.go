// Package plot draws what one model, or one method of a study, predicts for rows whose targets are
// known, and how its training went. Start with All, which lists the plots, and NewRows, which
// returns the rows that they draw. The package does not predict those rows and writes no files:
// callers predict, and write the figures of package drawing.
package plot
