// Package cmd is the sml program: it reads flags, calls the libraries and prints their results. A program
// with further methods, data sets or measures registers them and calls Main. Each command has a file with
// its name, such as train.go; start with allCommands. The package does not compute: packages trainers and
// evaluation do.
package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/data/fetch"
)

// Exit codes of the program.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2   // a mistake in the command line
	exitCellsFailed = 3   // a study ran, and some of its cells failed
	exitInterrupted = 130 // 128 + SIGINT, as shells have it
)

// repeatTime is how long after a first signal a second signal counts as the same request:
// timeout(1) signals a program and then its group, and a shell signals its jobs once more when
// its terminal closes.
const repeatTime = 200 * time.Millisecond

// Main runs the program with the arguments, streams and signals of the process and returns
// its exit code. The first signal, or a terminal that goes away, ends a command in order; a
// second Ctrl-C or SIGTERM ends the program at once. A write to a stream that nobody reads
// any more is an error and does not end the process, so that a training is still saved.
func Main() int { return runProcess(allCommands(fetch.Fetcher{})) }

// runProcess is Main with these commands.
func runProcess(commands []*cli.Command) int {
	terminal.IgnoreWriteSignals()
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		signal.Notify(signals, syscall.SIGHUP)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out := terminal.NewStream(ctx, os.Stdout)
	errOut := terminal.NewStream(ctx, os.Stderr)
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, commands, os.Args, os.Stdin, out, errOut) }()
	var firstSignal time.Time
	for {
		select {
		case code := <-ended:
			return code
		case s := <-signals:
			if firstSignal.IsZero() {
				firstSignal = time.Now()
				cancel() // the command ends in order, and run returns
				continue
			}
			isRepeated := time.Since(firstSignal) <= repeatTime
			if s != syscall.SIGHUP && !isRepeated {
				fmt.Fprintln(errOut, "sml: interrupted twice: ended at once")
				return exitInterrupted
			}
		}
	}
}

// allCommands returns the commands of the program, which download data sets with f.
func allCommands(f fetch.Fetcher) []*cli.Command {
	return []*cli.Command{
		trainCommand(), evaluateCommand(), calibrateCommand(), predictCommand(), plotCommand(), explainCommand(), exportCommand(),
		historyCommand(), runsCommand(), studyCommand(), tuneCommand(), dataCommand(f),
		methodsCommand(), networksCommand(), measuresCommand(), checkCommand(), graphCommand(), newCommand(), quickstartCommand(),
	}
}

// Run runs the program with the given arguments (the first is its name) and streams and returns
// its exit code. The end of ctx interrupts the command. If the reader of out goes away, the
// command ends without a message and with the code for success. Control characters, for example
// in the names of files, are escaped on errOut, and on out if it is a terminal.
func Run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	return run(ctx, allCommands(fetch.Fetcher{}), args, in, out, errOut)
}

// run is Run with these commands.
func run(ctx context.Context, commands []*cli.Command, args []string, in io.Reader, out, errOut io.Writer) int {
	app := newApp(commands)
	if terminal.IsTerminal(out) {
		out = terminal.Printable(out)
	}
	results := terminal.NewOutput(out)
	app.Reader = in
	app.Writer = results
	app.ErrWriter = terminal.Printable(errOut)
	ordered, err := reorderArguments(app, args)
	if err == nil {
		err = app.RunContext(ctx, ordered)
	}
	err = cmp.Or(err, results.Err()) // commands may ignore errors of printing: results keeps the first
	if err == nil || errors.Is(err, terminal.ErrReaderGone) {
		return exitDone
	}
	if !errors.Is(err, errInterrupted) && (ctx.Err() != nil || errors.Is(err, context.Canceled)) {
		err = interruption(err)
	}
	fmt.Fprintln(app.ErrWriter, "sml:", err)
	code := errorExitCode(err)
	if code == exitUsage {
		words, _, _ := findCommand(app, args)
		help := slices.Concat([]string{"sml"}, args[1:1+words], []string{"--help"})
		fmt.Fprintf(app.ErrWriter, "See %q.\n", strings.Join(help, " "))
	}
	return code
}

// errorExitCode returns the exit code of a command that ended with an error.
func errorExitCode(err error) int {
	var usage usageError
	switch {
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, errCellsFailed):
		return exitCellsFailed
	}
	return exitFailed
}
