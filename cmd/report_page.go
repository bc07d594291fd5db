package cmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sml/data"
	"sml/evaluation/measure"
	"sml/evaluation/paper"
	"sml/evaluation/report"
	"sml/evaluation/study"
)

// mode is the mode of the studies, nothing if they differ.
func (f *found) mode() data.Protocol {
	mode := data.Protocol(f.plans[0].Config.Protocol)
	for _, p := range f.plans {
		if data.Protocol(p.Config.Protocol) != mode {
			return ""
		}
	}
	return mode
}

func (f *found) page(main []measure.Score, figures []report.Picture) report.Page {
	scores := main
	if len(scores) == 0 {
		scores = f.scores
	}
	p := report.Page{
		Title:  "Second-moment loss: the evaluation",
		Scores: scores, Reference: report.ThePaper, MethodTitle: methodTitle, Figures: figures, Recipes: paper.Recipes(), Protocol: f.mode(),
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
		for _, warning := range f.collected[i].Summary.Warnings {
			p.Notes = append(p.Notes, "Warned: "+warning)
		}
	}
	p.Notes = append(p.Notes, f.undrawn...)
	slices.Sort(p.Notes)
	p.Notes = slices.Compact(p.Notes)
	return p
}

// rates lists the learning rates of a plan.
func rates(p *study.Plan) string {
	var list []string
	for _, c := range p.Cells {
		if text := fmt.Sprint(c.Training.LearningRate); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return strings.Join(list, ", ")
}

func factsOf(dir string, p *study.Plan, c study.Collected) [][2]string {
	settings := p.Cells[0].Training
	facts := [][2]string{
		{"study", fmt.Sprintf("%s: %d of %d cells done, %d failed", filepath.Base(filepath.Clean(dir)), c.Summary.Done, c.Summary.Cells, c.Summary.Failed)},
		{"preset and mode", p.Config.Preset + ", " + p.Config.Protocol},
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
