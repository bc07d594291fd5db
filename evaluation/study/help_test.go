package study

import (
	"fmt"
	"path/filepath"
	"testing"

	"sml/internal/safefile"
)

// A share that has ended goes on with another that is being run, which its claim tells,
// and with none that is not; not before the last has begun.
func TestSharesHelp(t *testing.T) {
	whole, p, _ := ran(t, small, Options{})
	dir := t.TempDir()
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	parts := shares(pair(p.Cells), 4)
	claim, err := safefile.Acquire(filepath.Join(dir, claimsDir, parts[1][0].name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), dir, p, testVersion, tables, Options{Shard: Shard{1, 4}}); err != nil {
		t.Fatal(err)
	}
	if s := Status(dir, p); s.Done != cellsIn(parts[0]) {
		t.Errorf("share 1 ran %d cells before share 4 had begun", s.Done)
	}
	over := false
	s, err := Run(t.Context(), dir, p, testVersion, tables, Options{Shard: Shard{4, 4}, Progress: func(now Progress) { over = over || now.Done > now.Cells }})
	if err != nil || s.Done != s.Cells || over {
		t.Fatalf("%+v, %v, more done than there is: %v", s, err, over)
	}
	if err := claim.Release(); err != nil {
		t.Fatal(err)
	}
	for i, jobs := range parts {
		for k, j := range jobs {
			for _, c := range j.cells() {
				if _, state, _ := Load(dir, p, c); (state == Done) != (i != 2 && !(i == 1 && k == 0)) {
					t.Errorf("job %d of share %d is %s", k+1, i+1, state)
				}
			}
		}
	}
	for i := range 4 {
		if _, err := Run(t.Context(), dir, p, testVersion, tables, Options{Shard: Shard{i + 1, 4}}); err != nil {
			t.Fatal(err)
		}
	}
	sameStudy(t, "one share helped another", whole, dir)
}

func cellsIn(jobs []job) int {
	n := 0
	for _, j := range jobs {
		n += len(j.cells())
	}
	return n
}

// Shares that run at the same time in one directory run each cell once.
func TestSharesAtTheSameTime(t *testing.T) {
	whole, p, _ := ran(t, small, Options{})
	dir := t.TempDir()
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	for i := range 4 {
		go func() {
			s, err := Run(t.Context(), dir, p, testVersion, tables, Options{Jobs: 2, Shard: Shard{i + 1, 4}})
			if err == nil && s.Done != s.Cells {
				err = fmt.Errorf("share %d ended with %+v", i+1, s)
			}
			done <- err
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	sameStudy(t, "four shares", whole, dir)
	for name, times := range entries(t, dir) {
		if times != 1 {
			t.Errorf("%s was run %d times", name, times)
		}
	}
}
