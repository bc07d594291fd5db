package cluster

import (
	"fmt"
	"strings"
)

// State counts the tasks of a submission.
type State struct {
	Pending   int    `json:"pending"`
	Running   int    `json:"running"`
	Done      int    `json:"done"`
	Failed    int    `json:"failed"`
	Cancelled int    `json:"cancelled"`
	Forgotten int    `json:"forgotten"`        // ended; the scheduler no longer knows how
	Report    string `json:"report,omitempty"` // state of the job that reports: one of the words above, "" if there is none
}

// States of a task or job.
const (
	pending   = "pending"
	running   = "running"
	done      = "done"
	failed    = "failed"
	cancelled = "cancelled"
	forgotten = "forgotten"
)

// isLive reports whether a task, or the job that reports, has not ended.
func (s State) isLive() bool {
	return s.Pending+s.Running > 0 || s.Report == pending || s.Report == running
}

// String returns the numbers of tasks in words. It leaves out cancelled and forgotten tasks if there are
// none.
func (s State) String() string {
	text := fmt.Sprintf("%d pending, %d running, %d done, %d failed", s.Pending, s.Running, s.Done, s.Failed)
	if s.Cancelled > 0 {
		text += fmt.Sprintf(", %d cancelled", s.Cancelled)
	}
	if s.Forgotten > 0 {
		text += fmt.Sprintf(", %d ended that the scheduler has forgotten", s.Forgotten)
	}
	if s.Report != "" {
		text += "; report " + strings.ReplaceAll(s.Report, forgotten, "ended")
	}
	return text
}

// words are the states of a task. The first one that a task of a job has describes the job.
var words = []string{pending, running, done, failed, cancelled, forgotten}

// word returns the state of the only task that s counts.
func (s *State) word() string {
	for _, word := range words {
		if *s.count(word) > 0 {
			return word
		}
	}
	return forgotten
}

// count returns the number of tasks in the state with a word, which the caller may change.
func (s *State) count(word string) *int {
	switch word {
	case pending:
		return &s.Pending
	case running:
		return &s.Running
	case done:
		return &s.Done
	case failed:
		return &s.Failed
	case cancelled:
		return &s.Cancelled
	}
	return &s.Forgotten
}
