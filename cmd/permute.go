package cmd

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// permute moves positional arguments behind the flags of their command, so
// that both orders work: the flag parser stops at the first positional.
func permute(app *cli.App, args []string) []string {
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
	for len(rest) > 0 {
		arg := rest[0]
		rest = rest[1:]
		switch {
		case arg == "--":
			positional = append(positional, rest...)
			rest = nil
		case len(arg) < 2 || arg[0] != '-':
			positional = append(positional, arg)
		default:
			options = append(options, arg)
			if takesValue(flags, arg) && len(rest) > 0 {
				options = append(options, rest[0])
				rest = rest[1:]
			}
		}
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
