package study

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"sml/internal/expect"
	"sml/internal/safefile"
)

// countLogEntries returns the number of log lines of each cell in a study's logs.
func countLogEntries(t *testing.T, dir string) map[string]int {
	t.Helper()
	cells := make(map[string]int)
	entries := expect.Must(readLogs(dir))
	for _, e := range entries {
		cells[e.Cell]++
	}
	return cells
}

// Runs of a study and of its shards at the same time in one directory run each cell once, and each
// run ends when its cells have ended. Locks belong to open files, so that two runs of a process act
// like two processes.
func TestRunsShareADirectory(t *testing.T) {
	whole, p, _ := runNewStudy(t, small, Options{})
	dir := writePlan(t, p)
	done := make(chan error)
	shards := []Shard{{}, {}, {1, 2}, {1, 2}, {2, 2}}
	for _, shard := range shards {
		go func() {
			s, err := Run(t.Context(), dir, p, testVersion, readSmallTable, Options{Jobs: 2, Shard: shard})
			if err == nil && s.Done != s.Cells {
				err = fmt.Errorf("a run of shard %v ended with %+v", shard, s)
			}
			done <- err
		}()
	}
	for range shards {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	checkSameStudy(t, "runs at the same time", whole, dir)
	cells := countLogEntries(t, dir)
	if len(cells) != 24 {
		t.Errorf("%d cells were run", len(cells))
	}
	for name, times := range cells {
		if times != 1 {
			t.Errorf("%s was run %d times", name, times)
		}
	}
	for _, folder := range []string{claimsDir, checkpointsDir} {
		if _, err := os.Stat(filepath.Join(dir, folder)); err == nil {
			t.Errorf("%s is left", folder)
		}
	}
}

// A run waits for a cell that another run has claimed, and runs the cell when the other gives it up.
func TestClaimsAreWaitedFor(t *testing.T) {
	c := small
	c.Datasets, c.Splits = []string{"aa"}, []string{"random"}
	whole, p, _ := runNewStudy(t, c, Options{})
	dir := writePlan(t, p)
	claim := expect.Must(safefile.Acquire(filepath.Join(dir, claimsDir, p.Cells[0].Name)))
	reached := make(chan bool)
	var once sync.Once
	ended := make(chan error)
	go func() {
		_, err := Run(t.Context(), dir, p, testVersion, readSmallTable, Options{Jobs: 2, Progress: func(now Progress) {
			if now.Done == now.Cells-1 {
				once.Do(func() { close(reached) })
			}
		}})
		ended <- err
	}()
	<-reached
	select {
	case err := <-ended:
		t.Fatalf("it ended without the cell that is claimed: %v", err)
	case <-time.After(2 * claimPollInterval):
	}
	expect.NoError(t, claim.Release())
	expect.NoError(t, <-ended)
	checkSameStudy(t, "after the claim", whole, dir)
}

// The next run removes the claims that a killed run has left.
func TestClaimsOfTheDead(t *testing.T) {
	dir, p, _ := runNewStudy(t, small, Options{})
	for _, name := range []string{p.Cells[3].Name, "of an earlier plan"} {
		path := filepath.Join(dir, claimsDir, name)
		expect.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		expect.NoError(t, os.WriteFile(path, []byte(`{"host":"a","process":1,"since":"2026-01-02T10:00:10Z"}`), 0o666))
	}
	expect.NoError(t, os.Remove(p.cellPath(dir, p.Cells[3].Name)))
	if s, err := Run(t.Context(), dir, p, testVersion, readSmallTable, Options{}); err != nil || s.Done != 24 {
		t.Fatalf("%+v, %v", s, err)
	}
	if _, err := os.Stat(filepath.Join(dir, claimsDir)); err == nil {
		t.Error("claims are left")
	}
}

// A stopped training continues from its checkpoint and ends with the same bytes.
func TestStoppedCellsGoOn(t *testing.T) {
	c := withoutSamples(small)
	c.Datasets, c.Methods, c.Splits, c.Fold = []string{"aa"}, []string{"pu", "pu-de"}, []string{"random"}, []int{0}
	c.Settings = c.Settings.merge(Settings{"epochs": {"400"}})
	whole, p, _ := runNewStudy(t, c, Options{})
	dir := writePlan(t, p)
	resumed, last := 0, 0.0
	for stops := 0; ; stops++ {
		ctx, cancel := context.WithCancel(t.Context())
		reports := 0
		_, err := Run(ctx, dir, p, testVersion, readSmallTable, Options{Jobs: 1, Progress: func(now Progress) {
			if now.Worked > 0.9*last && last > 0 && reports < 10 { // some of them are of states that were read
				resumed, reports = resumed+1, 10
			}
			reports++
			if now.Worked > last+0.1*now.Work && now.Worked < 0.8*now.Work { // not when it is trained, and judged
				last = now.Worked
				cancel()
			}
		}})
		cancel()
		if err == nil {
			if stops < 3 || resumed < 2 {
				t.Errorf("%d stops, %d of them resumed", stops, resumed)
			}
			break
		}
		if _, err := os.Stat(filepath.Join(dir, checkpointsDir, p.Cells[1].Name)); err != nil {
			t.Error(err)
		}
	}
	checkSameStudy(t, "stopped in a cell", whole, dir)
}
