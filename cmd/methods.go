package cmd

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/models"
	_ "sml/models/methods"
)

// listedMethod is a method as "sml methods --json" prints it.
type listedMethod struct {
	Name            string                 `json:"name"`
	Title           string                 `json:"title"`
	Summary         string                 `json:"summary"`
	Source          string                 `json:"source"`
	Members         int                    `json:"members"`
	Hyperparameters models.Hyperparameters `json:"hyperparameters"`
	Choices         map[string]string      `json:"choices"`
	ParamGroups     models.ParamGroups     `json:"param_groups,omitempty"`
}

// methodsCommand returns the command "sml methods".
func methodsCommand() *cli.Command {
	return listCommand("methods", "list the methods, with hyperparameters and sources", "", func(*cli.Context) (string, any) {
		var list []listedMethod
		var entries []terminal.Entry
		for _, m := range models.Methods() {
			defaults := make(models.Hyperparameters)
			ranges := make(map[string]string)
			for _, h := range m.Hyperparameters {
				defaults[h.Name], _ = h.Value(h.Default)
				ranges[h.Name] = choices(h)
			}
			settings := describeHyperparameters(m.Hyperparameters)
			if len(m.ParamGroups) > 0 {
				settings = append(settings, terminal.Pair{
					Term:    fmt.Sprintf("--param-groups %q", m.ParamGroups),
					Meaning: "optimizers of groups of parameters",
				})
			}
			entries = append(entries, terminal.Entry{Name: m.Name, Lines: append([]string{m.Summary, "source: " + m.Source}, terminal.Pairs(settings)...)})
			list = append(list, listedMethod{
				Name:            m.Name,
				Title:           m.Title,
				Summary:         m.Summary,
				Source:          m.Source,
				Members:         m.Members,
				Hyperparameters: defaults,
				Choices:         ranges,
				ParamGroups:     m.ParamGroups,
			})
		}
		return terminal.Entries(entries), list
	})
}

// describeHyperparameters returns a flag and its help for each hyperparameter.
func describeHyperparameters(list []models.Hyperparameter) []terminal.Pair {
	var pairs []terminal.Pair
	for _, h := range list {
		pairs = append(pairs, terminal.Pair{
			Term:    fmt.Sprintf("--set %s=%v", h.Name, h.Default),
			Meaning: fmt.Sprintf("%s (%s)", h.Help, choices(h)),
		})
	}
	return pairs
}

// choices describes the values of a hyperparameter.
func choices(h models.Hyperparameter) string {
	switch {
	case h.IsSwitch():
		return "true or false"
	case h.IsWord() && len(h.Choices) > 0:
		return strings.Join(h.Choices, ", ")
	case h.IsWord() && h.CheckWord == nil:
		return "any word"
	case h.IsWord():
		return "a word such as " + h.Default.(string)
	case h.Range == models.Range{}:
		return "any number"
	case h.Whole:
		return "a whole number, " + h.Range.String()
	}
	return h.Range.String()
}
