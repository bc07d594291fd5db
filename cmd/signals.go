package cmd

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// insistence is how long after a first signal a second one is taken for a
// wish to end at once. What comes sooner is the same wish said twice: timeout(1)
// signals a program and its group, a shell whose terminal closes its jobs once
// more.
const insistence = 200 * time.Millisecond

// Main runs the program with the arguments, streams and signals of the
// process and returns its exit code. The first signal has a command end in
// order, as does a terminal that goes away; a second Ctrl-C or SIGTERM ends the
// program at once. Writing to a stream that nobody reads any more is an error, not
// a signal that kills the process: a training goes on and is saved.
func Main() int {
	signal.Ignore(writeSignals...)
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signal.Notify(signals, syscall.SIGHUP)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	code := make(chan int, 1)
	out, errOut := &stream{ctx: ctx, file: os.Stdout}, &stream{ctx: ctx, file: os.Stderr}
	go func() { code <- Run(ctx, os.Args, os.Stdin, out, errOut) }()
	var first time.Time
	for {
		select {
		case c := <-code:
			return c
		case s := <-signals:
			switch {
			case first.IsZero():
				first = time.Now()
				cancel()
			case s != syscall.SIGHUP && time.Since(first) > insistence:
				fmt.Fprintln(errOut, "sml: interrupted twice: ended at once")
				return exitInterrupted
			}
		}
	}
}
