// Package report reports the results of studies: tables of scores, figures and a page. Start with
// New, which reads studies, and Report.Files, which returns what to write. The package trains
// nothing.
package report
