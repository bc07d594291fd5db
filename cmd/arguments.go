package cmd

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// completion is the argument with which a shell asks the program for completions.
const completion = "--generate-bash-completion"

// permute moves positional arguments behind the flags of their command, so that both orders work:
// the flag parser stops at the first positional argument. A line with --help or -h, or "help
// COMMAND", becomes a call for help alone. A line that ends with a shell's call for completions
// becomes that call. permute returns an error for a whole number in another notation than decimal
// digits, since package flag would read 010 as 8. It also returns an error if a flag is set twice
// to different values, unless the flag is a list.
func permute(app *cli.App, args []string) ([]string, error) {
	if len(args) > 1 && args[1] == "help" {
		args = slices.Concat(args[:1], args[2:], []string{"--help"})
	}
	words, commands, flags := findCommand(app, args)
	head, rest := args[:1+words:1+words], args[1+words:]
	if n := len(rest); n > 0 && rest[n-1] == completion {
		return append(head, completion), nil
	}
	var options, positional []string
	var mistake error // the first mistake
	values := make(map[cli.Flag]string)
	asksHelp, lacksValue := false, false
	for len(rest) > 0 {
		arg := rest[0]
		rest = rest[1:]
		name, value, joined := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		f := lookupFlag(flags, name)
		_, isSwitch := f.(*cli.BoolFlag)
		switch {
		case arg == "--":
			positional, rest = append(positional, rest...), nil
			continue
		case arg == "--help" || arg == "-h":
			asksHelp = true
			continue
		case len(arg) < 2 || arg[0] != '-':
			positional = append(positional, arg)
			continue
		}
		options = append(options, arg)
		if !joined && f != nil && !isSwitch {
			if len(rest) == 0 {
				lacksValue = true
				break
			}
			value, rest = rest[0], rest[1:]
			options = append(options, value)
		}
		previous, repeated := values[f]
		switch _, list := f.(*cli.StringSliceFlag); {
		case mistake != nil || f == nil:
		case !isDecimal(f, value):
			mistake = usage("--%s %s: write it in decimal digits, without a 0 before them", name, value)
		case repeated && value != previous && !list:
			mistake = usage("--%s is given twice, as %s and %s: leave one out", name, previous, value)
		}
		values[f] = value
	}
	switch {
	case asksHelp && len(commands) > 0 && len(positional) > 0: // help for a command that does not exist
		return slices.Concat(head, []string{"--"}, positional), nil
	case asksHelp:
		return append(head, "--help"), nil
	case lacksValue: // the parser reports it if no argument follows
		return append(head, options...), mistake
	case len(positional) > 0:
		options = append(options, "--")
	}
	return slices.Concat(head, options, positional), mistake
}

// isDecimal reports whether the value of a whole-number flag has decimal digits without leading
// zeros or underscores. It reports true for all other flags.
func isDecimal(f cli.Flag, value string) bool {
	switch f.(type) {
	case *cli.IntFlag, *cli.Uint64Flag:
		digits := strings.TrimLeft(value, "+-")
		return (len(digits) < 2 || digits[0] != '0') && !strings.Contains(digits, "_")
	}
	return true
}

// lookupFlag returns the flag with a name, nil if there is none.
func lookupFlag(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// findCommand finds the command in args, which begin with the program's name. It returns the number
// of words that name the command, and the commands and flags that may follow them.
func findCommand(app *cli.App, args []string) (words int, commands []*cli.Command, flags []cli.Flag) {
	commands, flags = app.Commands, app.Flags
	for _, arg := range args[1:] {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(arg) })
		if i < 0 {
			break
		}
		words++
		commands, flags = commands[i].Subcommands, commands[i].Flags
	}
	return words, commands, flags
}
