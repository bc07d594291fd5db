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

// runProcess runs the program with the given commands in place of allCommands; otherwise it is Main.
func runProcess(commands []*cli.Command) int {
	terminal.IgnoreWriteSignals()
	ctx, interrupt := context.WithCancel(context.Background())
	defer interrupt()
	call := call{
		commands: commands,
		args:     os.Args,
		in:       os.Stdin,
		out:      terminal.NewStream(ctx, os.Stdout),
		errOut:   terminal.NewStream(ctx, os.Stderr),
	}
	signals := notifySignals()
	exitCode := make(chan int, 1) // buffered, so that call.run can return after a second signal
	go func() { exitCode <- call.run(ctx) }()
	return awaitEnd(exitCode, signals, interrupt, call.errOut)
}

// notifySignals returns a channel that receives the signals to end the program.
func notifySignals() <-chan os.Signal {
	signals := make(chan os.Signal, 8) // room for a few: signals that find no room are lost
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it, and Notify would undo that
		signal.Notify(signals, syscall.SIGHUP)
	}
	return signals
}

// awaitEnd waits for the exit code of the program and returns it. The first signal calls interrupt, which asks the
// running command to end in order. A second signal ends the waiting at once, unless it repeats the first.
func awaitEnd(exitCode <-chan int, signals <-chan os.Signal, interrupt func(), errOut io.Writer) int {
	var firstSignal time.Time // zero until a signal arrives
	for {
		select {
		case code := <-exitCode:
			return code
		case s := <-signals:
			if firstSignal.IsZero() {
				firstSignal = time.Now()
				interrupt()
				continue
			}
			isRepeated := time.Since(firstSignal) <= repeatTime
			isHangUp := s == syscall.SIGHUP // a closed terminal asks for nothing that the first signal did not
			if !isHangUp && !isRepeated {
				fmt.Fprintln(errOut, "sml: interrupted twice: ended at once")
				return exitInterrupted
			}
		}
	}
}

// allCommands returns the commands of the program, which download data sets with f.
func allCommands(f fetch.Fetcher) []*cli.Command {
	return []*cli.Command{
		trainCommand(), evaluateCommand(), compareCommand(), calibrateCommand(), posthocCommand(), predictCommand(), plotCommand(), explainCommand(), exportCommand(),
		runsCommand(), studyCommand(), tuneCommand(), dataCommand(f),
		methodsCommand(), networksCommand(), measuresCommand(), checkCommand(), graphCommand(), newCommand(), quickstartCommand(),
	}
}

// Run runs the program with the given arguments (the first is its name) and streams and returns
// its exit code. The end of ctx interrupts the command. If the reader of out goes away, the
// command ends without a message and with the code for success. Control characters, for example
// in the names of files, are escaped on errOut, and on out if it is a terminal.
func Run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	call := call{
		commands: allCommands(fetch.Fetcher{}),
		args:     args,
		in:       in,
		out:      out,
		errOut:   errOut,
	}
	return call.run(ctx)
}

// call is one call of the program.
type call struct {
	commands []*cli.Command
	args     []string // the first is the program's name
	in       io.Reader
	out      io.Writer // results
	errOut   io.Writer // errors, warnings and progress
}

// run runs the command that the arguments name, prints its error, and returns the exit code, as Run describes.
func (p call) run(ctx context.Context) int {
	app := newApp(p.commands)
	out := p.out
	if terminal.IsTerminal(out) {
		out = terminal.Printable(out)
	}
	results := terminal.NewOutput(out)
	app.Reader = p.in
	app.Writer = results
	app.ErrWriter = terminal.Printable(p.errOut)
	ordered, err := reorderArguments(app, p.args)
	if err == nil {
		err = app.RunContext(ctx, ordered)
	}
	err = cmp.Or(err, results.Err()) // commands may ignore errors of printing: results keeps the first
	if err == nil || errors.Is(err, terminal.ErrReaderGone) {
		return exitDone
	}
	wasInterrupted := ctx.Err() != nil || errors.Is(err, context.Canceled)
	if wasInterrupted && !errors.Is(err, errInterrupted) {
		err = interruption(err) // a command whose own error says how to go on keeps it
	}
	fmt.Fprintln(app.ErrWriter, "sml:", err)
	code := errorExitCode(err)
	if code == exitUsage {
		fmt.Fprintf(app.ErrWriter, "See %q.\n", helpCall(app, p.args))
	}
	return code
}

// helpCall returns the command line that prints the help of the command in args, such as
// "sml data list --help".
func helpCall(app *cli.App, args []string) string {
	commandWords, _ := findCommand(app, args)
	words := slices.Concat([]string{"sml"}, args[1:1+commandWords], []string{"--help"})
	return strings.Join(words, " ")
}

// errorExitCode returns the exit code of a command that ended with an error. An interruption is tested first, as its
// error may wrap others.
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
