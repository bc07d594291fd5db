package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sml/data"
	"sml/evaluation/measure"
	"sml/evaluation/report/internal/compare"
	"sml/evaluation/report/internal/tabular"
	"sml/evaluation/study"
)

// Report is a report on one or several studies. Of returns a report with its defaults; a caller may
// change them before it writes the report.
type Report struct {
	Studies []Study
	Scores  []measure.Score    // scores of all studies
	Seeds   []study.SeedScores // scores of each seed; nil unless the studies have several seeds

	Title       string
	Intro       []string                  // paragraphs
	Shown       []measure.Score           // scores that tables and the page show, a part of Scores
	MethodTitle func(label string) string // title of a method in tables and figures
	Reference   compare.Reference         // scores to compare with; none if it is empty
	Overviews   []string                  // names of the measures with an Overview
	Tables      []Tables                  // further tables for files
	Sections    []Section                 // further sections of the page
	Facts       [][2]string               // names and values: settings, versions, seeds, machine, time
	Notes       []string                  // paragraphs below the facts

	pictures []Picture
}

// Study is a study of a report, with its results.
type Study struct {
	Dir string
	*study.Plan
	study.Results
}

// Tables are the tables of one Markdown file and of one LaTeX file.
type Tables struct {
	Name string // name of the files, without their extensions
	List []tabular.Table
}

// New reads the results of the studies in dirs and returns a report on them. It combines studies
// that differ in splits, folds and seeds, as study.Collect does; the notes say which trainings
// several studies have.
func New(dirs []string) (r *Report, notes []string, err error) {
	r = &Report{MethodTitle: study.MethodTitle}
	var names []string
	for _, dir := range dirs {
		p, err := study.ReadPlan(dir)
		if err != nil {
			return nil, nil, err
		}
		r.Studies = append(r.Studies, Study{Dir: dir, Plan: p})
		names = append(names, filepath.Base(filepath.Clean(dir)))
	}
	tellOptimizers(r.Studies)
	var located []study.Directory
	for _, s := range r.Studies {
		located = append(located, study.Directory{Dir: s.Dir, Plan: s.Plan})
	}
	collected, notes, err := study.Collect(located)
	if err != nil {
		return nil, nil, err
	}
	for i := range r.Studies {
		r.Studies[i].Results = collected[i]
		r.Scores = append(r.Scores, collected[i].Scores...)
		for _, own := range collected[i].Seeds {
			at := slices.IndexFunc(r.Seeds, func(s study.SeedScores) bool { return s.Seed == own.Seed })
			if at < 0 {
				at, r.Seeds = len(r.Seeds), append(r.Seeds, study.SeedScores{Seed: own.Seed})
			}
			r.Seeds[at].Scores = append(r.Seeds[at].Scores, own.Scores...)
		}
	}
	r.Shown, r.Overviews = r.Scores, measuresOf(r.Scores)
	r.Title = "Study " + strings.Join(names, ", ")
	r.Intro = []string{"Regression networks that know how sure they are, judged on their mean and on their uncertainty. " +
		"Every score is a mean over folds, on the standardised target."}
	for i, s := range r.Studies {
		r.Facts = append(r.Facts, s.facts(names[i])...)
		if len(s.MissingDatasets) > 0 {
			r.Notes = append(r.Notes, "Left out, since their files were not there: "+strings.Join(s.MissingDatasets, ", ")+".")
		}
		for _, failure := range s.Summary.Failures {
			r.Notes = append(r.Notes, "Failed: "+failure)
		}
		for _, warning := range s.Summary.Warnings {
			r.Notes = append(r.Notes, "Warned: "+warning)
		}
	}
	return r, notes, nil
}

// Show leaves tables, overviews and the page the measures of these names. A name that no
// score has is an error that lists those that there are, and so is none.
func (r *Report) Show(names []string) error {
	there := measuresOf(r.Scores)
	if len(names) == 0 {
		return fmt.Errorf("nothing is named: there is %s", strings.Join(there, ", "))
	}
	for _, name := range names {
		if !slices.Contains(there, name) {
			return fmt.Errorf("there is no score by %q: there is %s", name, strings.Join(there, ", "))
		}
	}
	r.Shown = compare.Filter(r.Shown, func(s measure.Score) bool { return slices.Contains(names, s.Measure) })
	r.Overviews = slices.DeleteFunc(slices.Clone(r.Overviews), func(name string) bool { return !slices.Contains(names, name) })
	return nil
}

// Incomplete says what is missing or broken, nothing if all cells have a result.
func (r *Report) Incomplete() string {
	var parts []string
	for _, s := range r.Studies {
		if s.Summary.Missing+s.Summary.Broken > 0 {
			parts = append(parts, fmt.Sprintf("%s has %d of %d cells missing and %d broken", s.Dir, s.Summary.Missing, s.Summary.Cells, s.Summary.Broken))
		}
	}
	return strings.Join(parts, "; ")
}

// Agreement returns the agreement of the report's scores with the reference.
func (r *Report) Agreement() compare.Agreement { return compare.Agree(r.Scores, r.Reference) }

// Protocol is that of the studies, nothing if they differ.
func (r *Report) Protocol() data.Protocol {
	protocols := compare.DistinctNames(r.Studies, func(s Study) string { return s.Config.Protocol })
	if len(protocols) != 1 {
		return ""
	}
	return data.Protocol(protocols[0])
}

// facts say what a study was, settings that differ between its cells with commas.
func (s Study) facts(name string) [][2]string {
	each := func(of func(study.PlannedCell) string) string {
		return strings.Join(compare.DistinctNames(s.Cells, of), ", ")
	}
	facts := [][2]string{
		{"study", fmt.Sprintf("%s: %d of %d cells done, %d failed", name, s.Summary.Done, s.Summary.Cells, s.Summary.Failed)},
		{"protocol", s.Config.Protocol},
		{"network", strings.Join(compare.DistinctNames(s.Cells, networkOf), "; ")},
		{"training", each(func(c study.PlannedCell) string { return c.Training.DescribeOptimizer() }) + ", learning rates " + each(func(c study.PlannedCell) string { return fmt.Sprint(c.Training.LearningRate) }) +
			", " + each(func(c study.PlannedCell) string { return fmt.Sprint(c.Training.Schedule) })},
		{"sub-networks", each(func(c study.PlannedCell) string { return strconv.Itoa(c.Prediction.Samples) }) + " for each row"},
		{"seeds", strings.Trim(fmt.Sprint(s.Config.Seeds), "[]")},
		{"version", s.Version},
	}
	for _, says := range compare.DistinctNames(s.Cells, tableFact) {
		if says != "" {
			facts = append(facts, [2]string{"table", says})
		}
	}
	if t, err := study.ReadTimes(s.Dir); err == nil && !t.First.IsZero() {
		facts = append(facts, [2]string{"time", fmt.Sprintf("%v, %s", t.Wall.Round(time.Second), t.First.Format("2 January 2006"))})
		facts = append(facts, machineFacts(t.Machines)...)
	}
	return facts
}

// networkOf says what a cell's network is.
func networkOf(c study.PlannedCell) string {
	a, name := c.Spec.Architecture, ""
	if n, err := c.Spec.Network(); err == nil && n.Name != "mlp" { // a method's own
		name = n.Title + ", "
	}
	return fmt.Sprintf("%s%s, %s, dropout %v", name, layers(a.Hidden), strings.Replace(a.Activation, "relu", "ReLU", 1), a.Dropout)
}

// layers says how wide hidden layers are.
func layers(widths []int) string {
	list := strings.ReplaceAll(strings.Trim(fmt.Sprint(widths), "[]"), " ", ", ")
	switch {
	case len(widths) == 0:
		return "no hidden layer"
	case len(widths) == 1:
		return "a hidden layer of " + list
	case len(widths) == 2 && widths[0] == widths[1]:
		return fmt.Sprintf("two hidden layers of %d", widths[0])
	}
	return "hidden layers of " + list
}

// tableFact says what a table of the user's own is, and nothing of a data set.
func tableFact(c study.PlannedCell) string {
	if c.Alias == "" {
		return ""
	}
	target := "the last column"
	if len(c.Table.Target) > 0 {
		target = strings.Join(c.Table.Target, ", ")
	}
	return fmt.Sprintf("%s: %s, %d rows, target %s, SHA-256 of its names and values %s", c.Alias, filepath.Base(c.Table.Name), c.Table.Rows, target, c.Table.Checksum)
}

// machineFacts says what a study was computed on, equal machines in one line.
func machineFacts(machines []study.Machine) [][2]string {
	var facts [][2]string
	for i, m := range machines {
		same := 0
		equal := func(other study.Machine) bool { other.Host = m.Host; return other == m }
		if m.CPU == "" || slices.ContainsFunc(machines[:i], equal) {
			continue // of a log of an earlier version, or said already
		}
		for _, other := range machines {
			if equal(other) {
				same++
			}
		}
		on := fmt.Sprintf("%d cores of %s, %s", m.Cores, m.CPU, m.System)
		if same > 1 {
			on = fmt.Sprintf("%d machines, each %s", same, on)
		}
		facts = append(facts, [2]string{"computed on", on}, [2]string{"computed with", fmt.Sprintf("%s, Gorgonia %s, %s kernels", m.Go, m.Gorgonia, m.Kernels)})
	}
	return facts
}
