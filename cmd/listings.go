package cmd

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/urfave/cli/v2"

	"sml/data/split"
	"sml/evaluation/measure"
	"sml/models"
	_ "sml/models/methods"
)

// listing is a command that lists what is registered: list returns it as text
// and as what becomes JSON.
func listing(name, usage, description string, list func(*cli.Context) (text string, asJSON any), flags ...cli.Flag) *cli.Command {
	return &cli.Command{
		Name: name, Usage: usage, Description: description,
		Flags: append(flags, jsonFlag()),
		Action: func(c *cli.Context) error {
			if _, err := arguments(c); err != nil {
				return err
			}
			text, asJSON := list(c)
			if c.Bool("json") {
				return writeJSON(c, asJSON)
			}
			_, err := fmt.Fprintln(c.App.Writer, text)
			return err
		},
	}
}

func methodsCommand() *cli.Command {
	type method struct {
		Name            string                 `json:"name"`
		Title           string                 `json:"title"`
		Summary         string                 `json:"summary"`
		Source          string                 `json:"source"`
		Members         int                    `json:"members"`
		Hyperparameters models.Hyperparameters `json:"hyperparameters"`
		Choices         map[string]string      `json:"choices"`
	}
	return listing("methods", "list the methods, with hyperparameters and sources", "", func(*cli.Context) (string, any) {
		var list []method
		var all []entry
		for _, m := range models.Methods() {
			defaults, ranges := make(models.Hyperparameters), make(map[string]string)
			var settings [][2]string
			for _, h := range m.Hyperparameters {
				defaults[h.Name], _ = h.Value(h.Default)
				ranges[h.Name] = choices(h)
				settings = append(settings, [2]string{fmt.Sprintf("--set %s=%v", h.Name, h.Default), fmt.Sprintf("%s (%s)", h.Help, choices(h))})
			}
			all = append(all, entry{m.Name, append([]string{m.Summary, "source: " + m.Source}, columns(settings)...)})
			list = append(list, method{m.Name, m.Title, m.Summary, m.Source, m.Members, defaults, ranges})
		}
		return entries(all), list
	})
}

// choices says what can be chosen.
func choices(h models.Hyperparameter) string {
	switch {
	case h.Switch():
		return "true or false"
	case h.Word() && len(h.Choices) > 0:
		return strings.Join(h.Choices, ", ")
	case h.Word():
		return "any word"
	case h.Range == models.Range{}:
		return "any number"
	}
	return h.Range.String()
}

func networksCommand() *cli.Command {
	return listing("networks", "list the networks that a method can train, with activations and sources", "", func(*cli.Context) (string, any) {
		var all []entry
		for _, n := range models.Networks() {
			e := entry{n.Name, []string{n.Summary, "source: " + n.Source}}
			if len(n.Activations) > 0 {
				e.add("--activation %s", strings.Join(n.Activations, ", "))
			}
			all = append(all, e)
		}
		return entries(all), models.Networks()
	})
}

func measuresCommand() *cli.Command {
	const description = "μ is the mean and σ the standard deviation of a prediction, y its target; r is (μ − y)/σ, in paper\n" +
		"mode (μ − y)/(σ + 1e-10); Φ is the distribution function of N(0, 1). A measure gives no score if the\n" +
		"method's predictions lack what it needs. Measures marked \"on request\" are computed only if --measures\n" +
		"names them, or all."
	return listing("measures", "list the measures, with formulas, units and sources", description, func(*cli.Context) (string, any) {
		var all []entry
		for _, m := range measure.All() {
			e := entry{m.Name, []string{m.Title + ": " + m.Summary, m.Formula}}
			e.add("unit: %s; %s is better", m.Unit, bestOf(m))
			if needs := m.Needs; !slices.Contains(needs, measure.Mean) {
				e.add("needs: %s", oneOf(needs))
			}
			if m.OnRequest {
				e.add("on request")
			}
			if m.Convention != "" {
				e.add("convention: %s", m.Convention)
			}
			e.add("source: %s", m.Source)
			all = append(all, e)
		}
		return entries(all), measure.All()
	})
}

func splitsCommand() *cli.Command {
	type row struct {
		Name     string   `json:"name"`
		Folds    int      `json:"folds"`            // 0: as many as follow from the table
		Column   string   `json:"column,omitempty"` // what it needs a column for
		Reported []string `json:"reported_as"`
		Summary  string   `json:"tests_on"`
		Source   string   `json:"source"`
	}
	return listing("splits", "list the kinds of split, and the names of their scores", "", func(*cli.Context) (string, any) {
		var list []row
		t := newTable(0, "split", "folds", "reported as", "tests on", "needs")
		for _, k := range split.All() {
			folds := fmt.Sprint(k.Folds)
			if k.Folds == 0 {
				folds = "by the table"
			}
			list = append(list, row{k.Name, k.Folds, k.Column, k.ScoreNames(), k.Summary, k.Source})
			t.AppendRow(table.Row{k.Name, folds, strings.Join(k.ScoreNames(), ", "), k.Summary, neededFlag(k)})
		}
		return t.Render(), list
	})
}

func writeJSON(c *cli.Context, v any) error {
	e := json.NewEncoder(c.App.Writer)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print the result as JSON"}
}

// oneOf lists choices for a flag's help.
func oneOf[T ~string](choices []T) string {
	words := make([]string, len(choices))
	for i, c := range choices {
		words[i] = string(c)
	}
	return strings.Join(words, ", ")
}
