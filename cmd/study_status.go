package cmd

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/cluster"
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
	Study string `json:"study"`
	study.Summary
	Submission *submissionStatus `json:"submission,omitempty"`
}

// showStatus prints how many cells of the study in dir are done, failed, missing and broken.
func showStatus(c *cli.Context, dir string) error {
	p, err := study.ReadPlan(dir)
	if err != nil {
		return err
	}
	// Ask for the submission's state before counting the cells: if all tasks have ended by then,
	// the count has all their cells.
	submission := readSubmissionStatus(c, dir)
	s := study.Status(dir, p)
	return printResult(c, statusResult{Study: dir, Summary: s, Submission: submission}, func(w io.Writer) error {
		fmt.Fprintf(w, "%s: %d cells, %d done, %d failed, %d missing, %d broken\n", dir, s.Cells, s.Done, s.Failed, s.Missing, s.Broken)
		if submission != nil {
			fmt.Fprintln(w, submission)
		}
		for _, group := range []struct {
			title string
			lines []string
		}{{"failed", s.Failures}, {"warned", s.Warnings}, {"broken, will be run again", s.Breaks}} {
			for _, line := range group.lines {
				fmt.Fprintf(w, "%s: %s\n", group.title, line)
			}
		}
		return nil
	})
}

// submissionStatus is a submission with its state.
type submissionStatus struct {
	*cluster.Submission
	State *cluster.State `json:"state,omitempty"` // nil if the cluster does not answer
}

// readSubmissionStatus returns the status of a study's submission, nil if there is none. If the
// cluster does not answer, it prints a warning and the state is nil: cells are counted all the
// same.
func readSubmissionStatus(c *cli.Context, dir string) *submissionStatus {
	s, state, err := cluster.Status(c.Context, dir) // s is set even if the cluster does not answer
	if err != nil {
		warnAll(c, []string{fmt.Sprintf("the submission's state is not known: %v", err)})
	}
	switch {
	case s == nil:
		return nil
	case err != nil:
		return &submissionStatus{Submission: s}
	}
	return &submissionStatus{Submission: s, State: &state}
}

// String describes the job for people.
func (s *submissionStatus) String() string {
	state := "state not known"
	if s.State != nil {
		state = s.State.String()
	}
	return fmt.Sprintf("%s job %s: %s", s.Engine, s.Job, state)
}
