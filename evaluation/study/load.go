package study

import (
	"iter"
	"runtime"
	"slices"
)

// outcome holds what Load returns for a cell.
type outcome struct {
	Result
	State
	err error // why the cell's files are broken; nil unless the state is broken
}

// loadBlockSize is the number of cells to load at the same time and hold in memory.
const loadBlockSize = 256

// loadCells returns an iterator over cells and their outcomes, in the order of the cells. It loads them in parallel,
// block by block.
func loadCells(dir string, p *Plan, cells []PlannedCell) iter.Seq2[PlannedCell, outcome] {
	return func(yield func(PlannedCell, outcome) bool) {
		for block := range slices.Chunk(cells, loadBlockSize) {
			outcomes := make([]outcome, len(block))
			runParallel(len(block), func(i int) {
				result, state, err := Load(dir, p, block[i])
				outcomes[i] = outcome{result, state, err}
			})
			for i, c := range block {
				if !yield(c, outcomes[i]) {
					return
				}
			}
		}
	}
}

// goroutinesPerCore is above 1 since reading files from a network is mostly waiting.
const goroutinesPerCore = 4

// runParallel calls do with each number from 0 to n−1, on several goroutines, and returns when all calls have returned.
func runParallel(n int, do func(i int)) {
	next := make(chan int)
	done := make(chan bool)
	workers := min(n, goroutinesPerCore*runtime.GOMAXPROCS(0))
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
	close(next) // ends the workers
	for range workers {
		<-done
	}
}
