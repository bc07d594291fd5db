package cmd

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
)

// jsonFlag returns the flag --json. printResult reads it.
func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print the result as JSON"}
}

// quietFlag returns the flag --quiet. newProgress and announce read it.
func quietFlag() cli.Flag {
	return &cli.BoolFlag{Name: "quiet", Usage: "do not report progress"}
}

// printResult prints the result of a command: as JSON with --json, otherwise as text. The writer of text keeps its first
// error, which ends the program, so that text need not look at errors.
func printResult(c *cli.Context, result any, text func(w io.Writer)) error {
	if !c.Bool("json") {
		text(c.App.Writer)
		return nil
	}
	e := json.NewEncoder(c.App.Writer)
	e.SetIndent("", "  ")
	return e.Encode(result)
}

// note prints a message to standard error.
func note(c *cli.Context, format string, args ...any) {
	fmt.Fprintf(c.App.ErrWriter, "sml: "+format+"\n", args...)
}

// warn prints warnings to standard error.
func warn(c *cli.Context, warnings ...string) {
	for _, w := range warnings {
		note(c, "warning: %s", w)
	}
}

// newProgress returns the progress of an action on standard error, hidden by --quiet.
func newProgress(c *cli.Context, action string) *terminal.Progress {
	return terminal.NewProgress(c.App.ErrWriter, action, c.Bool("quiet"))
}

// awaitWithProgress returns the results of run, as await does, and shows the progress that run reports.
func awaitWithProgress[T any](c *cli.Context, action string, run func(progress func(done, total int)) (T, error)) (T, error) {
	view := newProgress(c, action)
	defer view.End()
	progress := func(done, total int) { view.At(done, total, "") }
	return await(c.Context, func() (T, error) { return run(progress) })
}

// samplingAction names the predictions by sub-networks in their progress.
const samplingAction = "sampling sub-networks"

// showBytes shows how many bytes are transferred: relative to the size if it is more than 0, and otherwise in MiB.
func showBytes(view *terminal.Progress, done, size int64) {
	const kib = 1 << 10 // bytes
	const mib = 1 << 20 // bytes
	if size > 0 {
		view.At(int(done/kib), int(size/kib), "") // in bytes, an int of 32 bits would overflow
	} else {
		view.Count(int(done/mib), "MiB")
	}
}

// announce prints the action if it takes longer than a few seconds until stop is called.
func announce(c *cli.Context, action string) (stop func()) {
	return terminal.Announce(c.App.ErrWriter, action, c.Bool("quiet"))
}

// mustJSON encodes a value as JSON. It panics if the value has no JSON form.
func mustJSON(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}
