package engine

import (
	"fmt"
	"testing"

	"sml/graph/internal/pool"
	"sml/internal/expect"
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
		expect.NoError(t, kernels.UseImplementation(path))
		for seed := range seeds() / 4 {
			checkSharing[float32](t, seed)
		}
	}
	for seed := range seeds() / 4 {
		checkSharing[float64](t, seed)
	}
	if *times < 10*int(seeds()) {
		t.Errorf("only %d steps were shared in %d graphs", *times, seeds())
	}
}

func checkSharing[T float](t *testing.T, seed uint64) {
	t.Helper()
	p := compileRandom[T](seed, smallParts(3))
	want := runRandom(t, p, seed)
	for _, threads := range []int{2, 3, 8} {
		with := pool.New(threads)
		expect.NoError(t, p.UsePool(with))
		got := runRandom(t, p, seed)
		with.Close()
		checkSameBits(t, fmt.Sprintf("seed %d, %d threads", seed, threads), got, want)
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
		p := expect.Must(Compile[T](outputs, nil, nil, false))
		p.sizes = smallParts(2)
		expect.NoError(t, p.bindInputs())
		if err := p.Run(); err != nil {
			continue
		}
		want := fmt.Sprint(p.all())
		with := pool.New(3)
		defer with.Close()
		expect.NoError(t, p.UsePool(with))
		expect.NoError(t, p.Run())
		if got := fmt.Sprint(p.all()); got != want {
			t.Errorf("gradients %t: shared %s, want %s", gradients, got, want)
		}
	}
}
