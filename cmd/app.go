package cmd

import (
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/internal/safefile"
)

// newApp returns the program with the given commands.
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
		ExitErrHandler: func(*cli.Context, error) {},
	}
	prepareCommands(app.Commands, app.Name)
	return app
}

// prepareCommands lets commands and their subcommands answer mistakes as the program does, and
// adds missing usage lines.
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
		if c.Action == nil {
			c.Action = helpAction
		}
		prepareCommands(c.Subcommands, name)
	}
}

// Errors of package flag. Their submatches are the flag's name, or its value in quotes and its name.
var (
	unknownFlag  = regexp.MustCompile(`^flag provided but not defined: -(.+)$`)
	missingValue = regexp.MustCompile(`^flag needs an argument: -(.+)$`)
	invalidValue = regexp.MustCompile(`(?s)^invalid (?:boolean )?value (".*") for (?:flag )?-([^ ]+): `)
)

// rewriteFlagError rewrites an error of package flag, so that it lists the known flags, or describes
// the values that a flag takes.
func rewriteFlagError(c *cli.Context, err error, _ bool) error {
	if found := unknownFlag.FindStringSubmatch(err.Error()); found != nil {
		flags := c.Command.VisibleFlags()
		var known []string
		for _, f := range flags {
			known = append(known, "--"+f.Names()[0])
		}
		hint := ""
		if nearest := cli.SuggestFlag(flags, found[1], true); nearest != "" {
			hint = "did you mean " + nearest + "? "
		}
		return usageErrorf("unknown flag --%s; %swant one of %s", found[1], hint, strings.Join(known, ", "))
	}
	if found := missingValue.FindStringSubmatch(err.Error()); found != nil {
		return usageErrorf("--%s needs a value", found[1])
	}
	if found := invalidValue.FindStringSubmatch(err.Error()); found != nil {
		return usageErrorf("--%s %s: want %s", found[2], found[1], flagValues(lookupFlag(c.Command.Flags, found[2])))
	}
	return usageError{err}
}

// flagValues describes the values that a flag takes.
func flagValues(f cli.Flag) string {
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

// helpAction shows help if a call has no command, and returns an error with the known commands if
// its command is unknown.
func helpAction(c *cli.Context) error {
	switch {
	case !c.Args().Present() && c.Command.Name == c.App.Name:
		return cli.ShowAppHelp(c)
	case !c.Args().Present():
		return cli.ShowSubcommandHelp(c)
	}
	var known []string
	for _, command := range c.Command.Subcommands {
		known = append(known, command.Name)
	}
	return usageErrorf("unknown command %q; want one of %s", c.Args().First(), strings.Join(known, ", "))
}

// argumentAction returns the action of a command with one positional argument. name describes the
// argument in errors.
func argumentAction(name string, run func(c *cli.Context, argument string) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		args, err := exactArguments(c, name)
		if err != nil {
			return err
		}
		return run(c, args[0])
	}
}

// noArgumentAction returns the action of a command without positional arguments.
func noArgumentAction(run cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		if _, err := exactArguments(c); err != nil {
			return err
		}
		return run(c)
	}
}

// exactArguments returns the positional arguments. It returns an error unless there is one for each
// name.
func exactArguments(c *cli.Context, names ...string) ([]string, error) {
	if c.Args().Len() > len(names) {
		return nil, usageErrorf("unexpected argument %q", c.Args().Get(len(names)))
	}
	if n := c.Args().Len(); n < len(names) {
		return nil, usageErrorf("%s is missing", names[n])
	}
	return argumentPaths(c, names...)
}

// argumentPaths returns the positional arguments as paths. It returns an error for an empty argument.
// names describe the arguments in errors; the last name stands for all further arguments.
func argumentPaths(c *cli.Context, names ...string) ([]string, error) {
	given := c.Args().Slice()
	for i, path := range given {
		if path == "" {
			return nil, usageErrorf("%s is empty", names[min(i, len(names)-1)])
		}
		given[i] = safefile.ResolveDotDot(path)
	}
	return given, nil
}
