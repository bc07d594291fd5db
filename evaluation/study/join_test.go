package study

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Join copies a cell that two directories have once, prefers scores to a failure, skips broken cells, and
// refuses different scores.
func TestJoin(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	whole, p, _ := runNewStudy(t, small, Options{})
	half := func(i int) string {
		dir := t.TempDir()
		if err := p.Write(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), dir, p, testVersion, readSmallTable, Options{Shard: Shard{i, 2}}); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	a, b, into := half(1), half(2), t.TempDir()
	for _, c := range p.Cells {
		if isDone(b, p, c) {
			if err := save(a, p, c, Result{Failed: "no memory"}); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	j, err := Join(into, []string{a, b, a})
	if err != nil || j.Copied != 24 || j.Missing != 0 || j.Identical == 0 {
		t.Fatalf("%+v, %v", j, err)
	}
	checkSameStudy(t, "joined", whole, into)
	if again, err := Join(into, []string{a, b}); err != nil || again.Copied != 0 || again.Identical == 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
	if cells := countLogEntries(t, into); len(cells) != 24 {
		t.Errorf("the log tells of %d cells", len(cells))
	}

	first := p.Cells[slices.IndexFunc(p.Cells, func(c PlannedCell) bool { return !c.KeepPictures })] // that keeps nothing beside
	r, _, err := Load(into, p, first)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.cellPath(b, p.Cells[0].Name), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	r.Test.Scores[0].Score++
	other := t.TempDir()
	if err := p.Write(other); err != nil {
		t.Fatal(err)
	}
	if err := save(other, p, first, r); err != nil {
		t.Fatal(err)
	}
	if _, err := Join(into, []string{b, other}); err == nil || !strings.Contains(err.Error(), "has one result in "+into) {
		t.Errorf("another result: %v", err)
	}
	checkSameStudy(t, "refused", whole, into)
	if j, err := Join(into, []string{b}); err != nil || j.Broken != 1 {
		t.Errorf("a broken cell: %+v, %v", j, err)
	}
}

// An interrupted join, repeated, writes the same bytes as an undisturbed join, the log
// included. The test makes the states that an interruption leaves: first a log that
// ends anywhere, also within a line, and no cells; then the whole log and some of the cells.
func TestJoinAfterInterruption(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	c := small
	c.Datasets, c.Methods = []string{"aa"}, []string{"mc", "sml"}
	_, p, _ := runNewStudy(t, c, Options{})
	var shares []string
	for i := range 2 {
		dir := t.TempDir()
		if err := p.Write(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), dir, p, testVersion, readSmallTable, Options{Shard: Shard{i + 1, 2}}); err != nil {
			t.Fatal(err)
		}
		shares = append(shares, dir)
	}
	join := func(into string) {
		t.Helper()
		if _, err := Join(into, shares); err != nil {
			t.Fatal(err)
		}
	}
	readLog := func(dir string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, logFile))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	whole := t.TempDir()
	join(whole)
	log := readLog(whole)
	if lines := strings.Count(log, "\n"); lines != len(p.Cells) {
		t.Fatalf("the log has %d lines of %d cells", lines, len(p.Cells))
	}
	check := func(what, dir string) {
		t.Helper()
		join(dir)
		checkSameStudy(t, what, whole, dir)
		if got := readLog(dir); got != log {
			t.Errorf("%s: the log is\n%s\nwant\n%s", what, got, log)
		}
	}
	written := 0
	for line := range strings.Lines(log) {
		for _, part := range []int{0, 1, len(line) / 2, len(line) - 1} {
			dir := t.TempDir()
			if err := p.Write(dir); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, logFile), []byte(log[:written+part]), 0o666); err != nil {
				t.Fatal(err)
			}
			check(fmt.Sprintf("log cut after %d bytes", written+part), dir)
		}
		written += len(line)
	}
	for cells := range len(p.Cells) {
		dir := t.TempDir()
		join(dir)
		for _, c := range p.Cells[cells:] {
			if err := os.Remove(p.cellPath(dir, c.Name)); err != nil {
				t.Fatal(err)
			}
		}
		unfinished := p.cellPath(dir, p.Cells[cells].Name) + ".aside-1"
		if err := os.WriteFile(unfinished, []byte("{"), 0o666); err != nil {
			t.Fatal(err)
		}
		check(fmt.Sprintf("%d cells copied", cells), dir)
		if _, err := os.Stat(unfinished); err == nil {
			t.Errorf("%d cells copied: %s is left", cells, unfinished)
		}
	}
}

// A run after a killed run, whose last log line is cut short, loses no line of its own.
func TestLogAfterUnfinishedLine(t *testing.T) {
	p, dir := newTestPlan(t, small), t.TempDir()
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, logFile), []byte(`{"time":"2026-01-0`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), dir, p, testVersion, readSmallTable, Options{}); err != nil {
		t.Fatal(err)
	}
	if cells := countLogEntries(t, dir); len(cells) != len(p.Cells) {
		t.Errorf("the log tells of %d cells, want %d", len(cells), len(p.Cells))
	}
}
