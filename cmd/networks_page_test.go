package cmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sml/models"
	"sml/trainers/optimizer"
)

// listNetworks returns a list of all networks and a list of their hyperparameters.
func listNetworks() string {
	networks, settings := "", ""
	for _, n := range models.Networks() {
		notes := ""
		if n.Copies > 0 {
			notes = fmt.Sprintf("%d copies by default", n.Copies)
		}
		networks += listItem("`"+n.Name+"`", n.Summary, notes, n.Source)
		for _, h := range n.Hyperparameters {
			settings += fmt.Sprintf("- `%s`: %s\n", n.Name, describeHyperparameter(h))
		}
	}
	return networks + "\n" + activationList() + "\nHyperparameters for `--set`, with default and range:\n\n" + settings
}

// activationList returns the activations of all networks. Networks with the same activations share a
// sentence.
func activationList() string {
	var lists []string
	networks := make(map[string][]string) // by list
	for _, n := range models.Networks() {
		list := strings.Join(n.Activations, ", ")
		if list == "" {
			continue
		}
		if !slices.Contains(lists, list) {
			lists = append(lists, list)
		}
		networks[list] = append(networks[list], "`"+n.Name+"`")
	}
	text := ""
	for _, list := range lists {
		text += fmt.Sprintf("`--activation` of %s: %s. The first is the default.\n", strings.Join(networks[list], ", "), list)
	}
	return text
}

// listOptimizers returns a list of all optimizers with the default and the range of their learning
// rates, and with their hyperparameters.
func listOptimizers() string {
	text := ""
	for _, o := range optimizer.All() {
		rates := fmt.Sprintf("learning rate %v; %v", cmp.Or(o.LearningRate, 0.001), o.Rates)
		text += listItem("`"+o.Name+"`", o.Summary, rates, o.Source)
		for _, h := range o.Hyperparameters {
			text += fmt.Sprintf("  - `%s=%v`: %s\n", h.Name, h.Default, h.Help)
		}
	}
	return text
}
