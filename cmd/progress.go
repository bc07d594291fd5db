package cmd

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/urfave/cli/v2"
)

// quietFor is how long an action may take without saying anything; a line is
// also what comes at most that often times two on a stream that is no terminal.
const quietFor = 2 * time.Second

// meanwhile says what an action is at if it lasts longer than quietFor before
// stop, such as reading a large table.
func meanwhile(c *cli.Context, what string) (stop func()) {
	if c.Bool("quiet") {
		return func() {}
	}
	said := make(chan struct{})
	timer := time.AfterFunc(quietFor, func() {
		fmt.Fprintf(c.App.ErrWriter, "%s …\n", what)
		close(said)
	})
	return sync.OnceFunc(func() {
		if !timer.Stop() {
			<-said
		}
	})
}

// progress tells how far an action is: on a line of its own on a terminal, a line
// now and then elsewhere. A nil progress says nothing.
type progress struct {
	out     io.Writer
	screen  io.Writer // the terminal that out writes to, if it does
	what    string
	started time.Time
	said    time.Time
	before  int // steps done earlier, by the action that is resumed
	width   int // of what stands on the terminal
}

// newProgress starts to tell about what, unless quiet.
func newProgress(out io.Writer, what string, quiet bool) *progress {
	if quiet {
		return nil
	}
	now := time.Now()
	p := &progress{out: out, what: what, started: now, said: now}
	if escaped, ok := out.(*printable); ok && isTerminal(escaped.out) {
		p.screen = escaped.out // its line is drawn with control characters
	}
	return p
}

// resume says that so many more steps were done earlier.
func (p *progress) resume(done int) {
	if p != nil {
		p.before += done
	}
}

// at reports done of total steps; note is a few words on the present state.
func (p *progress) at(done, total int, note string) {
	if p == nil || total < 1 || time.Since(p.started) < quietFor {
		return
	}
	every := 2 * quietFor
	if p.screen != nil {
		every = 100 * time.Millisecond
	}
	if time.Since(p.said) < every && done < total {
		return
	}
	p.said = time.Now()
	share := fmt.Sprintf("%d%%", 100*done/total)
	if now := done - p.before; now > 0 {
		left := time.Duration(float64(time.Since(p.started)) * float64(total-done) / float64(now))
		share += fmt.Sprintf(", %v left", left.Round(time.Second))
	}
	if p.screen == nil {
		fmt.Fprintf(p.out, "%s%s: %s\n", p.what, note, share)
		return
	}
	const parts = 20
	bar := strings.Repeat("█", parts*done/total) + strings.Repeat("░", parts-parts*done/total)
	p.width = terminalWidth(p.screen) - 1 // the cursor stands behind it
	fmt.Fprint(p.screen, "\r", text.Pad(text.Trim(bar+" "+share+" "+escapeControls(p.what+note), p.width), p.width, ' '))
}

// end removes the line.
func (p *progress) end() {
	if p != nil && p.width > 0 {
		fmt.Fprint(p.screen, "\r", strings.Repeat(" ", p.width), "\r")
		p.width = 0
	}
}
