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
	Members         int                    `json:"members"`         // networks of its ensemble; 1 for a single network
	Hyperparameters models.Hyperparameters `json:"hyperparameters"` // defaults
	Choices         map[string]string      `json:"choices"`         // description of the possible values, by name
	ParamGroups     models.ParamGroups     `json:"param_groups,omitempty"`
}

// methodsCommand returns the command "sml methods".
func methodsCommand() *cli.Command {
	return listCommand("methods", "list the methods, with hyperparameters and sources", registeredMethods)
}

// registeredMethods returns the registered methods as text for people and as a value for --json.
func registeredMethods(*cli.Context) (text string, asJSON any) {
	var entries []terminal.Entry
	var listed []listedMethod
	for _, m := range models.Methods() {
		entries = append(entries, terminal.Entry{Name: m.Name, Lines: describeMethod(m)})
		listed = append(listed, newListedMethod(m))
	}
	return terminal.Entries(entries), listed
}

// describeMethod returns lines on a method for people: its summary, its source and the flags that set its
// hyperparameters and parameter groups.
func describeMethod(m models.Method) []string {
	flags := describeHyperparameters(m.Hyperparameters)
	if len(m.ParamGroups) > 0 {
		flag := fmt.Sprintf("--param-groups %q", m.ParamGroups)
		flags = append(flags, terminal.Pair{Term: flag, Meaning: "optimizers of groups of parameters"})
	}
	lines := []string{m.Summary, "source: " + m.Source}
	return append(lines, terminal.Pairs(flags)...)
}

// newListedMethod returns a method with the defaults and the possible values of its hyperparameters.
func newListedMethod(m models.Method) listedMethod {
	defaults := make(models.Hyperparameters)
	values := make(map[string]string)
	for _, h := range m.Hyperparameters {
		defaults[h.Name], _ = h.Value(h.Default) // registering the method has checked the default
		values[h.Name] = describeValues(h)
	}
	return listedMethod{
		Name:            m.Name,
		Title:           m.Title,
		Summary:         m.Summary,
		Source:          m.Source,
		Members:         m.Members,
		Hyperparameters: defaults,
		Choices:         values,
		ParamGroups:     m.ParamGroups,
	}
}

// describeHyperparameters returns a pair for each hyperparameter: the flag that sets it to its default, and its help
// with the possible values.
func describeHyperparameters(hyperparameters []models.Hyperparameter) []terminal.Pair {
	var pairs []terminal.Pair
	for _, h := range hyperparameters {
		flag := fmt.Sprintf("--set %s=%v", h.Name, h.Default)
		help := fmt.Sprintf("%s (%s)", h.Help, describeValues(h))
		pairs = append(pairs, terminal.Pair{Term: flag, Meaning: help})
	}
	return pairs
}

// describeValues describes the possible values of a hyperparameter, such as "a whole number, 1 to 100".
func describeValues(h models.Hyperparameter) string {
	switch {
	case h.IsSwitch():
		return "true or false"
	case h.IsWord():
		return describeWords(h)
	case h.Range == models.Range{}: // without limits
		return "any number"
	case h.Whole:
		return "a whole number, " + h.Range.String()
	}
	return h.Range.String()
}

// describeWords describes the possible values of a hyperparameter that is a word.
func describeWords(h models.Hyperparameter) string {
	switch {
	case len(h.Choices) > 0:
		return strings.Join(h.Choices, ", ")
	case h.CheckWord == nil: // no function restricts the words
		return "any word"
	}
	return "a word such as " + h.Default.(string) // the default of a word is a string
}
