package engine

import (
	"fmt"
	"math"
	"testing"

	"sml/graph/internal/pool"
	"sml/internal/kernels"
)

// countShares makes pools share work of any size, and counts how often they do.
func countShares(t *testing.T) (times *int) {
	t.Helper()
	least := pool.MinSharedWork
	times = new(int)
	pool.MinSharedWork, pool.OnShare = 0, func(int) { *times++ }
	t.Cleanup(func() { pool.MinSharedWork, pool.OnShare = least, nil })
	return times
}

// smallParts returns the smallest parts, with blocks of that many numbers.
func smallParts(block int) *partSizes {
	return &partSizes{block: block, rows: 2, columns: 2, manyColumns: 6}
}

// Shared or not, on every path of the kernels: the same bits, on random graphs of
// either number type.
func TestSharingChangesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	times := countShares(t)
	defer kernels.UseImplementation(kernels.Implementation())
	for _, path := range kernels.Implementations() {
		if err := kernels.UseImplementation(path); err != nil {
			t.Fatal(err)
		}
		for seed := range seeds() / 4 {
			sharingChangesNothing[float32](t, seed, func(v float32) uint64 { return uint64(math.Float32bits(v)) })
		}
	}
	for seed := range seeds() / 4 {
		sharingChangesNothing[float64](t, seed, math.Float64bits)
	}
	if *times < 10*int(seeds()) {
		t.Errorf("only %d steps were shared in %d graphs", *times, seeds())
	}
}

func sharingChangesNothing[T float](t *testing.T, seed uint64, bits func(T) uint64) {
	t.Helper()
	g := newRandomGraph(seed, dtypeOf[T]())
	g.bind()
	sampling := seed%2 == 0
	p, err := Compile[T](g.outputs, g.masks, nil, sampling)
	if err != nil {
		t.Fatal(err)
	}
	p.sizes = smallParts(3)
	if err := p.bindInputs(); err != nil {
		t.Fatal(err)
	}
	run := func() [][]T {
		if err := p.Run(); err != nil {
			t.Fatal(err)
		}
		if sampling {
			if err := p.Rerun(); err != nil {
				t.Fatal(err)
			}
		}
		var results [][]T
		for i := range g.outputs {
			results = append(results, append([]T(nil), p.Output(i)...))
		}
		return results
	}
	want := run()
	for _, threads := range []int{2, 3, 8} {
		with := pool.New(threads)
		if err := p.UsePool(with); err != nil {
			t.Fatal(err)
		}
		got := run()
		with.Close()
		for i := range want {
			for j := range want[i] {
				if bits(want[i][j]) != bits(got[i][j]) && want[i][j] == want[i][j] {
					t.Fatalf("seed %d, %d threads: output %d[%d] is %v, without them %v\n%v", seed, threads, i, j, got[i][j], want[i][j], p)
				}
			}
		}
	}
}

// Every operation that the engine knows, shared.
func TestSharedOperations(t *testing.T) {
	times := countShares(t)
	for _, c := range operations() {
		t.Run(c.name, func(t *testing.T) { testShared[float32](t, c) })
	}
	if *times < 100 {
		t.Errorf("only %d steps were shared", *times)
	}
}

func testShared[T float](t *testing.T, c operation) {
	for _, gradients := range []bool{false, true} {
		outputs, ins, err := c.build(dtypeOf[T](), gradients)
		if err != nil || len(outputs) == 0 {
			continue
		}
		for _, in := range ins {
			bindFresh(in, draw[T](in.Name(), max(1, in.Shape().TotalSize()), true))
		}
		p, err := Compile[T](outputs, nil, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		p.sizes = smallParts(2)
		if err := p.bindInputs(); err != nil {
			t.Fatal(err)
		}
		if err := p.Run(); err != nil {
			continue
		}
		want := fmt.Sprint(p.all())
		with := pool.New(3)
		defer with.Close()
		if err := p.UsePool(with); err != nil {
			t.Fatal(err)
		}
		if err := p.Run(); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(p.all()); got != want {
			t.Errorf("gradients %t: shared %s, want %s", gradients, got, want)
		}
	}
}
