package study

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// Shares have each job once, and differ in cost by one job at most; here by hand:
// 9, 7, 6, 5, 4, 3 go, the longest first, to the share with the least.
func TestShares(t *testing.T) {
	var jobs []job
	for _, cost := range []float64{3, 9, 5, 7, 4, 6} {
		jobs = append(jobs, job{cell: Planned{Cost: cost}})
	}
	got := ""
	for _, share := range shares(jobs, 3) {
		for _, j := range share {
			got += fmt.Sprint(j.cell.Cost, " ")
		}
		got += "| "
	}
	if want := "9 3 | 7 4 | 6 5 | "; got != want {
		t.Errorf("shares %s, want %s", got, want)
	}
	if list := shares(jobs, 8); len(list) != 8 || len(list[7]) != 0 {
		t.Errorf("of 6 jobs, 8 shares: %v", list)
	}

	p := planned(t, small)
	list := shares(pair(p.Cells), 5)
	var names []string
	least, most, longest := math.Inf(1), 0.0, 0.0
	for _, share := range list {
		sum := 0.0
		for _, j := range share {
			sum += j.cell.Cost
			longest = max(longest, j.cell.Cost)
			for _, c := range j.cells() {
				names = append(names, c.Name)
			}
		}
		least, most = min(least, sum), max(most, sum)
	}
	slices.Sort(names)
	if len(slices.Compact(slices.Clone(names))) != 24 || len(names) != 24 {
		t.Errorf("%d cells are in 5 shares", len(names))
	}
	if most-least > longest {
		t.Errorf("shares of %v to %v seconds", least, most)
	}
}

// A study that is run in shares, into one directory or each into its own, is the study.
func TestRunInShares(t *testing.T) {
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
