package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
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
	c.Flags = flagsOf(groups)
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
	if n := len(flagsOf(groups)); n > manyOptions {
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

// formatOptions returns one line for each option, under the titles of the groups. --help follows the
// options of the last group. All help texts begin in the same column.
func formatOptions(groups []optionGroup) string {
	var lines []terminal.Pair // a flag and its help, or the title of a group without a meaning
	for i, g := range groups {
		indent := "   "
		if g.title != "" {
			lines = append(lines, terminal.Pair{Term: indent + g.title + ":"})
			indent = "     "
		}
		flags := g.flags
		if i == len(groups)-1 {
			flags = slices.Concat(flags, []cli.Flag{cli.HelpFlag})
		}
		for _, f := range flags {
			names, help := formatOption(f)
			lines = append(lines, terminal.Pair{Term: indent + names, Meaning: help})
		}
	}
	var text strings.Builder
	for _, line := range terminal.Pairs(lines) {
		fmt.Fprintln(&text, strings.TrimRight(line, " "))
	}
	return text.String()
}

// formatOption returns the names and the help text of a flag. urfave/cli
// writes a flag that may be repeated twice, as in "--drop COLUMN [ --drop COLUMN ]"; once is enough.
func formatOption(f cli.Flag) (names, help string) {
	names, help, _ = strings.Cut(f.String(), "\t")
	names, _, _ = strings.Cut(names, " [ --")
	return names, help
}

// mostUsedFirst moves the named flags from their groups to a first group "Most used", in the order
// of the names.
func mostUsedFirst(groups []optionGroup, names ...string) []optionGroup {
	all := flagsOf(groups)
	first := optionGroup{title: "Most used"}
	for _, name := range names {
		first.flags = append(first.flags, pickFlags(all, name)...)
	}
	for i, g := range groups {
		groups[i].flags = withoutFlags(g.flags, names...)
	}
	groups = slices.DeleteFunc(groups, func(g optionGroup) bool { return len(g.flags) == 0 })
	return slices.Concat([]optionGroup{first}, groups)
}

// flagsOf returns the flags of all groups.
func flagsOf(groups []optionGroup) []cli.Flag {
	var flags []cli.Flag
	for _, g := range groups {
		flags = append(flags, g.flags...)
	}
	return flags
}

// withoutFlags returns the flags that have none of the names.
func withoutFlags(flags []cli.Flag, names ...string) []cli.Flag {
	hasName := func(f cli.Flag) bool { return slices.Contains(names, f.Names()[0]) }
	return slices.DeleteFunc(slices.Clone(flags), hasName)
}

// pickFlags returns the flags that have one of the names, in the order of the flags.
func pickFlags(flags []cli.Flag, names ...string) []cli.Flag {
	hasNoName := func(f cli.Flag) bool { return !slices.Contains(names, f.Names()[0]) }
	return slices.DeleteFunc(slices.Clone(flags), hasNoName)
}
