package cmd

import (
	"fmt"
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

// listedHyperparameter is a hyperparameter of a network as "sml networks --json" prints it.
type listedHyperparameter struct {
	Name    string `json:"name"`
	Default any    `json:"default"`
	Choices string `json:"choices"` // description of the possible values
	Help    string `json:"help"`
}

// networksCommand returns the command "sml networks".
func networksCommand() *cli.Command {
	return listCommand("networks", "list the networks that a method can train, with activations and sources", registeredNetworks)
}

// registeredNetworks returns the registered networks as text for people and as a value for --json.
func registeredNetworks(*cli.Context) (text string, asJSON any) {
	var entries []terminal.Entry
	var listed []listedNetwork
	for _, n := range models.Networks() {
		entries = append(entries, terminal.Entry{Name: n.Name, Lines: describeNetwork(n)})
		listed = append(listed, newListedNetwork(n))
	}
	return terminal.Entries(entries), listed
}

// describeNetwork returns lines on a network for people: its summary, its source, its activations, its copies and its
// hyperparameters, as far as it has them.
func describeNetwork(n models.Network) []string {
	lines := []string{n.Summary, "source: " + n.Source}
	if len(n.Activations) > 0 {
		lines = append(lines, "--activation "+strings.Join(n.Activations, ", "))
	}
	if n.Copies > 0 {
		lines = append(lines, fmt.Sprintf("--copies %d", n.Copies))
	}
	return append(lines, terminal.Pairs(describeHyperparameters(n.Hyperparameters))...)
}

// newListedNetwork returns a network with the hyperparameters that its JSON leaves out.
func newListedNetwork(n models.Network) listedNetwork {
	listed := listedNetwork{Network: n}
	for _, h := range n.Hyperparameters {
		listed.Choices = append(listed.Choices, listedHyperparameter{
			Name:    h.Name,
			Default: h.Default,
			Choices: describeValues(h),
			Help:    h.Help,
		})
	}
	return listed
}
