package study

import (
	"iter"
	"runtime"
)

// Summary is what there is of a study.
type Summary struct {
	Cells    int      `json:"cells"`
	Done     int      `json:"done"`
	Failed   int      `json:"failed"`
	Missing  int      `json:"missing"`
	Broken   int      `json:"broken"`
	Failures []string `json:"failures"` // "cell: reason", in the plan's order
	Warnings []string `json:"warnings"` // "cell: what looks wrong about its training"
	Breaks   []string `json:"breaks"`   // what is wrong with broken files
}

// Status counts what there is of a study.
func Status(dir string, p *Plan) Summary { return status(dir, p, p.Cells) }

func status(dir string, p *Plan, cells []Planned) Summary {
	s := noCells()
	for c, l := range loaded(dir, p, cells) {
		s.add(c, l)
	}
	return s
}

func noCells() Summary {
	return Summary{Failures: []string{}, Warnings: []string{}, Breaks: []string{}}
}

// add counts a cell.
func (s *Summary) add(c Planned, l outcome) {
	s.Cells++
	switch l.State {
	case Done:
		s.Done++
		for _, w := range l.Warnings {
			s.Warnings = append(s.Warnings, c.Name+": "+w)
		}
	case Missing:
		s.Missing++
	case Broken:
		s.Broken++
		s.Breaks = append(s.Breaks, l.err.Error())
	case Failed:
		s.Failed++
		s.Failures = append(s.Failures, c.Name+": "+l.Failed)
	}
}

// outcome is what there is of a cell.
type outcome struct {
	Result
	State
	err error // what is wrong with a broken one
}

// loaded loads cells, several at a time, and yields them in their order.
func loaded(dir string, p *Plan, cells []Planned) iter.Seq2[Planned, outcome] {
	const block = 256
	return func(yield func(Planned, outcome) bool) {
		for len(cells) > 0 {
			now := cells[:min(block, len(cells))]
			cells = cells[len(now):]
			outcomes := make([]outcome, len(now))
			parallel(len(now), func(i int) {
				o := &outcomes[i]
				o.Result, o.State, o.err = Load(dir, p, now[i])
			})
			for i, c := range now {
				if !yield(c, outcomes[i]) {
					return
				}
			}
		}
	}
}

// parallel calls do with 0 to n−1, on all cores and four times as many goroutines:
// files of a network are waited for.
func parallel(n int, do func(i int)) {
	next := make(chan int)
	done := make(chan bool)
	workers := min(n, 4*runtime.GOMAXPROCS(0))
	for range workers {
		go func() {
			for i := range next {
				do(i)
			}
			done <- true
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	for range workers {
		<-done
	}
}
