package trainers

import (
	"runtime"
	"testing"

	"sml/internal/expect"
	"sml/models"
)

// By hand: at a batch of 500 a layer 50×50 has 1.25 million multiplications, 256×256
// has 33 million and 1024×1024 has 524 million; two million are enough for a goroutine.
func TestMostThreads(t *testing.T) {
	for _, c := range []struct {
		inputs int
		hidden []int
		copies int
		batch  int
		want   int
	}{
		{13, []int{50, 50}, 0, 100, 1},
		{90, []int{50, 50}, 0, 500, 1},
		{90, []int{50, 50}, 0, 10_000, 21}, // 10,000·90·50
		{90, []int{256, 256}, 0, 500, 15},
		{90, []int{1024, 1024}, 0, 500, 250},
		{90, nil, 0, 500, 1},
		{13, []int{256, 256}, 8, 500, 125}, // 262 million: the rows of a later layer once for each copy
	} {
		a := models.Architecture{Inputs: c.inputs, Targets: 1, Hidden: c.hidden, Copies: c.copies}
		if c.copies > 0 {
			a.Network = "tabm"
		}
		spec := expect.Must(models.NewSpec("sml", nil, a))
		if got := UsefulThreads(spec, c.batch); got != c.want {
			t.Errorf("%d inputs, %v units, batches of %d: %d threads, want %d", c.inputs, c.hidden, c.batch, got, c.want)
		}
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
