package cmd

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/models"
	_ "sml/models/methods"
)

func methodsCommand() *cli.Command {
	return &cli.Command{
		Name:  "methods",
		Usage: "list what can be trained, with hyperparameters and sources",
		Flags: []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error {
			if _, err := arguments(c); err != nil {
				return err
			}
			if c.Bool("json") {
				return writeMethods(c)
			}
			for i, m := range models.Methods() {
				if i > 0 {
					fmt.Fprintln(c.App.Writer)
				}
				fmt.Fprintf(c.App.Writer, "%-8s %s\n         source: %s\n", m.Name, m.Summary, m.Source)
				for _, h := range m.Hyperparameters {
					fmt.Fprintf(c.App.Writer, "         --set %-14s %s (%s)\n", hyperparameter(h), h.Help, choices(h))
				}
			}
			return nil
		},
	}
}

func hyperparameter(h models.Hyperparameter) string {
	if h.Switch {
		return fmt.Sprintf("%s=%v", h.Name, h.Default != 0)
	}
	return fmt.Sprintf("%s=%v", h.Name, h.Default)
}

// choices says what can be chosen.
func choices(h models.Hyperparameter) string {
	switch {
	case h.Switch:
		return "true or false"
	case h.Range == models.Range{}:
		return "any number"
	}
	return h.Range.String()
}

func writeMethods(c *cli.Context) error {
	type method struct {
		Name            string             `json:"name"`
		Title           string             `json:"title"`
		Summary         string             `json:"summary"`
		Source          string             `json:"source"`
		Members         int                `json:"members"`
		Hyperparameters map[string]float64 `json:"hyperparameters"`
		Choices         map[string]string  `json:"choices"`
	}
	var list []method
	for _, m := range models.Methods() {
		h, err := m.Choose(nil)
		if err != nil {
			return err
		}
		ranges := make(map[string]string)
		for _, p := range m.Hyperparameters {
			ranges[p.Name] = choices(p)
		}
		list = append(list, method{m.Name, m.Title, m.Summary, m.Source, m.Members, h, ranges})
	}
	return writeJSON(c, list)
}

func writeJSON(c *cli.Context, v any) error {
	e := json.NewEncoder(c.App.Writer)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "write the result as JSON"}
}

// oneOf lists choices for a flag's help.
func oneOf[T ~string](choices []T) string {
	words := make([]string, len(choices))
	for i, c := range choices {
		words[i] = string(c)
	}
	return strings.Join(words, ", ")
}
