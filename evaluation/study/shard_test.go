package study

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// Cells are dealt in turn, the most expensive first; here by hand: 9, 7, 5, 4, 3, 3 among
// three shards.
func TestShardDealsCells(t *testing.T) {
	p := new(Plan)
	for i, cost := range []float64{3, 9, 5, 7, 4, 3} {
		p.Cells = append(p.Cells, PlannedCell{Name: fmt.Sprint("cell ", i), Cost: cost})
	}
	got := ""
	for i := range 3 {
		for _, c := range p.shardCells(Shard{i + 1, 3}) {
			got += fmt.Sprint(c.Cost, " ")
		}
		got += "| "
	}
	if want := "9 4 | 3 7 | 5 3 | "; got != want { // in the plan's order
		t.Errorf("shards %s, want %s", got, want)
	}
	if cells := p.shardCells(Shard{8, 8}); len(cells) != 0 {
		t.Errorf("the last of 8 shards of 6 cells has %v", cells)
	}
}

// Every cell is in one shard, and shards differ in cost by one cell at most.
func TestShardsOfAPlan(t *testing.T) {
	p := newTestPlan(t, small)
	count := make(map[string]int)
	least, most, longest := math.Inf(1), 0.0, 0.0
	for i := range 5 {
		sum := 0.0
		for _, c := range p.shardCells(Shard{i + 1, 5}) {
			sum += c.Cost
			longest = max(longest, c.Cost)
			count[c.Name]++
		}
		least, most = min(least, sum), max(most, sum)
	}
	if len(count) != len(p.Cells) {
		t.Errorf("%d cells are in 5 shards, want %d", len(count), len(p.Cells))
	}
	for name, n := range count {
		if n != 1 {
			t.Errorf("%s is in %d shards", name, n)
		}
	}
	if most-least > longest {
		t.Errorf("shards of %v to %v seconds", least, most)
	}
}

// Running a study shard by shard into one directory writes the same files as running it at once.
func TestRunInShards(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	whole, p, _ := runNewStudy(t, small, Options{})
	one := t.TempDir()
	if err := p.Write(one); err != nil {
		t.Fatal(err)
	}
	cells := 0
	for i := range 3 {
		s, err := Run(t.Context(), one, p, testVersion, readSmallTable, Options{Shard: Shard{i + 1, 3}})
		if err != nil || s.Done != s.Cells || s.Missing != 0 {
			t.Fatalf("share %d: %+v, %v", i+1, s, err)
		}
		cells += s.Done
	}
	if cells != 24 {
		t.Errorf("shards have %d cells, want 24", cells)
	}
	checkSameStudy(t, "three shards", whole, one)
	times, err := ReadTimes(one)
	if err != nil || times.Wall <= 0 {
		t.Errorf("%+v, %v", times, err)
	}
	for what, wrong := range map[string]Shard{"0/3": {0, 3}, "4/3": {4, 3}, "1/0": {1, 0}, "-1/3": {-1, 3}} {
		if _, err := Run(t.Context(), one, p, testVersion, readSmallTable, Options{Shard: wrong}); err == nil || !strings.Contains(err.Error(), "shard "+what+" does not exist") {
			t.Errorf("%s: %v", what, err)
		}
	}
}
