package cmd

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// completion is what a shell calls the program with for completions.
const completion = "--generate-bash-completion"

// permute moves positional arguments behind the flags of their command, so
// that both orders work: the flag parser stops at the first positional. A call
// for help is reduced to it, wherever it stands, and "help COMMAND" is one. So
// is a shell's call for completions, which stands at the end of a line that need
// not be right yet.
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
	if n := len(rest); n > 0 && rest[n-1] == completion {
		return append(head, completion)
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

// inDecimals refuses whole numbers in other notations, which package flag
// would read: 010 as 8. The arguments are as permute returns them.
func inDecimals(app *cli.App, args []string) error {
	commands, flags, rest := app.Commands, app.Flags, args[1:]
	for len(rest) > 0 {
		command := find(commands, rest[0])
		if command == nil {
			break
		}
		commands, flags, rest = command.Subcommands, command.Flags, rest[1:]
	}
	for len(rest) > 0 && rest[0] != "--" {
		arg := rest[0]
		rest = rest[1:]
		name, value, joined := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if !joined {
			if !takesValue(flags, arg) || len(rest) == 0 {
				continue
			}
			value, rest = rest[0], rest[1:]
		}
		digits := strings.TrimLeft(value, "+-")
		if isWhole(flags, name) && (len(digits) > 1 && digits[0] == '0' || strings.Contains(digits, "_")) {
			return usage("--%s %s: write it in decimal digits, without a 0 before them", name, value)
		}
	}
	return nil
}

// isWhole tells whether a flag is a whole number.
func isWhole(flags []cli.Flag, name string) bool {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			switch f.(type) {
			case *cli.IntFlag, *cli.Uint64Flag:
				return true
			}
		}
	}
	return false
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
