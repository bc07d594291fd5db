package cmd

import (
	"fmt"
	"slices"
	"strings"

	"sml/cmd/internal/summary"
	"sml/cmd/internal/terminal"
	"sml/data/preparation"
	"sml/evaluation/experiment"
)

// describeTargets returns a line for each transform and for the bounds of each target. The line of an automatic
// choice has its reason and the flag that turns it off.
func describeTargets(names []string, p *preparation.Preparation) (lines []string) {
	for i, t := range p.Targets {
		if t.Name == "" {
			continue
		}
		line := fmt.Sprintf("target %s is transformed by %s", terminal.ShellWord(names[i]), t.Name)
		lines = append(lines, line+describeReason(t.Reason, "--transform none"))
	}
	for i, s := range p.Supports {
		if !s.IsBounded() {
			continue
		}
		line := fmt.Sprintf("target %s: predictions are %s", terminal.ShellWord(names[i]), s)
		lines = append(lines, line+describeReason(s.Reason, "--support none"))
	}
	return lines
}

// describeTarget describes the transform and the bounds of the target with an index, in a few words. It
// returns "" if there are none.
func describeTarget(p *preparation.Preparation, target int) string {
	var parts []string
	if p.Targets != nil && p.Targets[target].Name != "" {
		parts = append(parts, p.Targets[target].Name)
	}
	if p.Supports != nil && p.Supports[target].IsBounded() {
		parts = append(parts, p.Supports[target].String())
	}
	return strings.Join(parts, ", ")
}

// describeReason returns the end of a line about an automatic choice: its reason, and the flag that turns it off. It
// returns "" for the user's own choice, which has no reason.
func describeReason(reason, flag string) string {
	if reason == "" {
		return ""
	}
	return fmt.Sprintf(": %s (%s turns it off)", reason, flag)
}

// describeSpikes returns a line for each target with one value in many training rows.
func describeSpikes(e *experiment.Experiment) (lines []string) {
	if e.Spec.Architecture.Classes > 0 {
		return nil
	}
	t := e.Data()
	for target, name := range t.Targets {
		var values []float64
		for _, row := range t.KnownTargets(target, e.Rows.Train) {
			values = append(values, t.Y[row*len(t.Targets)+target])
		}
		slices.Sort(values)
		if spike, ok := summary.FindSpike(values); ok {
			lines = append(lines, fmt.Sprintf("target %s is exactly %s: %s", terminal.ShellWord(name), spike, summary.SpikeAdvice))
		}
	}
	return lines
}
