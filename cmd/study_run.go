package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/cluster"
	"sml/cmd/internal/terminal"
	"sml/evaluation/study"
)

// studyRunCommand returns the command "sml study run".
func studyRunCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "run",
		Usage:     "run the remaining cells on all cores; safe to interrupt and start again",
		UsageText: "sml study run DIR [options]",
		Description: "Several runs of one directory at the same time share its cells. In an array job of Slurm, Grid\n" +
			"Engine, LSF or AWS Batch each task runs its shard; on Kubernetes and PBS add --shard /N, the number\n" +
			"of tasks.",
		Action: argumentAction("the study's directory", runStudy),
	}, []string{
		"sml study run comparison --shard 1/2 --out part-1",
		"sml study run comparison",
	}, optionGroup{flags: []cli.Flag{
		jobsFlag("cells"),
		&cli.StringFlag{Name: "shard", Usage: "run shard I of N, `I/N`; /N if the scheduler sets I", DefaultText: "the scheduler's shard; all cells without a scheduler"},
		&cli.StringFlag{Name: "out", Usage: "write results to the directory `DIR`; join it later with \"sml study collect\"", DefaultText: "the study's directory"},
		&cli.BoolFlag{Name: "retry-failed", Usage: "run failed cells again"},
		dataDirFlag(), quietFlag(), jsonFlag(),
	}})
}

// runStudy runs the cells of the study in dir that have no result yet. It returns errCellsFailed if
// cells failed, and errInterrupted if the run was interrupted.
func runStudy(c *cli.Context, dir string) error {
	shard, err := chosenShard(c)
	if err != nil {
		return err
	}
	p, err := study.ReadPlan(dir)
	if err != nil {
		return err
	}
	out := c.String("out")
	if out != "" {
		if err := p.Write(out); err != nil { // results lie beside a copy of the plan
			return fmt.Errorf("--out: %w", err)
		}
		dir = out
	}
	start := time.Now()
	s, err := runCells(c, dir, p, shard)
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w with %d of %d cells done: go on with \"sml study run %s\"", errInterrupted, s.Done+s.Failed, s.Cells, dir)
	}
	if err != nil {
		return err
	}
	printErr := printRun(c, dir, s, shard, time.Since(start))
	warn(c, s.Warnings...)
	if s.Failed > 0 { // matters more than a result that could not be printed
		return fmt.Errorf("%d %w:\n%s", s.Failed, errCellsFailed, strings.Join(s.Failures, "\n"))
	}
	return printErr
}

// printRun prints how many cells of a run are done. A shard has no hint at the report, which needs all
// shards.
func printRun(c *cli.Context, dir string, s study.Summary, shard study.Shard, duration time.Duration) error {
	return printResult(c, statusResult{Study: dir, Summary: s}, func(w io.Writer) {
		duration := duration.Round(time.Second)
		isShard := shard.N > 0 // the zero Shard is the whole study
		if isShard {
			fmt.Fprintf(w, "%s: %d of %d cells of shard %s done in %v\n", dir, s.Done, s.Cells, shard, duration)
			return
		}
		fmt.Fprintf(w, "%s: %d of %d cells done in %v; report with \"sml study report %s --out OUT\"\n", dir, s.Done, s.Cells, duration, dir)
	})
}

// runCells runs the cells of a shard that have no result yet, writes their results into dir and shows the
// progress. It returns the counts of the shard's cells, also if it is interrupted.
func runCells(c *cli.Context, dir string, p *study.Plan, shard study.Shard) (study.Summary, error) {
	view := newProgress(c, "study")
	defer view.End()
	stopNote := announce(c, "study: reading tables")
	defer stopNote()
	return study.Run(c.Context, dir, p, programVersion(), studyTables(c), study.Options{
		Jobs:        c.Int("jobs"),
		RetryFailed: c.Bool("retry-failed"),
		Machine:     machine(),
		Shard:       shard,
		Warn:        func(warning string) { warn(c, warning) },
		Progress: func(now study.Progress) {
			stopNote() // the tables are read once the first cell reports
			showCells(view, now)
		},
	})
}

// showCells shows how many cells of a study are done. The progress follows the estimated work, since
// cells differ in length.
func showCells(view *terminal.Progress, now study.Progress) {
	cells := fmt.Sprintf(", %d of %d cells", now.Done, now.Cells)
	if now.Failed > 0 {
		cells += fmt.Sprintf(", %d failed", now.Failed)
	}
	const steps = 1_000_000 // of the progress line, which counts whole steps
	const leastWork = 1e-9  // seconds; avoids a division by 0 for a study without cells
	fraction := now.Worked / max(now.Work, leastWork)
	view.At(int(steps*fraction), steps, cells)
}

// chosenShard returns the shard of a study that --shard or the scheduler's variables select. It
// returns the zero Shard, all of the study, if neither does.
func chosenShard(c *cli.Context) (study.Shard, error) {
	var chosen study.Shard // I is 0 if --shard leaves it to the scheduler, N is 0 without --shard
	if c.IsSet("shard") {
		var err error
		chosen, err = parseShard(c.String("shard"))
		if err != nil || chosen.I > 0 {
			return chosen, err
		}
	}
	// variable is the scheduler's variable with the index, "" if no scheduler runs this process.
	shard, variable, err := cluster.Shard(os.LookupEnv, chosen.N)
	switch {
	case err != nil:
		return shard, usageErrorf("%w; choose the shard with --shard I/N, the number of shards with --shard /N, or all cells with --shard 1/1", err)
	case variable != "" && !c.Bool("quiet"):
		fmt.Fprintf(c.App.ErrWriter, "shard %s of the study, set by %s\n", shard, variable)
	case variable == "" && chosen.N > 0:
		return shard, usageErrorf("--shard %q: no scheduler sets the shard; want I/N", c.String("shard"))
	}
	return shard, nil
}

// parseShard returns the shard in a text of the form I/N. For /N it returns a shard whose I is 0.
func parseShard(text string) (study.Shard, error) {
	formError := usageErrorf("--shard %q: want I/N for shard I of N, or /N if the scheduler sets I; N is at most %d", text, study.MaxShards)
	indexText, countText, hasSlash := strings.Cut(text, "/")
	count, err := strconv.Atoi(countText)
	if err != nil || !hasSlash || count < 1 || count > study.MaxShards {
		return study.Shard{}, formError
	}
	if indexText == "" {
		return study.Shard{N: count}, nil
	}
	index, err := strconv.Atoi(indexText)
	if err != nil || index < 1 || index > count {
		return study.Shard{}, formError
	}
	return study.Shard{I: index, N: count}, nil
}
