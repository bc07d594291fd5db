package terminal

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

const (
	silence  = 2 * time.Second // duration of an action before its progress is shown
	interval = 2 * silence     // minimum time between two lines on a stream other than a terminal
)

// Announce prints an action if it takes longer than a few seconds before
// stop is called. It prints nothing if quiet.
func Announce(out io.Writer, action string, quiet bool) (stop func()) {
	if quiet {
		return func() {}
	}
	printed := make(chan struct{})
	timer := time.AfterFunc(silence, func() {
		fmt.Fprintf(out, "%s …\n", action)
		close(printed)
	})
	return sync.OnceFunc(func() {
		if !timer.Stop() { // the action is being printed: let it end before what follows
			<-printed
		}
	})
}

// Progress shows how far an action is: a bar on a terminal, a line now and then elsewhere.
type Progress struct {
	StepsBefore int // steps done before a resumed action was interrupted

	out     io.Writer
	screen  io.Writer // the terminal that out writes to; nil if there is none
	action  string
	started time.Time
	printed time.Time                // time of the last line
	bar     *progressbar.ProgressBar // nil until it is drawn for the first time
}

// NewProgress returns the progress of an action. It prints nothing if quiet.
func NewProgress(out io.Writer, action string, quiet bool) *Progress {
	if quiet {
		out = io.Discard
	}
	now := time.Now()
	p := &Progress{out: out, action: action, started: now, printed: now}
	if escaped, ok := out.(printable); ok && IsTerminal(escaped) {
		p.screen = escaped.out // a bar is drawn with control characters
	}
	return p
}

// At shows that an action has done a number of its total steps. note describes its present state; it is
// appended to the action, so that it begins with a comma or is "". Nothing is shown in the first seconds.
func (p *Progress) At(done, total int, note string) {
	if total < 1 || time.Since(p.started) < silence {
		return
	}
	if p.screen != nil {
		p.drawBar(total, p.action+note)
		p.bar.Set(done)
		return
	}
	if time.Since(p.printed) < interval && done < total {
		return
	}
	p.printed = time.Now()
	line := fmt.Sprintf("%s%s: %d%%", p.action, note, 100*done/total)
	stepsSinceStart := done - p.StepsBefore // steps before a resumed action was interrupted took none of this time
	if stepsSinceStart > 0 {
		// The remaining steps are expected to take as long as the steps since the start.
		spent := float64(time.Since(p.started))
		remaining := time.Duration(spent * float64(total-done) / float64(stepsSinceStart))
		line += fmt.Sprintf(", %v left", remaining.Round(time.Second))
	}
	fmt.Fprintln(p.out, line)
}

// Count shows the number of units done of an unknown total.
func (p *Progress) Count(done int, unit string) {
	spent := time.Since(p.started)
	if spent < silence {
		return
	}
	line := fmt.Sprintf("%s: %d %s, %.0f a second", p.action, done, unit, float64(done)/spent.Seconds())
	if p.screen != nil {
		const unknownTotal = -1
		p.drawBar(unknownTotal, line)
		p.bar.Add(0) // redraws the bar, whose description has the number
		return
	}
	if time.Since(p.printed) >= interval {
		p.printed = time.Now()
		fmt.Fprintln(p.out, line)
	}
}

// drawBar draws the bar with a description, and creates it at the first call. A total of -1 means
// that the total is unknown.
func (p *Progress) drawBar(total int, description string) {
	const (
		barWidth       = 30 // characters; leaves room for the description on a line of 80
		redrawInterval = 100 * time.Millisecond
	)
	if p.bar == nil {
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(p.screen),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSetWidth(barWidth),
			progressbar.OptionThrottle(redrawInterval),
			progressbar.OptionSetElapsedTime(false),
		)
	}
	p.bar.Describe(EscapeControls(description))
}

// End removes the bar.
func (p *Progress) End() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
