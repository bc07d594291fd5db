package cmd

import (
	"cmp"
	"fmt"
	"testing"

	"sml/internal/page"
	"sml/models"
	"sml/trainers/optimizer"
)

// The page of networks lists the registered networks and optimizers. After a change,
//
//	go test ./cmd -run TestNetworksPage -update
//
// writes the page.
func TestNetworksPage(t *testing.T) {
	for _, section := range []struct{ begin, end, text string }{
		{"<!-- registered networks -->\n", "<!-- end of the networks -->\n", networksTable()},
		{"<!-- registered optimizers -->\n", "<!-- end of the optimizers -->\n", optimizersTable()},
	} {
		s := page.Section{
			Path:    "../docs/reference/networks.md",
			Begin:   section.begin,
			End:     section.end,
			Command: "go test ./cmd -run TestNetworksPage -update",
		}
		s.Check(t, "\n"+section.text+"\n")
	}
}

// networksTable returns a table of all networks and a table of their hyperparameters.
func networksTable() string {
	networks := "| network | layers | source |\n| --- | --- | --- |\n"
	settings := "| `--set` | default | allowed | meaning | network |\n| --- | --- | --- | --- | --- |\n"
	for _, n := range models.Networks() {
		networks += tableRow("`"+n.Name+"`", n.Summary, n.Source)
		for _, h := range n.Hyperparameters {
			settings += tableRow("`"+h.Name+"`", fmt.Sprint(h.Default), allowed(h), h.Help, "`"+n.Name+"`")
		}
	}
	return networks + "\n" + settings
}

// optimizersTable returns a table of all optimizers.
func optimizersTable() string {
	text := "| optimizer | update | learning rate | source |\n| --- | --- | --- | --- |\n"
	for _, o := range optimizer.All() {
		text += tableRow("`"+o.Name+"`", o.Summary, fmt.Sprintf("%v, %v", cmp.Or(o.LearningRate, 0.001), o.Rates), o.Source)
	}
	return text
}
