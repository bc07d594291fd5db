package cmd

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"sml/evaluation/study"
)

// studyStatusCommand returns the command "sml study status".
func studyStatusCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "status",
		Usage:     "count the cells that are done, failed, missing and broken",
		UsageText: "sml study status DIR [--json]",
		Action:    argumentAction("the study's directory", showStatus),
	}, []string{
		"sml study status comparison",
	}, optionGroup{flags: []cli.Flag{jsonFlag()}})
}

// statusResult is the result of "sml study status" and "sml study run".
type statusResult struct {
	Study         string `json:"study"` // the study's directory
	study.Summary        // numbers of cells, by state
}

// showStatus prints how many cells of the study in dir are done, failed, missing and broken.
func showStatus(c *cli.Context, dir string) error {
	p, err := study.ReadPlan(dir)
	if err != nil {
		return err
	}
	s := study.Status(dir, p)
	return printResult(c, statusResult{Study: dir, Summary: s}, func(w io.Writer) {
		fmt.Fprintf(w, "%s: %d cells, %d done, %d failed, %d missing, %d broken\n", dir, s.Cells, s.Done, s.Failed, s.Missing, s.Broken)
		printLines(w, "failed", s.Failures)
		printLines(w, "warned", s.Warnings)
		printLines(w, "broken, will be run again", s.Breaks)
	})
}

// printLines prints each line with a title in front of it.
func printLines(w io.Writer, title string, lines []string) {
	for _, line := range lines {
		fmt.Fprintf(w, "%s: %s\n", title, line)
	}
}
