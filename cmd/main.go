// Package cmd is the sml program, one file for each command, and listings.go for
// those that list what is registered. It is a package of its own so that a
// program with further methods is one line long: register them, then call Main.
package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/internal/safefile"
)

// Exit codes of the program.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitCellsFailed = 3
	exitInterrupted = 130
)

// errInterrupted is the error of a command that a signal ended.
var errInterrupted = errors.New("interrupted")

// errReaderGone is the error of a write to standard output whose reader has
// closed it, as head does when it has its lines.
var errReaderGone = errors.New("the reader of standard output is gone")

// usageError is a mistake in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Run runs the program with the given arguments (the first is its name) and
// streams and returns its exit code. A ctx that ends interrupts the command.
// A command that only fails to write to out because nobody reads it any more
// ends without a message and with the code for success.
// Control characters, such as those of file names, are not printed as they are
// where people read: on errOut, and on out if it is a terminal.
func Run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	app := newApp()
	if isTerminal(out) {
		out = &printable{out: out}
	}
	errOut = &printable{out: errOut}
	results := &resultWriter{out: out}
	app.Reader, app.Writer, app.ErrWriter = in, results, errOut
	permuted, err := permute(app, args)
	if err == nil {
		err = app.RunContext(ctx, permuted)
	}
	err = cmp.Or(err, results.err)
	if errors.Is(err, errReaderGone) {
		return exitDone
	}
	if errors.Is(err, context.Canceled) && !errors.Is(err, errInterrupted) {
		err = errInterrupted
	}
	if err == nil {
		return exitDone
	}
	fmt.Fprintln(errOut, "sml:", err)
	var mistake usageError
	switch {
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case errors.As(err, &mistake):
		words, _, _ := commandOf(app, args)
		fmt.Fprintf(errOut, "See %q.\n", strings.Join(slices.Concat([]string{"sml"}, args[1:1+words], []string{"--help"}), " "))
		return exitUsage
	case errors.Is(err, errCellsFailed):
		return exitCellsFailed
	}
	return exitFailed
}

// resultWriter is the standard output of every command. It keeps its first error,
// so that a command which ignores the errors of its writes still fails when its
// result could not be written.
type resultWriter struct {
	out io.Writer
	err error // first error; errReaderGone if the reader closed out
}

func (w *resultWriter) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.out.Write(p)
	if isBrokenPipe(err) {
		err = errReaderGone
	}
	w.err = err
	return n, err
}

// isBrokenPipe reports whether err is the error of a write to a pipe that nobody
// reads any more.
func isBrokenPipe(err error) bool {
	for _, code := range brokenPipeCodes {
		if errors.Is(err, code) {
			return true
		}
	}
	return false
}

func newApp() *cli.App {
	app := &cli.App{
		Name:                   "sml",
		Usage:                  "train regression networks that predict a mean and its uncertainty",
		UsageText:              "sml COMMAND [options]",
		Version:                version().SML,
		HideHelpCommand:        true,
		UseShortOptionHandling: true,
		EnableBashCompletion:   true,

		DisableSliceFlagSeparator: true, // a column's name may have a comma
		Commands: []*cli.Command{
			trainCommand(), evaluateCommand(), calibrateCommand(), predictCommand(), plotCommand(), explainCommand(), exportCommand(), historyCommand(), runsCommand(), studyCommand(), tuneCommand(), dataCommand(), methodsCommand(), networksCommand(), measuresCommand(), checkCommand(), graphCommand(), quickstartCommand(),
		},
		Action:         noCommand,
		OnUsageError:   flagMistake,
		ExitErrHandler: func(*cli.Context, error) {},
	}
	prepareCommands(app.Commands, app.Name)
	return app
}

// prepareCommands gives the subcommands of parent, and theirs, the program's
// treatment of mistakes, and a usage line if they have none of their own.
func prepareCommands(commands []*cli.Command, parent string) {
	for _, c := range commands {
		name := parent + " " + c.Name
		if c.UsageText == "" && len(c.Subcommands) > 0 {
			c.UsageText = name + " COMMAND [options]"
		} else if c.UsageText == "" {
			c.UsageText = name + " [options]"
		}
		c.HideHelpCommand = true
		c.OnUsageError = flagMistake
		for _, f := range c.Flags {
			if f, ok := f.(*cli.BoolFlag); ok {
				f.DisableDefaultText = true
			}
		}
		if c.Action == nil {
			c.Action = noCommand
		}
		prepareCommands(c.Subcommands, name)
	}
}

// Errors of package flag: the flag's name, or its value in quotes and its name.
var (
	unknownFlag  = regexp.MustCompile(`^flag provided but not defined: -(.+)$`)
	missingValue = regexp.MustCompile(`^flag needs an argument: -(.+)$`)
	invalidValue = regexp.MustCompile(`(?s)^invalid (?:boolean )?value (".*") for (?:flag )?-([^ ]+): `)
)

// flagMistake rewrites an error of package flag in the words of this program: it
// names the flags that there are, or the values that a flag takes.
func flagMistake(c *cli.Context, err error, _ bool) error {
	if found := unknownFlag.FindStringSubmatch(err.Error()); found != nil {
		var known []string
		for _, f := range c.Command.VisibleFlags() {
			known = append(known, "--"+f.Names()[0])
		}
		return usage("unknown flag --%s: there is %s", found[1], strings.Join(known, ", "))
	}
	if found := missingValue.FindStringSubmatch(err.Error()); found != nil {
		return usage("--%s needs a value", found[1])
	}
	if found := invalidValue.FindStringSubmatch(err.Error()); found != nil {
		return usage("--%s %s: want %s", found[2], found[1], flagValues(flagOf(c.Command.Flags, found[2])))
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

// noCommand answers a call without a command by help, and one with an unknown
// command by the known ones.
func noCommand(c *cli.Context) error {
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
	return usage("unknown command %q: there is %s", c.Args().First(), strings.Join(known, ", "))
}

// on is the action of a command on one thing, which the error calls what if it is
// missing.
func on(what string, run func(c *cli.Context, name string) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		args, err := arguments(c, what)
		if err != nil {
			return err
		}
		return run(c, args[0])
	}
}

// arguments returns the positional arguments, which must be as many as there
// are names.
func arguments(c *cli.Context, names ...string) ([]string, error) {
	given := c.Args().Slice()
	if len(given) < len(names) {
		return nil, usage("%s is missing", names[len(given)])
	}
	if len(given) > len(names) {
		return nil, usage("unexpected argument %q", given[len(names)])
	}
	for i, path := range given {
		if path == "" {
			return nil, usage("%s is empty", names[i])
		}
		given[i] = safefile.Path(path)
	}
	return given, nil
}
