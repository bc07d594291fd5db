package study

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Of cells that two directories have, the same are taken once, a result comes in the
// place of a failure, what is broken is passed over, and what differs is refused.
func TestJoin(t *testing.T) {
	whole, p, _ := ran(t, small, Options{})
	half := func(i int) string {
		dir := t.TempDir()
		if err := p.Write(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), dir, p, testVersion, tables, Options{Shard: Shard{i, 2}}); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	a, b, into := half(1), half(2), t.TempDir()
	for _, c := range p.Cells {
		if IsDone(b, p, c) {
			if err := save(a, p, c, Result{Failed: "no memory"}); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	j, err := Join(into, []string{a, b, a})
	if err != nil || j.Taken != 24 || j.Missing != 0 || j.Same == 0 {
		t.Fatalf("%+v, %v", j, err)
	}
	sameStudy(t, "joined", whole, into)
	if again, err := Join(into, []string{a, b}); err != nil || again.Taken != 0 || again.Same == 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
	if cells := entries(t, into); len(cells) != 24 {
		t.Errorf("the log tells of %d cells", len(cells))
	}

	first := p.Cells[slices.IndexFunc(p.Cells, func(c Planned) bool { return !c.Pictures })] // that keeps nothing beside
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
	sameStudy(t, "refused", whole, into)
	if j, err := Join(into, []string{b}); err != nil || j.Broken != 1 {
		t.Errorf("a broken cell: %+v, %v", j, err)
	}
}
