//go:build unix

package cmd

import (
	"testing"

	"sml/internal/page"
)

// Pages of reference list all registered methods, networks and measures, and all options. After a change,
//
//	go test ./cmd -run TestReferencePages -update
//
// writes the pages.
func TestReferencePages(t *testing.T) {
	for _, c := range []struct{ page, section, text string }{
		{"commands", "the keys", studyKeys(t)},
		{"commands", "the options", commandOptions(t)},
		{"methods", "the methods", listMethods()},
		{"networks", "the networks", listNetworks()},
		{"networks", "the optimizers", listOptimizers()},
		{"measures", "the usual measures", listMeasures(false)},
		{"measures", "the measures on request", listMeasures(true)},
		{"splits", "the splits", listSplits()},
	} {
		page.Section{Path: "../docs/reference/" + c.page + ".md", Name: c.section}.Check(t, "\n"+c.text+"\n")
	}
}
