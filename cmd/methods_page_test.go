package cmd

import (
	"fmt"
	"slices"
	"strings"

	"sml/models"
)

// listMethods returns a list of all methods, with how they are trained and their sources, and a list of their hyperparameters.
func listMethods() string {
	text := ""
	for _, m := range models.Methods() {
		text += listItem("`"+m.Name+"`", m.Summary, describeTraining(m), m.Source)
	}
	return text + "\nHyperparameters for `--set`, with default and range:\n\n" + methodHyperparameters()
}

// listItem returns an item of a list in Markdown: what it describes, its summary, notes if there are
// any, and the source.
func listItem(name, summary, notes, source string) string {
	if notes != "" {
		summary += " (" + notes + ")"
	}
	return fmt.Sprintf("- %s: %s. *%s*\n", name, summary, source)
}

// describeTraining describes what differs from the training of one fully connected network. Another
// page lists the methods that stop early.
func describeTraining(m models.Method) string {
	var notes []string
	if networks := fmt.Sprintf("%d networks", m.Members); m.Members > 1 && !strings.Contains(m.Summary, networks) {
		notes = append(notes, networks)
	}
	if m.Network != "mlp" {
		notes = append(notes, "network `"+m.Network+"`")
	}
	if m.DropLayers != models.NoLayers {
		notes = append(notes, "dropout in "+layersText[m.DropLayers])
	}
	return strings.Join(notes, ", ")
}

// layersText describes the hidden layers that drop units.
var layersText = map[models.Layers]string{
	models.AllLayers: "all layers",
	models.LastLayer: "the last layer",
}

// methodHyperparameters returns a list of the hyperparameters of all methods. Methods that share a
// hyperparameter share its item.
func methodHyperparameters() string {
	var items []string                   // without the methods
	methods := make(map[string][]string) // by item
	for _, m := range models.Methods() {
		for _, h := range m.Hyperparameters {
			item := describeHyperparameter(h)
			if !slices.Contains(items, item) {
				items = append(items, item)
			}
			methods[item] = append(methods[item], "`"+m.Name+"`")
		}
	}
	text := ""
	for _, item := range items {
		text += fmt.Sprintf("- %s: %s\n", strings.Join(methods[item], ", "), item)
	}
	return text
}

// describeHyperparameter returns the name of a hyperparameter, its meaning, its default and the
// allowed values.
func describeHyperparameter(h models.Hyperparameter) string {
	values := fmt.Sprint(h.Default)
	if a := allowed(h); a != "" {
		values += "; " + a
	}
	return fmt.Sprintf("`%s` %s (%s)", h.Name, h.Help, values)
}

// allowed describes the allowed values of a hyperparameter, "" if its meaning says it.
func allowed(h models.Hyperparameter) string {
	if h.IsWord() && h.CheckWord != nil && len(h.Choices) == 0 {
		return ""
	}
	return describeValues(h)
}
