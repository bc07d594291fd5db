package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/evaluation/measure"
)

// measuresCommand returns the command "sml measures".
func measuresCommand() *cli.Command {
	c := listCommand("measures", "list the measures, with formulas, units and sources", registeredMeasures)
	c.Description = "μ is the mean and σ the standard deviation of a prediction, y its target; r is (μ − y)/σ, in paper\n" +
		"mode (μ − y)/(σ + 1e-10); Φ is the distribution function of N(0, 1). A measure gives no score if the\n" +
		"method's predictions lack what it needs. Measures marked \"on request\" are computed only if --measures\n" +
		"names them, or all. A number takes the place of a P, a percentage, and of an X, a threshold, in a name."
	return c
}

// registeredMeasures returns the registered measures as text for people and as a value for --json.
func registeredMeasures(*cli.Context) (text string, asJSON any) {
	measures := measure.All()
	var entries []terminal.Entry
	for _, m := range measures {
		entries = append(entries, terminal.Entry{Name: m.Name, Lines: describeMeasure(m)})
	}
	for _, p := range measure.Patterns() {
		lines := []string{p.Summary, "on request, such as " + p.Example}
		entries = append(entries, terminal.Entry{Name: p.Name, Lines: lines})
	}
	return terminal.Entries(entries), measures
}

// describeMeasure returns lines on a measure for people: what it computes, how to read it, what it needs, and its
// source.
func describeMeasure(m measure.Measure) []string {
	lines := []string{
		m.Title + ": " + m.Summary,
		m.Formula,
		fmt.Sprintf("unit: %s; %s is better", m.Unit, describeBest(m)),
	}
	needsOnlyMean := slices.Equal(m.Needs, []measure.Part{measure.Mean}) // every prediction has a mean
	if !needsOnlyMean {
		lines = append(lines, "needs: "+joinChoices(m.Needs))
	}
	if len(m.Columns) > 0 {
		lines = append(lines, "reads with --extra: "+strings.Join(m.Columns, ", "))
	}
	if m.OnRequest {
		lines = append(lines, "on request")
	}
	if m.Convention != "" {
		lines = append(lines, "convention: "+m.Convention)
	}
	return append(lines, "source: "+m.Source)
}
