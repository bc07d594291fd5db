package cmd

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/evaluation/report"
	"sml/evaluation/report/paper"
	"sml/internal/safefile"
)

func reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "write tables, figures and a page for one or several studies; check scores",
		UsageText: "sml study report DIR [DIR …] [--out OUT] [--assert \"METHOD/DATASET/SPLIT/MEASURE<NUMBER\"]",
		Description: "Write report.html, scores.csv, scores.json, tables as Markdown and LaTeX, and figures as SVG and PNG\n" +
			"into OUT. Studies with the paper's data sets and methods also get the paper's tables and figures. With\n" +
			"--assert the command fails if a score violates a bound, such as \"sml/concrete/test/ece<0.6\". SPLIT is a\n" +
			"name in the column \"reported as\" of \"sml data splits\"; MEASURE is a name that \"sml measures\" lists; a\n" +
			"bound is <, <=, > or >=.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "write the report into `DIR`"},
			forceFolderFlag(),
			&cli.StringFlag{Name: "measures", Usage: "show only these measures: `NAMES` with commas between them", DefaultText: "all measures of the studies"},
			&cli.StringSliceFlag{Name: "assert", Usage: "fail if a score violates this `BOUND`; repeat the flag for several"},
			quietFlag(),
		},
		Action: reportStudies,
	}
}

func reportStudies(c *cli.Context) error {
	if !c.Args().Present() {
		return usage("the study's directory is missing")
	}
	if c.String("out") == "" && len(c.StringSlice("assert")) == 0 {
		return usage("there is nothing to do: name a directory with --out, or a bound with --assert")
	}
	var bounds []report.Assertion
	for _, text := range c.StringSlice("assert") {
		a, err := report.ParseAssertion(text)
		if err != nil {
			return usageError{err}
		}
		bounds = append(bounds, a)
	}
	dirs := c.Args().Slice()
	for i, dir := range dirs {
		if dir == "" {
			return usage("the study's directory is empty")
		}
		dirs[i] = safefile.Path(dir)
	}
	r, doubled, err := report.Of(dirs)
	if err != nil {
		return err
	}
	for _, note := range doubled {
		fmt.Fprintln(c.App.ErrWriter, "sml:", note)
	}
	if len(r.Scores) == 0 {
		return fmt.Errorf("no cell of %s is done yet", strings.Join(dirs, ", "))
	}
	paper.Add(r)
	if names := list(c.String("measures")); c.IsSet("measures") {
		if c.String("out") == "" {
			return usage("--measures says what a report shows, and there is none: name a directory with --out")
		}
		if err := r.Show(names); err != nil {
			return usage("--measures: %w", err)
		}
	}
	if out := c.String("out"); out != "" {
		if err := writeReport(c, r, out); err != nil {
			return err
		}
	}
	left := r.Incomplete()
	if left != "" && len(bounds) > 0 {
		return fmt.Errorf("nothing can be asserted of an unfinished study: %s", left)
	}
	if left != "" {
		fmt.Fprintf(c.App.ErrWriter, "sml: the report is of an unfinished study: %s\n", left)
	}
	var broken []error
	for _, a := range bounds {
		if err := a.Check(r.Scores); err != nil {
			broken = append(broken, err)
		} else {
			fmt.Fprintf(c.App.Writer, "holds: %v\n", a)
		}
	}
	return errors.Join(broken...)
}

// writeReport writes the whole report. With --force it removes the files of an
// earlier report; files that the program did not write stay.
func writeReport(c *cli.Context, r *report.Report, out string) error {
	folder, err := openResults(c, out)
	if err != nil {
		return err
	}
	defer folder.close()
	if err := folder.admit(r.Files()); err != nil { // before figures are drawn, which takes long
		return err
	}
	if err := r.Draw(c.Context); err != nil {
		return err
	}
	if err := folder.write(c.Context, r.Files()); err != nil {
		return err
	}
	fmt.Fprintf(c.App.Writer, "%s: %d scores", filepath.Join(out, "report.html"), len(r.Scores))
	if a := r.Agreement(); a.Of > 0 {
		fmt.Fprintf(c.App.Writer, "; %d of %d of %s's are met (%.0f %%)", a.Met, a.Of, r.Reference.The, a.Percent())
	}
	fmt.Fprintln(c.App.Writer)
	return nil
}
