package cmd

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
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

// progress tells how far an action is: a bar on a terminal, a line now and
// then elsewhere.
type progress struct {
	out     io.Writer
	screen  io.Writer // the terminal that out writes to, if it does
	what    string
	started time.Time
	said    time.Time
	before  int // steps done earlier, by the action that is resumed
	bar     *progressbar.ProgressBar
}

// newProgress starts to tell about what, to nobody if quiet.
func newProgress(out io.Writer, what string, quiet bool) *progress {
	if quiet {
		out = io.Discard
	}
	now := time.Now()
	p := &progress{out: out, what: what, started: now, said: now}
	if escaped, ok := out.(*printable); ok && isTerminal(escaped.out) {
		p.screen = escaped.out // a bar is drawn with control characters
	}
	return p
}

// at reports done of total steps; note is a few words on the present state.
func (p *progress) at(done, total int, note string) {
	if total < 1 || time.Since(p.started) < quietFor {
		return
	}
	if p.screen != nil {
		if p.bar == nil {
			p.bar = progressbar.NewOptions(total,
				progressbar.OptionSetWriter(p.screen), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(),
				progressbar.OptionSetWidth(30), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetElapsedTime(false))
		}
		p.bar.Describe(escapeControls(p.what + note))
		p.bar.Set(done)
		return
	}
	if time.Since(p.said) < 2*quietFor && done < total {
		return
	}
	p.said = time.Now()
	spent := time.Since(p.started)
	line := fmt.Sprintf("%s%s: %d%%", p.what, note, 100*done/total)
	if now := done - p.before; now > 0 {
		left := time.Duration(float64(spent) * float64(total-done) / float64(now))
		line += fmt.Sprintf(", %v left", left.Round(time.Second))
	}
	fmt.Fprintln(p.out, line)
}

// count reports how many of something are done, where nobody knows of how many.
func (p *progress) count(done int, of string) {
	spent := time.Since(p.started)
	if spent < quietFor {
		return
	}
	line := fmt.Sprintf("%s: %d %s, %.0f a second", p.what, done, of, float64(done)/spent.Seconds())
	if p.screen != nil {
		if p.bar == nil {
			p.bar = progressbar.NewOptions(-1, progressbar.OptionSetWriter(p.screen), progressbar.OptionClearOnFinish(),
				progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetElapsedTime(false))
		}
		p.bar.Describe(escapeControls(line))
		p.bar.Add(0)
		return
	}
	if time.Since(p.said) >= 2*quietFor {
		p.said = time.Now()
		fmt.Fprintln(p.out, line)
	}
}

// end removes the bar.
func (p *progress) end() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
