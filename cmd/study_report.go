package cmd

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/evaluation/report"
	"sml/evaluation/report/paper"
)

// studyReportCommand returns the command "sml study report".
func studyReportCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "report",
		Usage:     "write tables, figures and a page for one or several studies",
		UsageText: "sml study report DIR [DIR …] --out OUT",
		Description: "Write report.html, scores.csv, scores.json, folds.csv, tables as Markdown and LaTeX, and figures as SVG and PNG\n" +
			"into OUT. Studies with the paper's data sets and methods also get the paper's tables and figures.",
		Action: reportStudies,
	}, []string{
		"sml study report comparison --out report",
	}, optionGroup{flags: []cli.Flag{
		&cli.StringFlag{Name: "out", Usage: "write the report into `DIR`"},
		forceFolderFlag(),
		&cli.StringFlag{Name: "measures", Usage: "show only these measures: `NAMES` with commas between them", DefaultText: "all measures of the studies"},
		quietFlag(),
	}})
}

// reportStudies writes a report of the studies in the arguments.
func reportStudies(c *cli.Context) error {
	if !c.Args().Present() {
		return usageErrorf("the study's directory is missing")
	}
	out := c.String("out")
	if out == "" {
		return usageErrorf("--out is missing: name a directory for the report")
	}
	r, err := readReport(c)
	if err != nil {
		return err
	}
	if err := writeReport(c, r, out); err != nil {
		return err
	}
	missing := r.Incomplete() // description of the cells without a result, "" if there are none
	if missing != "" {
		note(c, "the report is of an unfinished study: %s", missing)
	}
	return nil
}

// readReport reads the scores of the studies in the arguments, adds the paper's tables and figures if the
// studies have its methods, and keeps the measures of --measures. It returns an error if no cell of the
// studies is done.
func readReport(c *cli.Context) (*report.Report, error) {
	dirs, err := argumentPaths(c, "the study's directory")
	if err != nil {
		return nil, err
	}
	r, remarks, err := report.New(dirs) // the remarks name trainings that several of the studies contain
	if err != nil {
		return nil, err
	}
	for _, remark := range remarks {
		note(c, "%s", remark)
	}
	if len(r.Scores) == 0 {
		return nil, fmt.Errorf("no cell of %s is done yet", strings.Join(dirs, ", "))
	}
	paper.Add(r)
	paper.AddBenchmark(r)
	if c.IsSet("measures") {
		if err := r.Show(splitList(c.String("measures"))); err != nil {
			return nil, usageErrorf("--measures: %w", err)
		}
	}
	return r, nil
}

// writeReport writes the whole report. With --force it removes the files of an
// earlier report; files that the program did not write stay.
func writeReport(c *cli.Context, r *report.Report, out string) error {
	folder, err := openResults(c, out, r.Files()...) // before figures are drawn, which takes long
	if err != nil {
		return err
	}
	defer folder.close()
	if err := r.Draw(c.Context); err != nil {
		return err
	}
	if err := folder.write(c.Context, r.Files()); err != nil {
		return err
	}
	fmt.Fprintf(c.App.Writer, "%s: %d scores", filepath.Join(out, "report.html"), len(r.Scores))
	// A reference has published scores to compare with; the paper's studies have one.
	if a := r.Agreement(); a.Compared > 0 {
		fmt.Fprintf(c.App.Writer, "; %d of %d scores of %s are reproduced (%.0f %%)", a.Reproduced, a.Compared, r.Reference.InText, a.Percent())
	}
	fmt.Fprintln(c.App.Writer)
	return nil
}
