package cmd

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/evaluation/measure"
)

// measuresCommand returns the command "sml measures".
func measuresCommand() *cli.Command {
	const description = "μ is the mean and σ the standard deviation of a prediction, y its target; r is (μ − y)/σ, in paper\n" +
		"mode (μ − y)/(σ + 1e-10); Φ is the distribution function of N(0, 1). A measure gives no score if the\n" +
		"method's predictions lack what it needs. Measures marked \"on request\" are computed only if --measures\n" +
		"names them, or all."
	return listCommand("measures", "list the measures, with formulas, units and sources", description, func(*cli.Context) (string, any) {
		var entries []terminal.Entry
		for _, m := range measure.All() {
			lines := []string{m.Title + ": " + m.Summary, m.Formula, fmt.Sprintf("unit: %s; %s is better", m.Unit, describeBest(m))}
			if !slices.Equal(m.Needs, []measure.Part{measure.Mean}) {
				lines = append(lines, "needs: "+joinChoices(m.Needs))
			}
			if m.OnRequest {
				lines = append(lines, "on request")
			}
			if m.Convention != "" {
				lines = append(lines, "convention: "+m.Convention)
			}
			entries = append(entries, terminal.Entry{Name: m.Name, Lines: append(lines, "source: "+m.Source)})
		}
		return terminal.Entries(entries), measure.All()
	})
}
