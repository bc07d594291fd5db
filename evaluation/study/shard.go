package study

import (
	"cmp"
	"fmt"
	"slices"
)

// Shard selects a fixed part of a study's cells: part I of N, counted from 1. The zero value
// selects all cells. Every cell belongs to exactly one part, and the parts depend
// on the plan alone, so runs that share no directory can each run one.
type Shard struct{ I, N int }

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// MaxShards is the largest Shard.N.
const MaxShards = maxCells

func (s Shard) check() error {
	if s == (Shard{}) {
		return nil
	}
	if s.I < 1 || s.I > s.N || s.N > MaxShards {
		return fmt.Errorf("there is no share %s: want 1/1 to %[2]d/%[2]d", s, MaxShards)
	}
	return nil
}

// shard returns the cells of a shard in the plan's order. The cells are sorted by estimated
// cost, the most expensive first, and dealt to the N shards in turn, so the costs of two
// shards differ by one cell at most.
func (p *Plan) shard(s Shard) []PlannedCell {
	if s == (Shard{}) {
		return p.Cells
	}
	order := make([]int, len(p.Cells))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.Cells[b].Cost, p.Cells[a].Cost) })
	var own []int
	for at := s.I - 1; at < len(order); at += s.N {
		own = append(own, order[at])
	}
	slices.Sort(own)
	cells := make([]PlannedCell, len(own))
	for i, at := range own {
		cells[i] = p.Cells[at]
	}
	return cells
}
