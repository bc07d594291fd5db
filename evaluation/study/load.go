package study

import (
	"iter"
	"runtime"
)

// outcome holds the results of Load for a cell.
type outcome struct {
	Result
	State
	err error // nil unless the state is broken
}

// loadBlock is the number of cells that are loaded at the same time and held in memory.
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

// runParallel calls do with each number from 0 to n−1 and returns when all calls have returned. It uses four goroutines per
// core, since reading files from a network is mostly waiting.
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
