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
	Study         string            `json:"study"` // the study's directory
	study.Summary                   // numbers of cells, by state
	Submission    *submissionStatus `json:"submission,omitempty"` // nil if the study was not submitted to a cluster
}

// showStatus prints how many cells of the study in dir are done, failed, missing and broken.
func showStatus(c *cli.Context, dir string) error {
	p, err := study.ReadPlan(dir)
	if err != nil {
		return err
	}
	// Ask for the submission's state before counting the cells: if all tasks have ended by then,
	// the count has all their cells.
	submission := readSubmissionStatus(c, dir) // nil if the study was not submitted to a cluster
	s := study.Status(dir, p)
	return printResult(c, statusResult{Study: dir, Summary: s, Submission: submission}, func(w io.Writer) error {
		fmt.Fprintf(w, "%s: %d cells, %d done, %d failed, %d missing, %d broken\n", dir, s.Cells, s.Done, s.Failed, s.Missing, s.Broken)
		if submission != nil {
			fmt.Fprintln(w, submission)
		}
		printLines(w, "failed", s.Failures)
		printLines(w, "warned", s.Warnings)
		printLines(w, "broken, will be run again", s.Breaks)
		return nil
	})
}

// printLines prints each line with a title in front of it.
func printLines(w io.Writer, title string, lines []string) {
	for _, line := range lines {
		fmt.Fprintf(w, "%s: %s\n", title, line)
	}
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
	s, state, err := cluster.Status(c.Context, dir) // s is set even if the cluster does not answer, nil without a submission
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
