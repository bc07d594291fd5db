package trainers

import (
	"runtime"
	"testing"

	"sml/models"
)

// By hand: at a batch of 500 a layer 50×50 has 1.25 million multiplications, 256×256
// has 33 million and 1024×1024 has 524 million; two million are enough for a goroutine.
func TestMostThreads(t *testing.T) {
	for _, c := range []struct {
		inputs int
		hidden []int
		batch  int
		want   int
	}{
		{13, []int{50, 50}, 100, 1},
		{90, []int{50, 50}, 500, 1},
		{90, []int{50, 50}, 10_000, 21}, // 10,000·90·50
		{90, []int{256, 256}, 500, 15},
		{90, []int{1024, 1024}, 500, 250},
		{90, nil, 500, 1},
	} {
		spec := newSpec(t, "sml", nil, models.Architecture{Inputs: c.inputs, Targets: 1, Hidden: c.hidden, Activation: "relu"})
		if got := UsefulThreads(spec, c.batch); got != c.want {
			t.Errorf("%d inputs, %v units, batches of %d: %d threads, want %d", c.inputs, c.hidden, c.batch, got, c.want)
		}
	}
}

// TestUsefulThreadsOfCopies counts the rows of a later layer once for each copy: at a batch of 500, eight copies of a layer
// 256×256 have 262 million multiplications.
func TestUsefulThreadsOfCopies(t *testing.T) {
	spec := newSpec(t, "sml", nil, models.Architecture{Network: "tabm", Inputs: 13, Targets: 1, Hidden: []int{256, 256}, Copies: 8})
	if got, want := UsefulThreads(spec, 500), 500*8*256*256>>21; got != want {
		t.Errorf("%d threads, want %d", got, want)
	}
}

// What trains at the same time has the cores once.
func TestAtOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for _, c := range []struct {
		given         Options
		members       int
		workers, each int
	}{
		{Options{}, 1, 8, 8},
		{Options{}, 5, 8, 1},
		{Options{}, 20, 8, 1},
		{Options{}, 2, 8, 4},
		{Options{Workers: 1}, 5, 1, 8},
		{Options{Workers: 3}, 5, 3, 2},
		{Options{Threads: 2}, 5, 4, 2},
		{Options{Threads: 16}, 5, 1, 16},
		{Options{Workers: 1, Threads: 1}, 5, 1, 1},
	} {
		o := c.given
		o.setParallelism(c.members)
		if o.Workers != c.workers || o.Threads != c.each {
			t.Errorf("%d workers and %d threads given, %d members: %d workers with %d threads each, want %d and %d", c.given.Workers, c.given.Threads, c.members, o.Workers, o.Threads, c.workers, c.each)
		}
	}
}
