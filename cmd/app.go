package cmd

import (
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/internal/safefile"
)

// newApp returns the program with the given commands. Its actions return errors to the caller of
// RunContext: nothing in it prints an error or ends the process.
func newApp(commands []*cli.Command) *cli.App {
	app := &cli.App{
		Name:                   "sml",
		Usage:                  "train regression networks that predict a mean and its uncertainty",
		UsageText:              "sml COMMAND [options]",
		Version:                version().SML,
		HideHelpCommand:        true,
		UseShortOptionHandling: true,
		EnableBashCompletion:   true,

		DisableSliceFlagSeparator: true, // a column's name may have a comma

		Commands:       commands,
		Action:         helpAction,
		OnUsageError:   rewriteFlagError,
		ExitErrHandler: func(*cli.Context, error) {}, // the default handler may end the process
	}
	prepareCommands(app.Commands, app.Name)
	return app
}

// prepareCommands changes commands and their subcommands: they answer usage errors as the program
// does, and get a usage line and an action if they have none. parent is the command line in front
// of their names, such as "sml data".
func prepareCommands(commands []*cli.Command, parent string) {
	for _, c := range commands {
		name := parent + " " + c.Name
		if c.UsageText == "" && len(c.Subcommands) > 0 {
			c.UsageText = name + " COMMAND [options]"
		} else if c.UsageText == "" {
			c.UsageText = name + " [options]"
		}
		c.HideHelpCommand = true
		c.OnUsageError = rewriteFlagError
		c.Before = refuseOverwriting
		if c.Action == nil {
			c.Action = helpAction
		}
		prepareCommands(c.Subcommands, name)
	}
}

// Texts of the errors of package flag, which has no error types. The submatch is the flag's name.
var (
	unknownFlagText  = regexp.MustCompile(`^flag provided but not defined: -(.+)$`)
	missingValueText = regexp.MustCompile(`^flag needs an argument: -(.+)$`)
)

// invalidValueText is the text of package flag for a value that a flag does not take. The submatches
// are the value, in quotes, and the flag's name. The value may have line breaks, which (?s) matches.
var invalidValueText = regexp.MustCompile(`(?s)^invalid (?:boolean )?value (".*") for (?:flag )?-([^ ]+): `)

// rewriteFlagError returns a usage error in place of an error of package flag. The message names the intended flag, or
// describes the values of a flag. An error with another text keeps its text.
func rewriteFlagError(c *cli.Context, err error, _ bool) error {
	text := err.Error()
	if match := unknownFlagText.FindStringSubmatch(text); match != nil {
		return unknownFlagError(match[1], c.Command)
	}
	if match := missingValueText.FindStringSubmatch(text); match != nil {
		return usageErrorf("--%s needs a value", match[1])
	}
	if match := invalidValueText.FindStringSubmatch(text); match != nil {
		value := match[1]
		name := match[2]
		return usageErrorf("--%s %s: want %s", name, value, describeFlagValues(lookupFlag(c.Command.Flags, name)))
	}
	return usageError{err}
}

// unknownFlagError returns the error for a name that none of the command's flags has. It suggests the intended flag or, if
// no flag is near, shows the command's usage, since the user may need an argument.
func unknownFlagError(name string, command *cli.Command) error {
	if meant := suggestFlag(name, command.VisibleFlags()); meant != "" {
		return usageErrorf("unknown flag --%s; did you mean %s?", name, meant)
	}
	return usageErrorf("unknown flag --%s; usage: %s", name, command.UsageText)
}

// otherNames are flags of this program by names that other programs have for them.
var otherNames = map[string][]string{
	"input": {"in", "data"}, "file": {"in", "data"}, "data": {"in"}, "in": {"data"}, "train": {"data"},
	"na-values": {"na"}, "nan": {"na"}, "null": {"na"}, "missing-values": {"na"}, "test-size": {"test-fraction"}, "early-stop": {"patience"},
	"output": {"out"}, "output-dir": {"out"}, "save": {"out"}, "model": {"init-from"},
	"learning-rate": {"lr"}, "batch-size": {"batch"}, "hidden-layers": {"hidden"}, "layers": {"hidden"}, "units": {"width"},
	"label": {"target"}, "y": {"target"}, "exclude": {"drop"}, "ignore": {"drop"}, "id": {"keep"},
	"confidence": {"coverage"}, "alpha": {"coverage"}, "level": {"coverage"}, "metric": {"measures", "measure"}, "metrics": {"measures"},
	"ensemble": {"members"}, "early-stopping": {"patience"}, "threads": {"jobs"}, "verbose": {"quiet"}, "overwrite": {"force"},
}

// suggestFlag returns the flag that is meant by a name that no flag has: by its name in other programs, or with a similar
// name. It returns "" if none is near.
func suggestFlag(name string, flags []cli.Flag) string {
	for _, meant := range otherNames[name] {
		if lookupFlag(flags, meant) != nil {
			return "--" + meant
		}
	}
	const hideHelp = true // --help is suggested only if it is one of flags
	nearest := cli.SuggestFlag(flags, name, hideHelp)
	const fewestLetters = 3
	other := strings.TrimLeft(nearest, "-")
	isNear := len(name) >= fewestLetters && (strings.HasPrefix(other, name[:fewestLetters]) || isTypo(name, other))
	if !isNear {
		return ""
	}
	return nearest
}

// isTypo reports whether two words differ by a missing letter, a wrong letter or two swapped letters.
func isTypo(x, y string) bool {
	for x != "" && y != "" && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for x != "" && y != "" && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	isOneLetter := len(x) <= 1 && len(y) <= 1
	isSwap := len(x) == 2 && len(y) == 2 && x[0] == y[1] && x[1] == y[0]
	return isOneLetter || isSwap
}

// describeFlagValues describes the values that a flag takes.
func describeFlagValues(f cli.Flag) string {
	switch f.(type) {
	case *cli.IntFlag:
		return "a whole number"
	case *cli.Uint64Flag:
		return "a whole number from 0 to 18446744073709551615"
	case *cli.Float64Flag:
		return "a number"
	case *cli.DurationFlag:
		return "a duration such as 90s, 10m or 1h30m"
	case *cli.BoolFlag:
		return "true or false"
	}
	return "another value"
}

// helpAction is the action of the program, and of commands that only have subcommands. It shows
// help if no argument follows. An argument that follows names no subcommand, since the subcommand
// would have run: helpAction returns an error that lists the subcommands.
func helpAction(c *cli.Context) error {
	if !c.Args().Present() {
		if c.Command.Name == c.App.Name {
			return cli.ShowAppHelp(c)
		}
		return cli.ShowSubcommandHelp(c)
	}
	var known []string
	for _, command := range c.Command.Subcommands {
		known = append(known, command.Name)
	}
	return usageErrorf("unknown command %q; want one of %s", c.Args().First(), strings.Join(known, ", "))
}

// argumentAction returns the action of a command with one positional argument, which it passes to
// run. It returns a usage error for any other number of arguments. name describes the argument in
// errors.
func argumentAction(name string, run func(c *cli.Context, argument string) error) cli.ActionFunc {
	return argumentsAction([]string{name}, func(c *cli.Context, arguments []string) error { return run(c, arguments[0]) })
}

// argumentsAction returns the action of a command with a positional argument for each of names, which describe the
// arguments in errors. It passes the arguments to run, and returns a usage error for any other number of them.
func argumentsAction(names []string, run func(c *cli.Context, arguments []string) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		if c.Args().Len() > len(names) {
			return usageErrorf("unexpected argument %q", c.Args().Get(len(names)))
		}
		if n := c.Args().Len(); n < len(names) {
			return usageErrorf("%s is missing", names[n])
		}
		arguments, err := argumentPaths(c, names...)
		if err != nil {
			return err
		}
		return run(c, arguments)
	}
}

// fileArgumentAction returns the action of a command whose last positional argument, behind those with the given names,
// may stand for the flag that names a file. It returns a usage error if the file is named twice.
func fileArgumentAction(flag string, names []string, run func(c *cli.Context, arguments []string) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		files := c.Args().Len() - len(names)
		switch {
		case files > 1:
			return usageErrorf("unexpected argument %q", c.Args().Get(len(names)+1))
		case files < 1:
			return argumentsAction(names, run)(c)
		}
		file := c.Args().Get(len(names))
		if c.IsSet(flag) {
			return usageErrorf("unexpected argument %q: --%s names the file %s already", file, flag, c.String(flag))
		}
		if err := c.Set(flag, file); err != nil {
			return err
		}
		arguments, err := argumentPaths(c, append(names, "the file")...)
		if err != nil {
			return err
		}
		return run(c, arguments[:len(names)])
	}
}

// modelFileAction returns the action of a command with a model's directory, which it passes to run, and perhaps a file, which
// may stand for a flag.
func modelFileAction(flag string, run func(c *cli.Context, dir string) error) cli.ActionFunc {
	return fileArgumentAction(flag, []string{modelArgument}, func(c *cli.Context, arguments []string) error { return run(c, arguments[0]) })
}

// modelArgument describes the directory of a model in errors.
const modelArgument = "the model's directory"

// argumentPaths returns the positional arguments as paths. It returns an error for an empty argument.
// names describe the arguments in errors; the last name stands for all further arguments.
func argumentPaths(c *cli.Context, names ...string) ([]string, error) {
	var paths []string
	for i, argument := range c.Args().Slice() {
		if argument == "" {
			return nil, usageErrorf("%s is empty", names[min(i, len(names)-1)])
		}
		paths = append(paths, safefile.ResolveDotDot(argument))
	}
	return paths, nil
}
