// Package report turns scores and predictions into tables and figures.
package report
