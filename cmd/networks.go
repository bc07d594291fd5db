package cmd

import (
	"strings"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/models"
)

func networksCommand() *cli.Command {
	return listCommand("networks", "list the networks that a method can train, with activations and sources", "", func(*cli.Context) (string, any) {
		var entries []terminal.Entry
		for _, n := range models.Networks() {
			lines := []string{n.Summary, "source: " + n.Source}
			if len(n.Activations) > 0 {
				lines = append(lines, "--activation "+strings.Join(n.Activations, ", "))
			}
			entries = append(entries, terminal.Entry{Name: n.Name, Lines: lines})
		}
		return terminal.Entries(entries), models.Networks()
	})
}
