package cmd

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/models"
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
					fmt.Fprintf(c.App.Writer, "         --set %-14s %s\n", hyperparameter(h), h.Help)
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

func writeMethods(c *cli.Context) error {
	type method struct {
		Name            string             `json:"name"`
		Title           string             `json:"title"`
		Summary         string             `json:"summary"`
		Source          string             `json:"source"`
		Members         int                `json:"members"`
		Hyperparameters map[string]float64 `json:"hyperparameters"`
	}
	var list []method
	for _, m := range models.Methods() {
		h, err := m.Choose(nil)
		if err != nil {
			return err
		}
		list = append(list, method{m.Name, m.Title, m.Summary, m.Source, m.Members, h})
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
