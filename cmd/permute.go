package cmd

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// permute moves positional arguments behind the flags of their command, so
// that both orders work: the flag parser stops at the first positional. A call
// for help is reduced to it, wherever it stands, and "help COMMAND" is one.
func permute(app *cli.App, args []string) []string {
	if len(args) > 1 && args[1] == "help" {
		args = slices.Concat(args[:1], args[2:], []string{"--help"})
	}
	commands, flags := app.Commands, app.Flags
	var head, options, positional []string
	head = append(head, args[0])
	rest := args[1:]
	for len(rest) > 0 {
		command := find(commands, rest[0])
		if command == nil {
			break
		}
		head = append(head, rest[0])
		commands, flags, rest = command.Subcommands, command.Flags, rest[1:]
	}
	asksHelp, lacksValue := false, false
	for len(rest) > 0 {
		arg := rest[0]
		rest = rest[1:]
		switch {
		case arg == "--":
			positional, rest = append(positional, rest...), nil
		case arg == "--help" || arg == "-h":
			asksHelp = true
		case len(arg) < 2 || arg[0] != '-':
			positional = append(positional, arg)
		case !takesValue(flags, arg):
			options = append(options, arg)
		case len(rest) == 0:
			options = append(options, arg)
			lacksValue = true
		default:
			options = append(options, arg, rest[0])
			rest = rest[1:]
		}
	}
	switch {
	case asksHelp && len(commands) > 0 && len(positional) > 0: // help for a command that there is not
		options = nil
	case asksHelp:
		return append(head, "--help")
	case lacksValue: // the parser says so, as long as nothing follows
		return append(head, options...)
	}
	if len(positional) > 0 {
		options = append(options, "--")
	}
	return slices.Concat(head, options, positional)
}

func find(commands []*cli.Command, name string) *cli.Command {
	for _, c := range commands {
		if c.HasName(name) {
			return c
		}
	}
	return nil
}

// takesValue tells whether the value of a flag is the next argument.
func takesValue(flags []cli.Flag, arg string) bool {
	name := strings.TrimLeft(arg, "-")
	if strings.Contains(name, "=") {
		return false
	}
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			_, isSwitch := f.(*cli.BoolFlag)
			return !isSwitch
		}
	}
	return false
}

// commandOf returns the words of args that name a command.
func commandOf(app *cli.App, args []string) string {
	var words []string
	commands := app.Commands
	for _, arg := range args[1:] {
		command := find(commands, arg)
		if command == nil {
			break
		}
		words = append(words, arg)
		commands = command.Subcommands
	}
	return strings.Join(words, " ")
}
