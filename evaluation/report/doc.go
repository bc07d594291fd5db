// Package report says what studies came to: tables of scores, figures, one page,
// and bounds that scores have to keep.
package report
