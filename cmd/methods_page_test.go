package cmd

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sml/internal/page"
	"sml/models"
)

// The page of methods lists the registered methods. After a change,
//
//	go test ./cmd -run TestMethodsPage -update
//
// writes the page.
func TestMethodsPage(t *testing.T) {
	section := page.Section{
		Path:    "../docs/reference/methods.md",
		Begin:   "<!-- registered methods -->\n",
		End:     "<!-- end of the methods -->\n",
		Command: "go test ./cmd -run TestMethodsPage -update",
	}
	section.Check(t, "\n"+methodsTable()+"\n"+methodHyperparameters()+"\n")
}

// methodsTable returns a table of all methods, with how they are trained.
func methodsTable() string {
	text := "| method | what it does | training | source |\n| --- | --- | --- | --- |\n"
	for _, m := range models.Methods() {
		text += tableRow("`"+m.Name+"`", m.Summary, describeTraining(m), m.Source)
	}
	return text
}

// describeTraining describes what differs from the training of one fully connected network for all
// epochs.
func describeTraining(m models.Method) string {
	var notes []string
	if m.Members > 1 {
		notes = append(notes, fmt.Sprintf("%d networks", m.Members))
	}
	if m.Network != "mlp" {
		notes = append(notes, "network `"+m.Network+"`")
	}
	if m.DropLayers != models.NoLayers {
		notes = append(notes, "dropout in "+layersText[m.DropLayers])
	}
	if m.EarlyStopping {
		notes = append(notes, "early stopping")
	}
	return strings.Join(notes, ", ")
}

// layersText describes the hidden layers that drop units.
var layersText = map[models.Layers]string{
	models.AllLayers: "all layers",
	models.LastLayer: "the last layer",
}

// methodHyperparameters returns a table of the hyperparameters of all methods. Methods that share a
// hyperparameter share its row.
func methodHyperparameters() string {
	text := "| `--set` | default | allowed | meaning | methods |\n| --- | --- | --- | --- | --- |\n"
	var rows []string                    // without the methods
	methods := make(map[string][]string) // by row
	for _, m := range models.Methods() {
		for _, h := range m.Hyperparameters {
			row := strings.TrimSuffix(tableRow("`"+h.Name+"`", fmt.Sprint(h.Default), allowed(h), h.Help), "\n")
			if !slices.Contains(rows, row) {
				rows = append(rows, row)
			}
			methods[row] = append(methods[row], "`"+m.Name+"`")
		}
	}
	for _, row := range rows {
		text += row + " " + strings.Join(methods[row], ", ") + " |\n"
	}
	return text
}

// allowed describes the allowed values of a hyperparameter, "" if its meaning says it.
func allowed(h models.Hyperparameter) string {
	if h.IsWord() && h.CheckWord != nil && len(h.Choices) == 0 {
		return ""
	}
	return choices(h)
}

// tableRow returns a row of a table in Markdown.
func tableRow(cells ...string) string {
	var row strings.Builder
	for _, cell := range cells {
		row.WriteString("| " + strings.NewReplacer("|", `\|`, "\n", " ").Replace(cell) + " ")
	}
	return row.String() + "|\n"
}
