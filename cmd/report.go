package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/safefile"
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
			"pca-extrapolate, label-interpolate, label-extrapolate; MEASURE is rmse, nll, ece, ws, ks, r2 or mae;\n" +
			"bounds are <, <=, > and >=.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "write the report into `DIR`; files of an earlier one are replaced"},
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
	scores    []report.Score
	doubled   []string // what is left out, as an earlier study has it
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
	f, err := collect(c.Args().Slice())
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
		if err := f.write(c.Context, out); err != nil {
			return err
		}
		a := report.Agree(f.scores)
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
			score := report.Score{
				Dataset: s.Dataset, Method: s.Method, Split: s.Split, Measure: s.Measure,
				Mean: s.Mean, Std: s.Std, Folds: s.Folds + s.Failed, Failed: s.Failed, Paper: math.NaN(),
			}
			if paper, ok := report.Published(s.Dataset, s.Method, s.Measure); ok && s.Split == "test" {
				score.Paper = paper
			}
			f.scores = append(f.scores, score)
		}
	}
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

func (f *found) without(beta bool) []report.Score {
	return slices.DeleteFunc(slices.Clone(f.scores), func(s report.Score) bool { return isBeta(s.Method) == beta })
}

// write writes the whole report; nothing of an earlier one stays beside it.
func (f *found) write(ctx context.Context, out string) error {
	figures, err := f.figures(ctx)
	if err != nil {
		return err
	}
	main := f.without(true)
	files := []file{
		{"scores.csv", func(w io.Writer) error { return report.WriteScoresCSV(w, f.scores) }},
		{"scores.json", func(w io.Writer) error { return report.WriteScoresJSON(w, f.scores) }},
		{"report.html", f.page(main, figures).WriteHTML},
	}
	for _, t := range f.tables(main) {
		name := filepath.Join("tables", t.name)
		files = append(files, file{name + ".md", each(t.list, report.Table.WriteMarkdown)}, file{name + ".tex", each(t.list, report.Table.WriteLaTeX)})
	}
	var written []string
	for _, folder := range []string{"figures", "tables"} {
		if err := os.MkdirAll(filepath.Join(out, folder), 0o755); err != nil {
			return err
		}
	}
	for _, p := range figures {
		for _, suffix := range []string{".svg", ".png"} {
			name := filepath.Join(out, "figures", p.ID+suffix)
			if err := report.Save(name, p.Figure); err != nil {
				return err
			}
			written = append(written, name)
		}
	}
	for _, file := range files {
		name := filepath.Join(out, file.name)
		if err := safefile.Write(name, file.write); err != nil {
			return err
		}
		written = append(written, name)
	}
	return sweep(out, written)
}

// file is a name and what writes its content.
type file struct {
	name  string
	write func(io.Writer) error
}

// sweep removes the figures and tables of an earlier report that are not
// among those written now. Other files stay.
func sweep(out string, written []string) error {
	patterns := []string{"figures/figure[0-9][0-9].svg", "figures/figure[0-9][0-9].png"}
	for _, name := range tableNames {
		patterns = append(patterns, "tables/"+name+".md", "tables/"+name+".tex")
	}
	for _, pattern := range patterns {
		old, err := filepath.Glob(filepath.Join(out, filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		for _, name := range old {
			if slices.Contains(written, name) {
				continue
			}
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// each writes tables one after another.
func each(list []report.Table, write func(report.Table, io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		for i, t := range list {
			if i > 0 {
				if _, err := io.WriteString(w, "\n"); err != nil {
					return err
				}
			}
			if err := write(t, w); err != nil {
				return err
			}
		}
		return nil
	}
}

// tableNames are the files that tables makes.
var tableNames = []string{"table1", "table2", "splits", "agreement", "beta"}

// tables is a file of tables.
type tables struct {
	name string
	list []report.Table
}

func (f *found) tables(main []report.Score) []tables {
	all := []tables{{"table1", []report.Table{report.Table1(data.Datasets(), f.mode())}}}
	if len(main) > 0 {
		all = append(all, tables{"table2", report.Table2(main, methodTitle)},
			tables{"splits", []report.Table{report.SplitTable(main, "ece", methodTitle), report.SplitTable(main, "ws", methodTitle)}})
		if report.Agree(main).Of > 0 {
			all = append(all, tables{"agreement", []report.Table{report.AgreementTable(main, methodTitle), report.MissTable(main, methodTitle)}})
		}
	}
	if beta := f.without(false); len(beta) > 0 {
		all = append(all, tables{"beta", []report.Table{report.SplitTable(beta, "ece", methodTitle), report.SplitTable(beta, "ws", methodTitle)}})
	}
	return all
}

// mode is the mode of the studies, nothing if they differ.
func (f *found) mode() data.Mode {
	mode := data.Mode(f.plans[0].Config.Mode)
	for _, p := range f.plans {
		if data.Mode(p.Config.Mode) != mode {
			return ""
		}
	}
	return mode
}

func (f *found) page(main []report.Score, figures []report.Picture) report.Page {
	scores := main
	if len(scores) == 0 {
		scores = f.scores
	}
	p := report.Page{
		Title:  "Second-moment loss: the evaluation",
		Scores: scores, MethodTitle: methodTitle, Figures: figures, Datasets: data.Datasets(), Mode: f.mode(),
	}
	p.Intro = []string{
		"Regression networks that know how sure they are, trained on the data sets of the paper and judged on their mean and on their uncertainty. " +
			"Every score is a mean over folds, on the standardised target. Ours stands beside the paper's wherever it printed one.",
	}
	for i, plan := range f.plans {
		p.Facts = append(p.Facts, factsOf(f.dirs[i], plan, f.collected[i])...)
		if len(plan.Absent) > 0 {
			p.Notes = append(p.Notes, "Left out, since their files were not there: "+strings.Join(plan.Absent, ", ")+".")
		}
		for _, failure := range f.collected[i].Summary.Failures {
			p.Notes = append(p.Notes, "Failed: "+failure)
		}
	}
	slices.Sort(p.Notes)
	p.Notes = slices.Compact(p.Notes)
	return p
}

// rates lists the learning rates of a plan.
func rates(p *study.Plan) string {
	var list []string
	for _, c := range p.Cells {
		if text := fmt.Sprint(c.Settings.LearningRate); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return strings.Join(list, ", ")
}

func factsOf(dir string, p *study.Plan, c study.Collected) [][2]string {
	settings := p.Cells[0].Settings
	facts := [][2]string{
		{"study", fmt.Sprintf("%s: %d of %d cells done, %d failed", filepath.Base(filepath.Clean(dir)), c.Summary.Done, c.Summary.Cells, c.Summary.Failed)},
		{"preset and mode", p.Config.Preset + ", " + p.Config.Mode},
		{"network", fmt.Sprintf("two hidden layers of %d, ReLU, dropout %v", p.Config.Width, p.Cells[0].Spec.Architecture.Dropout)},
		{"training", fmt.Sprintf("Adam (%v, %v, %v), learning rates %s, %s", settings.Adam.Beta1, settings.Adam.Beta2, settings.Adam.Epsilon, rates(p), settings.Schedule)},
		{"sub-networks", fmt.Sprintf("%d for each row", p.Config.Samples)},
		{"seeds", strings.Trim(fmt.Sprint(p.Config.Seeds), "[]")},
		{"version", p.Version},
	}
	if t, err := study.ReadTimes(dir); err == nil && !t.First.IsZero() {
		facts = append(facts, [2]string{"time", fmt.Sprintf("%v, %s", t.Wall.Round(time.Second), t.First.Format("2 January 2006"))})
		facts = append(facts, machineFacts(t.Machines)...)
	}
	return facts
}

// machineFacts says what a study was computed on, equal machines in one line.
func machineFacts(machines []study.Machine) [][2]string {
	var kinds []study.Machine
	count := make(map[study.Machine]int)
	for _, m := range machines {
		m.Host = ""
		if m.CPU == "" {
			continue // a log of an earlier version
		}
		if count[m]++; count[m] == 1 {
			kinds = append(kinds, m)
		}
	}
	var facts [][2]string
	for _, m := range kinds {
		on := fmt.Sprintf("%d cores of %s, %s", m.Cores, m.CPU, m.System)
		if count[m] > 1 {
			on = fmt.Sprintf("%d machines, each %s", count[m], on)
		}
		facts = append(facts, [2]string{"computed on", on}, [2]string{"computed with", fmt.Sprintf("%s, Gorgonia %s, %s kernels", m.Go, m.Gorgonia, m.Kernels)})
	}
	return facts
}
