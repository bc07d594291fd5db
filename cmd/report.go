package cmd

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/data/safefile"
	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/study"
)

func reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "collect one or several studies into tables, figures and a page; check scores",
		UsageText: "sml study report DIR [DIR …] [--out OUT] [--assert \"METHOD/DATASET/SPLIT/MEASURE<NUMBER\"]",
		Description: "OUT gets report.html, scores.csv, scores.json, tables as Markdown and LaTeX, and the paper's\n" +
			"figures as SVG and PNG. With --assert the command fails if a score does not keep a bound, as in\n" +
			"--assert \"sml/concrete/test/ece<0.6\". SPLIT is train or test for the random folds, or pca-interpolate,\n" +
			"pca-extrapolate, label-interpolate, label-extrapolate; MEASURE is one of " + strings.Join(measure.Names(), ", ") + ";\n" +
			"bounds are <, <=, > and >=.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "write the report into `DIR`; what an earlier one wrote there is replaced"},
			&cli.StringSliceFlag{Name: "assert", Usage: "a `BOUND` that a score has to keep, may be repeated"},
			quietFlag(),
		},
		Action: reportStudies,
	}
}

// found is what the studies of a report came to.
type found struct {
	dirs      []string
	plans     []*study.Plan
	collected []study.Collected
	scores    []measure.Score
	doubled   []string // what is left out, as an earlier study has it
	undrawn   []string // figures that are left out, and why
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
	f, err := collect(dirs)
	if err != nil {
		return err
	}
	for _, note := range f.doubled {
		fmt.Fprintln(c.App.ErrWriter, "sml:", note)
	}
	if len(f.scores) == 0 {
		return fmt.Errorf("no cell of %s is done yet", strings.Join(f.dirs, ", "))
	}
	if out := c.String("out"); out != "" {
		if err := f.write(c, out); err != nil {
			return err
		}
		a := report.Agree(f.scores, report.ThePaper)
		fmt.Fprintf(c.App.Writer, "%s: %d scores", filepath.Join(out, "report.html"), len(f.scores))
		if a.Of > 0 {
			fmt.Fprintf(c.App.Writer, "; %d of %d of the paper's are met (%.0f %%)", a.Met, a.Of, 100*float64(a.Met)/float64(a.Of))
		}
		fmt.Fprintln(c.App.Writer)
	}
	var broken []error
	if left := f.incomplete(); left != "" {
		if len(bounds) > 0 {
			return fmt.Errorf("nothing can be asserted of an unfinished study: %s", left)
		}
		fmt.Fprintf(c.App.ErrWriter, "sml: the report is of an unfinished study: %s\n", left)
	}
	for _, a := range bounds {
		if err := a.Check(f.scores); err != nil {
			broken = append(broken, err)
		} else {
			fmt.Fprintf(c.App.Writer, "holds: %v\n", a)
		}
	}
	return errors.Join(broken...)
}

// collect reads the results of studies. What two of them have of the same
// method on the same data set is taken from the first.
func collect(dirs []string) (*found, error) {
	f := &found{dirs: dirs}
	seen := make(map[[2]string]string)
	for _, dir := range dirs {
		p, err := study.ReadPlan(dir)
		if err != nil {
			return nil, err
		}
		c, err := study.Collect(dir, p)
		if err != nil {
			return nil, err
		}
		f.plans, f.collected = append(f.plans, p), append(f.collected, c)
		for _, s := range c.Scores {
			if key := [2]string{s.Dataset, s.Method}; seen[key] == "" {
				seen[key] = dir
			} else if seen[key] != dir {
				note := fmt.Sprintf("%s: %s on %s is left out, since %s has it", dir, s.Method, s.Dataset, seen[key])
				if !slices.Contains(f.doubled, note) {
					f.doubled = append(f.doubled, note)
				}
				continue
			}
			f.scores = append(f.scores, s)
		}
	}
	inPaperOrder(f.scores)
	return f, nil
}

// incomplete says what is missing or broken, nothing if all cells have a result.
func (f *found) incomplete() string {
	var parts []string
	for i, c := range f.collected {
		if s := c.Summary; s.Missing+s.Broken > 0 {
			parts = append(parts, fmt.Sprintf("%s has %d of %d cells missing and %d broken", f.dirs[i], s.Missing, s.Cells, s.Broken))
		}
	}
	return strings.Join(parts, "; ")
}

// isBeta tells the methods of the β study apart.
func isBeta(label string) bool { return strings.HasPrefix(label, "sml beta=") }

// methodTitle returns a label as tables and figures show it.
func methodTitle(label string) string {
	if isBeta(label) {
		return "β = " + strings.TrimPrefix(label, "sml beta=")
	}
	return study.MethodTitle(label)
}

func (f *found) without(beta bool) []measure.Score {
	return slices.DeleteFunc(slices.Clone(f.scores), func(s measure.Score) bool { return isBeta(s.Method) == beta })
}
