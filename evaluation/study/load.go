package study

import (
	"iter"
	"runtime"
)

// outcome is what Load returns for a cell.
type outcome struct {
	Result
	State
	err error // nil unless the state is broken
}

// loadBlock is how many cells are loaded at the same time and held in memory.
const loadBlock = 256

// loadCells loads cells in parallel and yields them in their order.
func loadCells(dir string, p *Plan, cells []PlannedCell) iter.Seq2[PlannedCell, outcome] {
	return func(yield func(PlannedCell, outcome) bool) {
		for len(cells) > 0 {
			block := cells[:min(loadBlock, len(cells))]
			cells = cells[len(block):]
			outcomes := make([]outcome, len(block))
			runParallel(len(block), func(i int) {
				o := &outcomes[i]
				o.Result, o.State, o.err = Load(dir, p, block[i])
			})
			for i, c := range block {
				if !yield(c, outcomes[i]) {
					return
				}
			}
		}
	}
}

// runParallel calls do with 0 to n−1. It uses four goroutines for each core, since reading
// files from a network is mostly waiting.
func runParallel(n int, do func(i int)) {
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
