package cmd

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"sml/evaluation/cluster"
	"sml/evaluation/study"
)

func studyCancelCommand() *cli.Command {
	return &cli.Command{
		Name:      "cancel",
		Usage:     "end what is left of a study's submission to a cluster",
		UsageText: "sml study cancel DIR",
		Description: "What has been computed stays, and running trainings are kept as they are interrupted: submit the\n" +
			"study again, or run it here, to go on.",
		Action: on("the study's directory", cancelStudy),
	}
}

func cancelStudy(c *cli.Context, dir string) error {
	if _, err := study.ReadPlan(dir); err != nil {
		return err
	}
	s, err := cluster.ReadSubmission(dir)
	if err != nil {
		return err
	}
	if s == nil {
		return fmt.Errorf("nothing of %s has been submitted", dir)
	}
	engine, err := cluster.EngineOf(s)
	if err != nil {
		return err
	}
	if err := engine.Cancel(c.Context, s); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.App.Writer, "%s: job %s is cancelled\n", dir, s.Job)
	return err
}
