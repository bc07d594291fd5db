//go:build unix

package cmd

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sml/data/fetch"
	"sml/data/split"
	"sml/evaluation/experiment"
	"sml/evaluation/study"
	"sml/models"
)

// pageOption is an option of a command as the page shows it.
type pageOption struct {
	names  string // with the placeholder of the value, such as "--out=DIR"
	help   string // in Markdown, without the default
	preset string // description of the default, "" if there is none
	many   bool   // whether the option may be repeated
}

// key identifies the options that need one description.
func (o pageOption) key() string { return o.names + " " + o.help }

// name returns the first name of the option in Markdown.
func (o pageOption) name() string {
	name, _, _ := strings.Cut(o.names, ",")
	name, _, _ = strings.Cut(name, "=")
	return "`" + name + "`"
}

// hasSameHelp reports whether another option has the same help and default.
func (o pageOption) hasSameHelp(other pageOption) bool {
	return o.help == other.help && o.preset == other.preset
}

// commandGroup is a group of options of a command.
type commandGroup struct {
	title   string // "" if the options are not divided into groups
	options []pageOption
}

// describedOption is an option that the page has described, and where it stands.
type describedOption struct {
	pageOption
	command string
	group   string // title of its group below the command, "" if the command has no titles
}

// commonOptions are options that many commands have with the same meaning. The page describes them
// once, with the commands that have them.
var commonOptions = []string{"`--json`", "`--quiet`", "`--force`", "`--data-dir`", "`--header`", "`--engine`"}

// listedCommand is a command as the page lists it.
type listedCommand struct {
	name, usage string         // usage is in Markdown
	groups      []commandGroup // options without the common ones
}

// commandOptions returns the options that many commands have; then a heading, the usage and a list of
// options for each command. An option that an earlier command has with the same help text is only named.
func commandOptions(t *testing.T) string {
	commands, common := parseCommands(t)
	var text strings.Builder
	text.WriteString(common)
	described := make(map[string]describedOption) // by key
	var simple []string                           // usages of commands with no options but common ones
	for _, command := range commands {
		if countOptions(command.groups) == 0 {
			simple = append(simple, strings.Replace(command.usage, " [options]`", "`", 1))
			continue
		}
		fmt.Fprintf(&text, "\n## %s\n\n%s\n", command.name, command.usage)
		text.WriteString(nameDescribedOptions(command.groups, described))
		groups := newOptions(command.groups, described)
		if countOptions(groups) < longList {
			groups = withoutTitles(groups)
		}
		text.WriteString(describeOptions(groups))
		for _, g := range groups {
			for _, o := range g.options {
				described[o.key()] = describedOption{o, command.name, g.title}
			}
		}
	}
	fmt.Fprintf(&text, "\n## Others\n\n%s have no further options.\n", strings.Join(simple, ", "))
	return text.String()
}

// parseCommands returns all commands, and a list of the common options. A command that gives a common
// option another meaning describes it itself.
func parseCommands(t *testing.T) (commands []listedCommand, common string) {
	first := make(map[string]pageOption) // common options by name
	names, _ := leafCommands(newApp(allCommands(fetch.Fetcher{})).Commands, "")
	for _, name := range names {
		usage, groups := parseHelp(t, helpText(t, name))
		for i := range groups {
			groups[i].options = slices.DeleteFunc(groups[i].options, func(o pageOption) bool {
				if !slices.Contains(commonOptions, o.name()) {
					return false
				}
				if o.name() == "`--force`" {
					o.help = "replace what an earlier call wrote"
				}
				earlier, isKnown := first[o.name()]
				if isKnown && earlier.key() != o.key() {
					return false
				}
				first[o.name()] = o
				return true
			})
		}
		commands = append(commands, listedCommand{name, usage, groups})
	}
	var text strings.Builder
	for _, name := range commonOptions {
		text.WriteString(describeOption(first[name], nil))
	}
	return commands, text.String()
}

var (
	helpTitle  = regexp.MustCompile(`^   (\S.*):$`)
	helpOption = regexp.MustCompile(`^ +(-\S.*?)  +(\S.*)$`)
)

// parseHelp returns the usage, in Markdown, and the options in the help text of a command.
func parseHelp(t *testing.T, help string) (usage string, groups []commandGroup) {
	t.Helper()
	_, rest, hasUsage := strings.Cut(help, "USAGE:\n")
	usageLines, _, _ := strings.Cut(rest, "\n\n")
	_, options, hasOptions := strings.Cut(help, "OPTIONS:\n")
	if !hasUsage || !hasOptions {
		t.Fatalf("the help has no usage or no options: %s", help)
	}
	for line := range strings.Lines(options) {
		line = strings.TrimRight(line, "\n")
		if title := helpTitle.FindStringSubmatch(line); title != nil {
			groups = append(groups, commandGroup{title: title[1]})
			continue
		}
		option := helpOption.FindStringSubmatch(line)
		switch {
		case option == nil && strings.TrimSpace(line) != "":
			t.Fatalf("the help has no option in the line %q", line)
		case option == nil || strings.HasPrefix(option[1], "--help"):
			continue
		case len(groups) == 0:
			groups = append(groups, commandGroup{})
		}
		last := &groups[len(groups)-1]
		last.options = append(last.options, newPageOption(option[1], option[2]))
	}
	usageLines = usageOption.ReplaceAllString(usageLines, "")
	usageLines = regexp.MustCompile(` *\n *`).ReplaceAllString(strings.TrimSpace(usageLines), "`\\\n`")
	return "`" + usageLines + "`", groups
}

var (
	listReference = regexp.MustCompile(`\(see "sml (methods|networks|measures)"\)`)
	seeCommand    = regexp.MustCompile(` ?\(see "sml [a-z ]+"\)`)
	// What the page says once, above all options.
	saidOnce    = regexp.MustCompile(`,? with commas between them|: names or numbers with commas between them|; quote a name that has a comma|, a name or number|,? (in|of) any format that train reads|; "-" for standard input|,? such as ("dropout[^"]*"|relu|mlruns|4G|\d[\d.,]*\d)|, a name with hyperparameters as in "[^"]*"|, a name or factors such as "[^"]*"`)
	usageOption = regexp.MustCompile(` \[--[^\]"]*\]`)    // an option that the list describes
	anyNumber   = regexp.MustCompile(`\bthis NUMBER of `) // "for this NUMBER of epochs" becomes "for NUMBER epochs"
	anyValue    = regexp.MustCompile(`\bth(?:is|ese) ([A-Z]{3})`)
	defaultNote = regexp.MustCompile(`\(default: "?(.*?)"?\)$`)
)

// newPageOption returns an option in the notation that the page explains.
func newPageOption(names, help string) pageOption {
	const repeat = "; repeat the flag for several"
	o := pageOption{
		names: strings.ReplaceAll(strings.ReplaceAll(names, " ", "="), ",=", ", "),
		many:  strings.Contains(help, repeat),
	}
	help = strings.ReplaceAll(help, repeat, "")
	help = strings.TrimPrefix(help, "set this NUMBER: ")
	if names == "--header auto|yes|no" {
		help = regexp.MustCompile(`row of --\w+`).ReplaceAllString(help, "row of the file")
	}
	if _, value, _ := strings.Cut(names, " "); strings.Contains(value, "|") {
		help = regexp.MustCompile(`( by|:) `+regexp.QuoteMeta(value)).ReplaceAllString(help, "") // the names say it
	}
	help = saidOnce.ReplaceAllString(help, "")
	help = anyValue.ReplaceAllString(anyNumber.ReplaceAllString(help, "NUMBER "), "$1")
	help = strings.NewReplacer("*", `\*`, "_", `\_`, "|", `\|`, "<", `\<`).Replace(help)
	help = strings.ReplaceAll(help, "paper (as published) or sound (with its errors corrected)", "paper or sound ([both](defaults.md#protocols))")
	help = listReference.ReplaceAllString(help, "([list]($1.md))")
	help = seeCommand.ReplaceAllString(help, "")
	help = strings.ReplaceAll(help, calibrationKinds(), "[kinds](calibration.md)")
	help = strings.ReplaceAll(help, strings.Join(split.Names(), ", "), "[kinds](splits.md)")
	if found := defaultNote.FindStringSubmatch(help); found != nil {
		o.preset = found[1]
		if epochs, err := experiment.LookupSetting("epochs"); err == nil && o.preset == epochs.DefaultNote() {
			o.preset = "[recipe](defaults.md#epochs-and-batch)"
		}
		help = strings.TrimSpace(strings.TrimSuffix(help, found[0]))
	}
	o.help = help
	return o
}

// nameDescribedOptions returns the names of the options that earlier commands describe, command by
// command. Where the default is another one, it follows the name.
func nameDescribedOptions(groups []commandGroup, described map[string]describedOption) string {
	shared := make(map[string][]pageOption) // by the command that describes them
	var commands []string                   // keys of shared, in the order of the options
	for _, g := range groups {
		for _, o := range g.options {
			earlier, isDescribed := described[o.key()]
			if !isDescribed {
				continue
			}
			if !slices.Contains(commands, earlier.command) {
				commands = append(commands, earlier.command)
			}
			shared[earlier.command] = append(shared[earlier.command], o)
		}
	}
	if len(commands) == 0 {
		return ""
	}
	var lists []string
	for _, command := range commands {
		lists = append(lists, fmt.Sprintf("`%s`: %s", command, strings.Join(nameShared(command, shared[command], described), ", ")))
	}
	return "\nAs in " + strings.Join(lists, "; ") + "\n"
}

// nameShared returns the names of options that a command describes. The title of a group stands for
// its options if nearly all of them are shared.
func nameShared(command string, shared []pageOption, described map[string]describedOption) []string {
	missing := make(map[string][]string) // options of the command that are not shared, by title
	size := make(map[string]int)         // number of the command's options, by title
	for _, o := range described {
		if o.command != command {
			continue
		}
		size[o.group]++
		if !slices.Contains(shared, o.pageOption) {
			missing[o.group] = append(missing[o.group], o.name())
		}
	}
	const smallGroup = 4 // whose options are named one by one
	var names []string
	for _, o := range shared {
		earlier := described[o.key()]
		group, isNamed := earlier.group, false
		name := o.name()
		switch {
		case o.preset != earlier.preset:
			name += " (*" + o.preset + "*)"
		case group != "" && size[group] > smallGroup && len(missing[group])*smallGroup < size[group]:
			name, isNamed = nameGroup(group, missing[group]), true
		}
		if !isNamed || !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// nameGroup returns the title of a group of options, with the options that are not meant.
func nameGroup(title string, except []string) string {
	if len(except) == 0 {
		return "all of *" + title + "*"
	}
	slices.Sort(except)
	return "all of *" + title + "* (not " + strings.Join(except, ", ") + ")"
}

// newOptions returns the options that no earlier command describes, by group, without empty groups.
func newOptions(groups []commandGroup, described map[string]describedOption) []commandGroup {
	var rest []commandGroup
	for _, g := range groups {
		var options []pageOption
		for _, o := range g.options {
			if _, isDescribed := described[o.key()]; !isDescribed {
				options = append(options, o)
			}
		}
		if len(options) > 0 {
			rest = append(rest, commandGroup{g.title, options})
		}
	}
	return rest
}

// longList is the number of options from which the titles of the groups divide the list.
const longList = 12

func countOptions(groups []commandGroup) int {
	count := 0
	for _, g := range groups {
		count += len(g.options)
	}
	return count
}

// withoutTitles returns the options of all groups as one group without a title.
func withoutTitles(groups []commandGroup) []commandGroup {
	var all commandGroup
	for _, g := range groups {
		all.options = append(all.options, g.options...)
	}
	return []commandGroup{all}
}

// describeOptions returns lists of options below the titles of their groups. Options of a group with
// the same help share a line.
func describeOptions(groups []commandGroup) string {
	var text strings.Builder
	for _, g := range groups {
		if len(g.options) == 0 {
			continue
		}
		text.WriteString("\n")
		if g.title != "" {
			text.WriteString(g.title + ":\n\n")
		}
		for i, o := range g.options {
			if !slices.ContainsFunc(g.options[:i], o.hasSameHelp) {
				text.WriteString(describeOption(o, g.options[i+1:]))
			}
		}
	}
	return text.String()
}

// describeOption returns the line for an option and for those of the later options that have the same
// help.
func describeOption(o pageOption, later []pageOption) string {
	names := "`" + o.names + "`"
	for _, other := range later {
		if other.hasSameHelp(o) {
			names += ", `" + other.names + "`"
		}
	}
	if o.many {
		names += "…"
	}
	text := "- " + names + " " + o.help
	if o.preset != "" {
		text += " (*" + o.preset + "*)"
	}
	return text + "\n"
}

// studyKeys lists the keys of a study's file and the ranges of settings. All keys of a table but three
// are options of "sml study plan".
func studyKeys(t *testing.T) string {
	t.Helper()
	_, byName := leafCommands(newApp(allCommands(fetch.Fetcher{})).Commands, "")
	for _, key := range yamlKeys(reflect.TypeFor[study.Table]()) {
		if !slices.Contains([]string{"data", "name", "splits"}, key) && lookupFlag(byName["study plan"].Flags, key) == nil {
			t.Errorf("the key %q of a table is no option of sml study plan: describe it on the page", key)
		}
	}
	var ranges []string
	for _, s := range experiment.ListSettings() {
		if s.Range != (models.Range{}) {
			ranges = append(ranges, fmt.Sprintf("`%s` %v", s.Key, s.Range))
		}
	}
	keys := strings.Join(yamlKeys(reflect.TypeFor[study.Config]()), "`, `")
	return fmt.Sprintf("Keys: `%s`. Ranges: %s.\n", keys, strings.Join(ranges, ", "))
}

// yamlKeys returns the keys of a struct type in YAML, with those of structs inside it.
func yamlKeys(t reflect.Type) []string {
	var keys []string
	for i := range t.NumField() {
		f := t.Field(i)
		key := f.Tag.Get("yaml")
		isMap := f.Type.Kind() == reflect.Map // the settings, whose keys are options of sml study plan
		switch {
		case key == "-" || isMap:
		case key == ",inline":
			keys = append(keys, yamlKeys(f.Type)...)
		default:
			keys = append(keys, key)
		}
	}
	return keys
}
