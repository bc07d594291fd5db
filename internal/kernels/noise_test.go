package kernels

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sml/internal/portable"
)

// TestNoiseDistributions draws a million numbers. The largest distance of the
// empirical distribution from the exact one exceeds 2.2/√n in one of 16,000 cases
// (Kolmogorov's limit, 2·exp(−2·2.2²)). The fourth moment of N(0, 1), the product of
// neighbours and the share beyond 3.5 have standard errors of √(96/n), √(1/n) and √(q/n).
func TestNoiseDistributions(t *testing.T) {
	const rows, cols, n = 1000, 1000, 1e6
	dst := make([]float32, rows*cols)
	checkDistance := func(what string, cdf func(float64) float64) {
		t.Helper()
		most := 0.0
		for i, x := range slices.Sorted(slices.Values(dst)) {
			p := cdf(float64(x))
			most = max(most, p-float64(i)/n, float64(i+1)/n-p)
		}
		if d := most * math.Sqrt(n); d > 2.2 {
			t.Errorf("%s: Kolmogorov's distance is %v/√n", what, d)
		}
	}
	new(Noise).Uniforms(dst, rows, cols, 1, 0, 0, 0)
	if slices.Min(dst) <= 0 || slices.Max(dst) >= 1 {
		t.Errorf("uniform numbers from %v to %v", slices.Min(dst), slices.Max(dst))
	}
	checkDistance("uniform numbers", func(x float64) float64 { return x })

	new(Noise).Normals(dst, rows, cols, 1, 0, 0, 0)
	checkDistance("normal numbers", portable.NormalCDF)
	var fourth, neighbours, tail float64
	for i, z := range dst {
		fourth += math.Pow(float64(z), 4) / n
		if i > 0 {
			neighbours += float64(z) * float64(dst[i-1]) / n
		}
		if math.Abs(float64(z)) > 3.5 { // beyond the lowest strip's end at 3.44
			tail++
		}
	}
	q := 2 * portable.NormalCDF(-3.5)
	for _, c := range []struct {
		what                string
		got, want, variance float64
	}{
		{"fourth moment", fourth, 3, 96},
		{"product of neighbours", neighbours, 0, 1},
		{"share beyond 3.5", tail / n, q, q},
	} {
		if math.Abs(c.got-c.want) > 5*math.Sqrt(c.variance/n) {
			t.Errorf("%s is %v, want %v", c.what, c.got, c.want)
		}
	}
}

// drawing is noise to draw.
type drawing struct {
	rows, cols          int
	key                 uint64
	first, step, stream uint32
}

// drawings are of narrow matrices of every width and of some wide ones.
func drawings(r *rand.Rand) []drawing {
	var list []drawing
	add := func(rows, cols int) {
		list = append(list, drawing{rows, cols, r.Uint64(), r.Uint32(), r.Uint32(), r.Uint32()})
	}
	for cols := 1; cols <= 70; cols++ {
		for _, rows := range []int{1, 2 + r.IntN(30), 100 + r.IntN(300)} {
			add(rows, cols)
		}
	}
	for _, cols := range []int{100, 127, 128, 500, 1000, 1021, 1023, 1024, 1025, 1028, 2047, 2048, 5000} {
		for _, rows := range []int{1, 3, 20} {
			add(rows, cols)
		}
	}
	list[5].first, list[50].first = math.MaxUint32, math.MaxUint32-3 // they wrap
	add(0, 3)
	add(3, 0)
	return list
}

// TestNoiseOnAllPaths compares the numbers with their definition.
func TestNoiseOnAllPaths(t *testing.T) {
	var drawn, more, tail int
	for i, d := range drawings(rand.New(rand.NewPCG(5, 0))) {
		uniform, normal := make([]float32, d.rows*d.cols), make([]float32, d.rows*d.cols)
		key := [2]uint32{uint32(d.key), uint32(d.key >> 32)}
		for at := range uniform {
			c, counter := at%d.cols, [4]uint32{0, d.first + uint32(at/d.cols), d.step, d.stream}
			counter[0] = 1<<31 + uint32(c/4)
			word := philoxWords(counter, key, 7)[c%4]
			uniform[at] = float32((float64(word>>9) + 0.5) / (1 << 23))
			portable.NormFloat32s(normal[at:at+1], []uint32{word}, func(int) *rand.Rand {
				counter[0] = 1<<31 + 1<<30 + uint32(c)
				w := philoxWords(counter, key, 7)
				if more++; word%128 == 0 {
					tail++
				}
				return rand.New(rand.NewPCG(uint64(w[1])<<32|uint64(w[0]), uint64(w[3])<<32|uint64(w[2])))
			})
			drawn++
		}
		for _, path := range Implementations() {
			n := new(Noise)
			for _, test := range []struct {
				kind string
				draw func([]float32, int, int, uint64, uint32, uint32, uint32)
				want []float32
			}{{"uniforms", n.Uniforms, uniform}, {"normals", n.Normals, normal}} {
				got := (&fences{t: t, atEnd: i%2 == 0}).slice(make([]float32, len(uniform)))
				onPath(t, path, func() { test.draw(got, d.rows, d.cols, d.key, d.first, d.step, d.stream) })
				if at := firstDifference(test.want, got); at >= 0 {
					t.Fatalf("%s: %s %d×%d: number %d is %v, want %v", path, test.kind, d.rows, d.cols, at, got[at], test.want[at])
				}
			}
		}
	}
	if more < drawn/100 || tail < 10 {
		t.Errorf("of %d numbers %d need more than a word, %d of them in the strip with the tail: too few to test with", drawn, more, tail)
	}
}

// TestNormalsAtTheEdges has words at both ends of each strip and of its share that a
// word suffices for, which random words seldom meet.
func TestNormalsAtTheEdges(t *testing.T) {
	inside, _ := portable.Ziggurat()
	var words []uint32
	for strip, share := range inside {
		for _, place := range []int64{0, int64(share), 1<<31 - 1} {
			for step := int64(-3); step <= 3; step++ {
				for _, k := range []int64{place>>7 + step, -place>>7 + step} {
					words = append(words, uint32(max(-1<<24, min(k, 1<<24-1)))<<7|uint32(strip))
				}
			}
		}
	}
	for len(words) > 0 {
		n := new(Noise)
		n.block.rows, n.block.cols = 1, len(n.words)
		drawn := copy(n.words[:], words)
		words = words[drawn:]
		want, got := make([]float32, drawn), make([]float32, drawn)
		onPath(t, "portable", func() { n.writeNormals(want) })
		for _, path := range fast() {
			onPath(t, path, func() { n.writeNormals(got) })
			if at := firstDifference(want, got); at >= 0 {
				t.Errorf("%s: the number of word %#x is %v, want %v", path, n.words[at], got[at], want[at])
			}
		}
	}
}
