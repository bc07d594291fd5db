package kernels

import (
	"encoding/binary"
	"hash"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sml/internal/expect"
)

func TestUse(t *testing.T) {
	defer UseImplementation(Implementation())
	for _, name := range Implementations() {
		if err := UseImplementation(name); err != nil || Implementation() != name {
			t.Errorf("UseImplementation(%q): %v, and %q is in use", name, err, Implementation())
		}
	}
	last := Implementation()
	err := UseImplementation("sse9")
	if err == nil || !strings.Contains(err.Error(), "sse9") || !strings.Contains(err.Error(), "portable") {
		t.Errorf("unknown kernels: %v, want an error that isaNames them and those there are", err)
	}
	if Implementation() != last {
		t.Errorf("a failed UseImplementation changed %q to %q", last, Implementation())
	}
	for _, name := range isaNames {
		if !slices.Contains(Implementations(), name) && UseImplementation(name) == nil {
			t.Errorf("UseImplementation(%q) of kernels that this CPU lacks succeeds", name)
		}
	}
}

func TestStart(t *testing.T) {
	defer UseImplementation(Implementation())
	expect.NoError(t, useFromEnvironment(""))
	if err := useFromEnvironment("portable"); err != nil || Implementation() != "portable" {
		t.Errorf("%v, %q in use", err, Implementation())
	}
	expect.Error(t, useFromEnvironment("fast"), "SML_KERNELS")
}

// widened returns the same numbers in float64.
func widened(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

// plain draws n numbers in (−2, 2) by integer arithmetic alone, so that they
// are the same on every platform.
func plain(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(int32(r.Uint32())>>8) / (1 << 22)
	}
	return x
}

// digest hashes numbers. All NaNs are one.
type digest struct{ hash.Hash64 }

func (d digest) add(x []float32) {
	for _, v := range x {
		if v != v {
			v = float32(math.NaN())
		}
		d.Write(binary.LittleEndian.AppendUint64(nil, uint64(math.Float32bits(v))))
	}
}

// TestSameBytesOnEveryMachine compares digests of the results of all kernels with the digests on an x86-64 machine
// with AVX-512. Machines with the portable path alone are thus compared with it, too. The digest of noise comes from
// a plain loop over rows.
func TestSameBytesOnEveryMachine(t *testing.T) {
	for name, c := range map[string]struct {
		add  func(d digest)
		want uint64
	}{
		"kernels": {addKernels, 0xff34778298c8231f},
		"noise":   {addNoise, 0xc590fab04d3a4220},
	} {
		onPaths(t, Implementations(), func(path string) {
			d := digest{fnv.New64a()}
			c.add(d)
			if got := d.Sum64(); got != c.want {
				t.Errorf("%s on %s: digest %#x, want %#x", name, path, got, c.want)
			}
		})
	}
}

// addKernels adds results of all kernels but noise.
func addKernels(d digest) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		g := randomGemm(r, 1+i%11, 1+(7*i)%60, (5*i)%31, i, plain)
		g.Run()
		d.add(g.C)
		d.add(g.Masked)
	}
	a, b, c, e, dst := plain(r, 777), plain(r, 777), plain(r, 777), plain(r, 777), make([]float32, 777)
	for op := Neg; op <= lastUnary; op++ {
		for _, scale := range []float32{1e-39, 0.5, 1, 60} {
			BinaryScalar(Mul, dst, a, scale)
			Unary(op, dst, dst)
			d.add(dst)
		}
	}
	for op := Add; op <= lastBinary; op++ {
		Binary(op, dst, a, b)
		d.add(dst)
	}
	Unary(Abs, e, e)
	Adam(a, b, c, e, 1e-3, 0.9, 0.999, 1e-8, 3, 30, 0.01)
	d.add(a)
	SumCols(dst, a, 7, 111)
	SumRows(dst, a, 7, 111, true)
	d.add(append(dst, Sum(a)))
	Masks(dst, 7, 111, 1<<40+5, 6, 7, 8, 50_000, 1.3)
	d.add(dst)
	GatherStandardised(dst, widened(a), 37, []int32{3, 0, 20}, widened(b[:37]), widened(c[:37]))
	d.add(dst)
	mean, m2 := make([]float64, 777), make([]float64, 777)
	for i, x := range [][]float32{a, b, c} {
		Welford(mean, m2, x, i+1)
	}
	for _, v := range append(mean, m2...) {
		d.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
	}
}

// addNoise adds uniform and normal numbers.
func addNoise(d digest) {
	n := new(Noise)
	for _, m := range drawings(rand.New(rand.NewPCG(5, 0))) {
		dst := make([]float32, m.rows*m.cols)
		for _, draw := range []func([]float32, int, int, uint64, uint32, uint32, uint32){n.Uniforms, n.Normals} {
			draw(dst, m.rows, m.cols, m.key, m.first, m.step, m.stream)
			for _, x := range dst {
				d.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
			}
		}
	}
}

func TestNoAllocations(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	a, b, c, d := randoms(r, 600), randoms(r, 600), randoms(r, 600), randoms(r, 600)
	mean, m2 := make([]float64, 600), make([]float64, 600)
	gemms := []Gemm{randomGemm(r, 20, 30, 20, 0b01111100, randoms), randomGemm(r, 20, 1, 200, 16, randoms), randomGemm(r, 20, 30, 500, 2, randoms), randomGemm(r, 50, 50, 700, 2, randoms), randomGemm(r, 530, 520, 530, 0, plain), randomGemm(r, 530, 520, 530, 2, plain)}
	noise, drawn := new(Noise), make([]float32, 3000)
	rows := []int32{1, 2, 0}
	table, shift, scale := widened(b), widened(c[:30]), widened(d[:30])
	onPaths(t, Implementations(), func(path string) {
		n := testing.AllocsPerRun(10, func() {
			for _, g := range gemms {
				g.Run() // a copy, on the stack
			}
			Transpose(a, b, 20, 30)
			Binary(Add, a, b, c)
			BinaryScalar(Add, a, b, 2)
			ScalarBinary(Sub, a, 2, b)
			Unary(Softplus, a, b)
			Binary(Gate, a, b, c)
			a[0] = Sum(b)
			SumCols(a, b, 20, 30)
			SumRows(a, b, 20, 30, true)
			Adam(a, b, c, d, 1e-3, 0.9, 0.999, 1e-8, 1, 1, 0)
			Masks(a, 20, 30, 1, 2, 3, 4, 40_000, 1)
			GatherStandardised(a, table, 30, rows, shift, scale)
			Welford(mean, m2, a, 3)
			noise.Uniforms(drawn, 30, 100, 1, 2, 3, 4)
			noise.Normals(drawn, 30, 100, 1, 2, 3, 4)
			noise.Normals(drawn, 3000, 1, 1, 2, 3, 4)
		})
		if n != 0 {
			t.Errorf("%s: %v allocations", path, n)
		}
	})
}
