package study

import (
	"cmp"
	"fmt"
	"slices"
)

// Shard selects shard I of N of a study's cells, counted from 1. The zero value selects all cells. Every cell belongs to
// exactly one shard, and the shards depend on the plan alone, so runs without a common directory can each run one.
type Shard struct {
	I int // number of the shard, from 1
	N int // number of shards
}

// String returns the shard as "I/N".
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// MaxShards is the largest Shard.N.
const MaxShards = maxCells

// check returns an error unless the shard is one that a study can have.
func (s Shard) check() error {
	if s == (Shard{}) {
		return nil
	}
	if s.I < 1 || s.I > s.N || s.N > MaxShards {
		return fmt.Errorf("shard %s does not exist; want I/N with I from 1 to N, and N up to %d", s, MaxShards)
	}
	return nil
}

// shardCells returns the cells of a shard in the plan's order. The cells are sorted by estimated
// cost, the most expensive first, and dealt to the N shards in turn, so the costs of two
// shards differ by the cost of one cell at most.
func (p *Plan) shardCells(s Shard) []PlannedCell {
	if s == (Shard{}) {
		return p.Cells
	}
	byCost := make([]int, len(p.Cells)) // indices of the cells, the most expensive first
	for i := range byCost {
		byCost[i] = i
	}
	slices.SortStableFunc(byCost, func(a, b int) int { return cmp.Compare(p.Cells[b].Cost, p.Cells[a].Cost) })
	var indices []int // indices of the shard's cells in the plan
	for i := s.I - 1; i < len(byCost); i += s.N {
		indices = append(indices, byCost[i])
	}
	slices.Sort(indices)
	cells := make([]PlannedCell, len(indices))
	for i, index := range indices {
		cells[i] = p.Cells[index]
	}
	return cells
}
