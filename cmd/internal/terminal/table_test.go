package terminal

import "testing"

func TestEntries(t *testing.T) {
	got := Entries([]Entry{
		{"mc", []string{"draws", "source: a paper"}},
		{"w-dropout", append([]string{"compares"}, Pairs([]Pair{{"σ=1", "of noise"}, {"rate=0.1", "of units"}})...)},
	})
	const want = `mc         draws
           source: a paper

w-dropout  compares
           σ=1       of noise
           rate=0.1  of units`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
