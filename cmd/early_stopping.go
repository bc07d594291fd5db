package cmd

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/evaluation/experiment"
	"sml/models"
)

// stopEarly fills in by which rows a training on a table of so many rows finds its end,
// where flags do not say, and says so.
func stopEarly(c *cli.Context, s *experiment.Settings, rows int) (says string) {
	m, err := models.Lookup(s.Spec.Method)
	by := experiment.EarlyStoppingFor(s.Table.Name, m, rows)
	if err != nil || c.IsSet("val") || by.Validation == 0 {
		return ""
	}
	set := []string{fmt.Sprintf("--val %v", by.Validation)}
	s.Training.Validation = by.Validation
	if !c.IsSet("patience") {
		s.Training.Patience = by.Patience
		set = append(set, fmt.Sprintf("--patience %d", by.Patience))
	}
	return fmt.Sprintf("%s: %s (--val 0 trains on all)", strings.Join(set, " "), by.Reason)
}
