package study

import (
	"container/heap"
	"fmt"
)

// Shard is a share of a study: the I-th, from 1, of N. The zero value is the whole.
// Shares are of about the same estimated cost, and each cell is in one. They depend on
// the plan alone.
type Shard struct{ I, N int }

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// MaxShards bounds Shard.N.
const MaxShards = maxCells

func (s Shard) check() error {
	if s != (Shard{}) && !(1 <= s.N && s.N <= MaxShards && 1 <= s.I && s.I <= s.N) {
		return fmt.Errorf("there is no share %s: want 1/1 to %[2]d/%[2]d", s, MaxShards)
	}
	return nil
}

// shares cuts jobs into so many shares of about the same cost: the longest go first,
// each to the share that has least. Some are empty where there are fewer jobs.
func shares(jobs []job, n int) [][]job {
	longestFirst(jobs)
	loads := make(leastLoaded, n)
	for i := range loads {
		loads[i].share = i
	}
	list := make([][]job, n)
	for _, j := range jobs {
		least := &loads[0]
		list[least.share] = append(list[least.share], j)
		least.cost += j.cell.Cost
		heap.Fix(&loads, 0)
	}
	return list
}

// leastLoaded is a heap of shares.
type leastLoaded []struct {
	share int
	cost  float64
}

func (l leastLoaded) Len() int { return len(l) }
func (l leastLoaded) Less(i, j int) bool {
	return l[i].cost < l[j].cost || l[i].cost == l[j].cost && l[i].share < l[j].share
}
func (l leastLoaded) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l *leastLoaded) Push(any)     { panic("shares are neither added") }
func (l *leastLoaded) Pop() any     { panic("nor removed") }
