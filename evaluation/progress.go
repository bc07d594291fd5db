package evaluation

import "sync"

// Progress counts the rows that are predicted. Several goroutines may use it at the same time.
type Progress struct {
	report func(done, total int) // nil if progress is not reported
	total  int                   // number of rows to predict

	lock sync.Mutex // guards done, and calls of report
	done int        // number of rows predicted
}

// NewProgress returns the progress of predictions of this total number of rows. report is called with the number of
// predicted rows, by one goroutine at a time; it may be nil.
func NewProgress(report func(done, total int), total int) *Progress {
	return &Progress{report: report, total: total}
}

// Add adds predicted rows, and reports the progress.
func (p *Progress) Add(rows int) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.done += rows
	if p.report != nil {
		p.report(p.done, p.total)
	}
}
