package cmd

import (
	"context"
	"fmt"

	"sml/cmd/internal/summary"
	"sml/cmd/internal/terminal"
	"sml/evaluation/experiment"
)

// describeGravest returns at most three lines on what spoils a model of the user's own table, or its scores: the
// gravest suspicions of "sml data describe", one line for each kind, and copies of training rows among the test rows.
// It returns none if ctx ends, as the training then does.
func describeGravest(ctx context.Context, e *experiment.Experiment) (lines []string) {
	const (
		maxLines   = 3
		sampleRows = 2000 // rows to look at, which takes a small part of the time of a training
	)
	if !e.Table.Prepared() { // a data set is known
		return nil
	}
	suspicions, err := summary.Gravest(ctx, e.Data(), sampleRows)
	if err != nil {
		return nil
	}
	where := ""
	if e.Data().Rows() > sampleRows {
		where = fmt.Sprintf("in %d random rows, ", sampleRows)
	}
	for _, kind := range distinctKinds(suspicions) {
		line := describeKind(suspicions, kind)
		isAboutAllRows := kind == summary.Total || kind == summary.FarTarget
		if !isAboutAllRows {
			line = where + line
		}
		lines = append(lines, line)
	}
	copies := describeTestCopies(e)
	if copies != "" {
		lines = append(lines, copies)
	}
	return lines[:min(maxLines, len(lines))]
}

// describeKind describes the first suspicion of a kind, and says how many more there are.
func describeKind(suspicions []summary.Suspicion, kind summary.Kind) string {
	line := ""
	more := 0
	for _, s := range suspicions {
		switch {
		case s.Kind != kind:
		case line == "":
			line = describeSuspicion(s)
		default:
			more++
		}
	}
	if more > 0 {
		line += fmt.Sprintf(" (and %s like it, which \"sml data describe\" shows)", terminal.Count(more, "more column"))
	}
	return line
}

// describeTestCopies says how many test rows are copies of training rows. It returns "" if they are few, and hardly
// change a score.
func describeTestCopies(e *experiment.Experiment) string {
	const notableFraction = 0.02 // of the test rows
	test := e.Rows.Test
	copies := summary.CountCopies(e.Data(), e.Rows.Train, test)
	if float64(copies) <= notableFraction*float64(len(test)) {
		return ""
	}
	return fmt.Sprintf("%d of %d test rows are copies of training rows, and flatter the scores: --drop-duplicates", copies, len(test))
}
