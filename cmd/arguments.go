package cmd

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// completion is the argument with which a shell asks the program for completions.
const completion = "--generate-bash-completion"

// reorderArguments returns args, a command line that begins with the program's name, with the
// positional arguments behind the flags of their command. Both orders work in this way, although
// the flag parser stops at the first positional argument. There are two special cases:
//   - A line with --help or -h, or "help COMMAND", becomes a call for help alone. "--help all" changes the command's
//     help, to show all options.
//   - A line that ends with a shell's call for completions becomes that call.
//
// reorderArguments returns an error for a whole number in another notation than decimal digits,
// since package flag would read 010 as 8. It also returns an error if a flag is set twice to
// different values, unless the flag is a list. The returned line is valid in both cases.
func reorderArguments(app *cli.App, args []string) ([]string, error) {
	if len(args) > 1 && args[1] == "help" {
		args = slices.Concat(args[:1], args[2:], []string{"--help"})
	}
	words, command := findCommand(app, args)
	commands := app.Commands
	flags := app.Flags
	if command != nil {
		commands = command.Subcommands
		flags = command.Flags
	}
	head := slices.Clip(args[:1+words]) // clipped, so that append does not overwrite the rest of args
	rest := args[1+words:]
	if len(rest) > 0 && rest[len(rest)-1] == completion {
		return append(head, completion), nil
	}
	line := sortedArguments{flags: flags, values: make(map[cli.Flag]string)}
	for len(rest) > 0 {
		rest = line.take(rest)
	}
	switch {
	case line.asksHelp && len(commands) > 0 && len(line.positional) > 0:
		// Help for a command that does not exist: without --help, the program says that it is unknown.
		return slices.Concat(head, []string{"--"}, line.positional), nil
	case line.asksHelp:
		if command != nil && slices.Equal(line.positional, []string{"all"}) {
			command.ArgsUsage = allOptions
		}
		return append(head, "--help"), nil
	case line.lacksValue: // the parser reports it if no argument follows
		return append(head, line.options...), line.mistake
	case len(line.positional) > 0:
		line.options = append(line.options, "--") // a positional argument may begin with "-"
	}
	return slices.Concat(head, line.options, line.positional), line.mistake
}

// sortedArguments are the arguments of a command, divided into options and positional arguments.
// Method take fills them, argument by argument.
type sortedArguments struct {
	flags      []cli.Flag          // flags of the command
	options    []string            // flags on the command line, with their values
	positional []string            // all other arguments
	values     map[cli.Flag]string // last value of each flag on the command line
	mistake    error               // first mistake; nil if there is none
	asksHelp   bool                // whether --help or -h is one of the arguments
	lacksValue bool                // whether the last argument is a flag without its value
}

// take adds the first argument, with its value if it is a flag that takes one. It returns the
// arguments that are left to add. args must not be empty.
func (s *sortedArguments) take(args []string) (rest []string) {
	arg := args[0]
	rest = args[1:]
	switch {
	case arg == "--": // ends the flags: all further arguments are positional
		s.positional = append(s.positional, rest...)
		return nil
	case arg == "--help" || arg == "-h":
		s.asksHelp = true
		return rest
	case len(arg) < 2 || arg[0] != '-': // "-" alone is an argument, too: standard input
		s.positional = append(s.positional, arg)
		return rest
	}
	return s.takeFlag(arg, rest)
}

// takeFlag adds the flag arg, such as "--epochs" or "--epochs=3". Its value is the first of rest
// unless arg has it, or the flag takes none. takeFlag returns the arguments behind the value. Of a
// flag that the command does not have, it takes no value from rest; the parser rejects that flag.
func (s *sortedArguments) takeFlag(arg string, rest []string) []string {
	s.options = append(s.options, arg)
	name, value, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	f := lookupFlag(s.flags, name)
	_, isSwitch := f.(*cli.BoolFlag)
	if !hasValue && f != nil && !isSwitch {
		if len(rest) == 0 {
			s.lacksValue = true
			return nil
		}
		value = rest[0]
		rest = rest[1:]
		s.options = append(s.options, value)
	}
	s.checkValue(f, name, value)
	return rest
}

// checkValue sets s.mistake if the value of flag f is a mistake and no mistake was found before. It
// remembers the value, to compare it if the flag is repeated. f is nil if the command has no flag
// with the name, which the parser reports.
func (s *sortedArguments) checkValue(f cli.Flag, name, value string) {
	previous, isRepeated := s.values[f]
	s.values[f] = value
	_, isList := f.(*cli.StringSliceFlag)
	switch {
	case s.mistake != nil || f == nil:
		return
	case !isDecimal(f, value):
		s.mistake = usageErrorf("--%s %s: write it in decimal digits, without a 0 before them", name, value)
	case isRepeated && value != previous && !isList:
		s.mistake = usageErrorf("--%s is given twice, as %s and %s: leave one out", name, previous, value)
	}
}

// isDecimal reports whether the value of a whole-number flag has decimal digits without leading
// zeros or underscores. It reports true for all other flags.
func isDecimal(f cli.Flag, value string) bool {
	switch f.(type) {
	case *cli.IntFlag, *cli.Uint64Flag:
		digits := strings.TrimLeft(value, "+-")
		hasLeadingZero := len(digits) > 1 && digits[0] == '0' // as in 010 and 0x10
		return !hasLeadingZero && !strings.Contains(digits, "_")
	}
	return true
}

// lookupFlag returns the flag that has name among its names, nil if there is none.
func lookupFlag(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// findCommand finds the command in args, which begin with the program's name. It returns the number
// of words that name the command, such as 2 for "sml data list". If no command is named, words is 0, and command is nil.
func findCommand(app *cli.App, args []string) (words int, command *cli.Command) {
	commands := app.Commands
	for _, arg := range args[1:] {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(arg) })
		if i < 0 {
			break
		}
		words++
		command = commands[i]
		commands = command.Subcommands
	}
	return words, command
}
