package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"sml/internal/expect"
)

// fences hands out slices that lie flush against memory that may not be
// touched: a kernel that reads or writes outside of them ends the test
// (where the platform allows; see newFence). One fence holds one slice.
type fences struct {
	t     testing.TB
	atEnd bool // flush with the end, else with the start
	used  int
}

var fencePool [][]float32

const fenceSize = 1 << 21 // numbers in one fence

// slice copies x into the next fence.
func (f *fences) slice(x []float32) []float32 {
	if x == nil {
		return nil
	}
	if len(x) > fenceSize {
		f.t.Fatalf("%d numbers do not fit a fence", len(x))
	}
	if f.used == len(fencePool) {
		fencePool = append(fencePool, newFence(f.t, fenceSize))
	}
	s := fencePool[f.used]
	f.used++
	if f.atEnd {
		s = s[len(s)-len(x):]
	}
	s = s[:len(x):len(x)]
	copy(s, x)
	return s
}

// onPath runs f with the kernels of the named path.
func onPath(t testing.TB, path string, f func()) {
	t.Helper()
	before := Implementation()
	expect.NoError(t, UseImplementation(path))
	defer UseImplementation(before)
	f()
}

// onPaths runs f with the kernels of each of the named paths.
func onPaths(t testing.TB, paths []string, f func(path string)) {
	t.Helper()
	for _, path := range paths {
		onPath(t, path, func() { f(path) })
	}
}

// loopOnPath times f with the kernels of the named path.
func loopOnPath(b *testing.B, path string, f func()) {
	onPath(b, path, func() {
		for b.Loop() {
			f()
		}
	})
}

// checkPanic fails the test with the message unless f panics.
func checkPanic(t *testing.T, f func(), format string, args ...any) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf(format, args...)
		}
	}()
	f()
}

// fast lists the paths to compare with the portable one.
func fast() []string { return Implementations()[1:] }

// randoms draws n normal numbers.
func randoms(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

// anyFloats draws n numbers of any kind: see anyFloat.
func anyFloats(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = anyFloat(r)
	}
	return x
}

// firstDifference is the first index where x and y differ in bits, or −1.
func firstDifference(x, y []float32) int {
	for i := range x {
		if !sameBits(x[i], y[i]) {
			return i
		}
	}
	return -1
}

// ulps is the distance of got from the exact value, in units in the last
// place of a float32 near it.
func ulps(got float32, exact float64) float64 {
	want := float32(exact)
	if math.IsNaN(exact) || math.IsInf(float64(want), 0) || math.IsInf(float64(got), 0) || got != got {
		if sameBits(got, want) {
			return 0
		}
		return math.Inf(1)
	}
	_, e := math.Frexp(exact)
	return math.Abs(float64(got)-exact) / math.Ldexp(1, max(e-24, -149))
}
