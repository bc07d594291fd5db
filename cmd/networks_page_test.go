package cmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
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
	return networks + "\n" + activationList() + "\n" + settings
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

// optimizersTable returns a table of all optimizers.
func optimizersTable() string {
	text := "| optimizer | update | learning rate: default, range | source |\n| --- | --- | --- | --- |\n"
	for _, o := range optimizer.All() {
		text += tableRow("`"+o.Name+"`", o.Summary, fmt.Sprintf("%v; %v", cmp.Or(o.LearningRate, 0.001), o.Rates), o.Source)
	}
	return text
}
