package cmd

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"
)

// optionGroup is a group of options that the help of a command shows together.
type optionGroup struct {
	title string // "" for a command whose options are not divided into groups
	flags []cli.Flag
}

const (
	// manyOptions is the number of options of a command, beyond which --help shows only the first group.
	manyOptions = 30

	// allOptions is the ArgsUsage of a command whose help shows all options. A template of urfave/cli sees nothing but the
	// command, whose ArgsUsage has no other use here: every command has a UsageText.
	allOptions = "all options"
)

// withHelp sets the options of a command and its help text, which shows examples and the options by
// group, and returns the command. An example is a command line that users can copy. If the command has many options,
// --help shows the first group, and "--help all" shows all.
func withHelp(c *cli.Command, examples []string, groups ...optionGroup) *cli.Command {
	for _, g := range groups {
		c.Flags = append(c.Flags, g.flags...)
	}
	for _, f := range c.Flags {
		if f, ok := f.(*cli.BoolFlag); ok {
			f.DisableDefaultText = true
		}
	}
	c.CustomHelpTemplate = helpTemplate(examples, groups)
	return c
}

// helpTemplate returns the template of a command's help text: the part of urfave/cli's template in
// front of the options, the examples, and the options by group. urfave/cli has groups, too, but
// sorts them by name.
func helpTemplate(examples []string, groups []optionGroup) string {
	introduction, _, _ := strings.Cut(cli.CommandHelpTemplate, "{{if .VisibleFlagCategories}}")
	text := strings.Builder{}
	text.WriteString("\n\nEXAMPLES:\n")
	for _, example := range examples {
		fmt.Fprintf(&text, "   %s\n", example)
	}
	text.WriteString("\nOPTIONS:\n")
	options := escapeTemplate(formatOptions(groups))
	if n := countFlags(groups); n > manyOptions {
		first := escapeTemplate(formatOptions(groups[:1]))
		options = fmt.Sprintf(`{{if eq .ArgsUsage %q}}%s{{else}}%s
   "{{.HelpName}} --help all" shows all %d options.
{{end}}`, allOptions, options, first, n)
	}
	return introduction + escapeTemplate(text.String()) + options
}

// escapeTemplate returns a template that prints the text.
func escapeTemplate(text string) string {
	const begin = "{{" // of an action of a template
	return strings.ReplaceAll(text, begin, `{{"`+begin+`"}}`)
}

// countFlags returns the number of flags in all groups.
func countFlags(groups []optionGroup) int {
	n := 0
	for _, g := range groups {
		n += len(g.flags)
	}
	return n
}

// formatOptions returns one line for each option, under the titles of the groups. --help follows the
// options of the last group.
func formatOptions(groups []optionGroup) string {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for i, g := range groups {
		indent := "   "
		if g.title != "" {
			// The tabulator and the end of the cell keep the columns of all groups aligned.
			fmt.Fprintf(table, "   %s:\t\n", g.title)
			indent = "     "
		}
		flags := g.flags
		if i == len(groups)-1 {
			flags = slices.Concat(flags, []cli.Flag{cli.HelpFlag})
		}
		for _, f := range flags {
			fmt.Fprintf(table, "%s%s\n", indent, formatOption(f))
		}
	}
	table.Flush()
	return trimLines(text.String())
}

// formatOption returns the names and the help text of a flag, separated by a tabulator. urfave/cli
// writes a flag that may be repeated twice, as in "--drop COLUMN [ --drop COLUMN ]"; once is enough.
func formatOption(f cli.Flag) string {
	names, help, _ := strings.Cut(f.String(), "\t")
	names, _, _ = strings.Cut(names, " [ --")
	return names + "\t" + help
}

// trimLines removes the blanks at the ends of lines.
func trimLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

// mostUsedFirst moves the named flags from their groups to a first group "Most used", in the order
// of the names.
func mostUsedFirst(groups []optionGroup, names ...string) []optionGroup {
	first := optionGroup{title: "Most used"}
	for _, name := range names {
		for i, g := range groups {
			if f := lookupFlag(g.flags, name); f != nil {
				first.flags = append(first.flags, f)
				groups[i].flags = withoutFlags(g.flags, name)
			}
		}
	}
	groups = slices.DeleteFunc(groups, func(g optionGroup) bool { return len(g.flags) == 0 })
	return slices.Concat([]optionGroup{first}, groups)
}

// withoutFlags returns the flags that have none of the names.
func withoutFlags(flags []cli.Flag, names ...string) []cli.Flag {
	var rest []cli.Flag
	for _, f := range flags {
		if !slices.Contains(names, f.Names()[0]) {
			rest = append(rest, f)
		}
	}
	return rest
}

// pickFlags returns the flags that have one of the names, in the order of the flags.
func pickFlags(flags []cli.Flag, names ...string) []cli.Flag {
	var picked []cli.Flag
	for _, f := range flags {
		if slices.Contains(names, f.Names()[0]) {
			picked = append(picked, f)
		}
	}
	return picked
}
