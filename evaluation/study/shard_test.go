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
		p.Cells = append(p.Cells, Planned{Name: fmt.Sprint("cell ", i), Cost: cost})
	}
	got := ""
	for i := range 3 {
		for _, c := range p.shard(Shard{i + 1, 3}) {
			got += fmt.Sprint(c.Cost, " ")
		}
		got += "| "
	}
	if want := "9 4 | 3 7 | 5 3 | "; got != want { // in the plan's order
		t.Errorf("shards %s, want %s", got, want)
	}
	if cells := p.shard(Shard{8, 8}); len(cells) != 0 {
		t.Errorf("the last of 8 shards of 6 cells has %v", cells)
	}
}

// Every cell is in one shard, and shards differ in cost by one cell at most.
func TestShardsOfAPlan(t *testing.T) {
	p := planned(t, small)
	count := make(map[string]int)
	least, most, longest := math.Inf(1), 0.0, 0.0
	for i := range 5 {
		sum := 0.0
		for _, c := range p.shard(Shard{i + 1, 5}) {
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

// A study that is run in shares, into one directory or each into its own, is the study.
func TestRunInShares(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	whole, p, _ := ran(t, small, Options{})
	one := t.TempDir()
	var own []string
	cells := 0
	for i := range 3 {
		own = append(own, t.TempDir())
		for _, dir := range []string{one, own[i]} {
			if err := p.Write(dir); err != nil {
				t.Fatal(err)
			}
			s, err := Run(t.Context(), dir, p, testVersion, tables, Options{Shard: Shard{i + 1, 3}})
			if err != nil || s.Done != s.Cells || s.Missing != 0 {
				t.Fatalf("share %d: %+v, %v", i+1, s, err)
			}
			cells += s.Done
		}
	}
	if cells != 48 {
		t.Errorf("shares have %d cells, want 24 twice", cells)
	}
	sameStudy(t, "three shares", whole, one)
	times, err := ReadTimes(one)
	if err != nil || times.Wall <= 0 {
		t.Errorf("%+v, %v", times, err)
	}
	for what, wrong := range map[string]Shard{"0/3": {0, 3}, "4/3": {4, 3}, "1/0": {1, 0}, "-1/3": {-1, 3}} {
		if _, err := Run(t.Context(), one, p, testVersion, tables, Options{Shard: wrong}); err == nil || !strings.Contains(err.Error(), "no share "+what) {
			t.Errorf("%s: %v", what, err)
		}
	}
	joined := t.TempDir()
	joins, err := Join(joined, own)
	if err != nil || joins.Taken != 24 {
		t.Fatalf("%+v, %v", joins, err)
	}
	sameStudy(t, "joined", whole, joined)
}

// Runs of the same and of different shards at the same time in one directory run each cell
// once, and end when their shards have ended.
func TestShardsAtTheSameTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	whole, p, _ := ran(t, small, Options{})
	dir := t.TempDir()
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	for i := range 4 {
		go func() {
			s, err := Run(t.Context(), dir, p, testVersion, tables, Options{Jobs: 2, Shard: Shard{i/2 + 1, 2}})
			if err == nil && s.Done != s.Cells {
				err = fmt.Errorf("shard %d ended with %+v", i/2+1, s)
			}
			done <- err
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	sameStudy(t, "four runs", whole, dir)
	for name, times := range entries(t, dir) {
		if times != 1 {
			t.Errorf("%s was run %d times", name, times)
		}
	}
}
