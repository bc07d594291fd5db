package cmd

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/cluster"
	"sml/evaluation/study"
)

// studyCancelCommand returns the command "sml study cancel".
func studyCancelCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "cancel",
		Usage:     "cancel a study's jobs on a cluster",
		UsageText: "sml study cancel DIR",
		Description: "Results stay, and interrupted trainings keep their checkpoints. To continue, submit the study again\n" +
			"or run it here.",
		Action: argumentAction("the study's directory", cancelStudy),
	}, []string{
		"sml study cancel comparison",
	}, optionGroup{})
}

// cancelStudy cancels the jobs of the study in dir.
func cancelStudy(c *cli.Context, dir string) error {
	if _, err := study.ReadPlan(dir); err != nil {
		return err
	}
	s, err := cluster.Cancel(c.Context, dir)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.App.Writer, "%s: job %s is cancelled\n", dir, s.Job)
	return err
}
