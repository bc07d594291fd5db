package cmd

import (
	"strings"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/models"
)

// listedNetwork is a network as "sml networks --json" prints it.
type listedNetwork struct {
	models.Network
	Choices []listedHyperparameter `json:"hyperparameters,omitempty"`
}

type listedHyperparameter struct {
	Name    string `json:"name"`
	Default any    `json:"default"`
	Choices string `json:"choices"`
	Help    string `json:"help"`
}

// networksCommand returns the command "sml networks".
func networksCommand() *cli.Command {
	return listCommand("networks", "list the networks that a method can train, with activations and sources", "", func(*cli.Context) (string, any) {
		var entries []terminal.Entry
		var list []listedNetwork
		for _, n := range models.Networks() {
			lines := []string{n.Summary, "source: " + n.Source}
			if len(n.Activations) > 0 {
				lines = append(lines, "--activation "+strings.Join(n.Activations, ", "))
			}
			lines = append(lines, terminal.Pairs(describeHyperparameters(n.Hyperparameters))...)
			entries = append(entries, terminal.Entry{Name: n.Name, Lines: lines})
			listed := listedNetwork{Network: n}
			for _, h := range n.Hyperparameters {
				listed.Choices = append(listed.Choices, listedHyperparameter{h.Name, h.Default, choices(h), h.Help})
			}
			list = append(list, listed)
		}
		return terminal.Entries(entries), list
	})
}
