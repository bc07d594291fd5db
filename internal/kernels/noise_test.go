package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sml/internal/portable"
)

// TestUniformsDefinition follows numbers by hand through the definition.
func TestUniformsDefinition(t *testing.T) {
	dst := make([]float32, 3*20)
	new(Noise).Uniforms(dst, 3, 20, 0x299f31d0_a4093822, 5, 6, 7)
	words := philoxWords([4]uint32{1<<31 + 2, 7, 6, 7}, [2]uint32{0xa4093822, 0x299f31d0}, 7)
	for c, w := range words {
		if got, want := float64(dst[2*20+8+c]), (float64(w>>9)+0.5)/(1<<23); got != want {
			t.Errorf("row 2, column %d: %v, want %v", 8+c, got, want)
		}
	}
}

func TestNoiseDoesNotDependOnItsBlock(t *testing.T) {
	for _, draw := range []func([]float32, int, int, uint64, uint32, uint32, uint32){new(Noise).Uniforms, new(Noise).Normals} {
		whole, part := make([]float32, 40*131), make([]float32, 10*131)
		draw(whole, 40, 131, 9, 100, 3, 4)
		draw(part, 10, 131, 9, 125, 3, 4)
		if !slices.Equal(whole[25*131:35*131], part) {
			t.Error("rows depend on the row that a block begins with")
		}
		narrow := make([]float32, 40*7)
		draw(narrow, 40, 7, 9, 100, 3, 4)
		if !slices.Equal(narrow[:7], whole[:7]) || !slices.Equal(narrow[7:14], whole[131:138]) {
			t.Error("a number depends on how many columns there are")
		}
		for _, other := range [][4]uint32{{10, 100, 3, 4}, {9, 101, 3, 4}, {9, 100, 4, 4}, {9, 100, 3, 5}} {
			draw(part, 10, 131, uint64(other[0]), other[1], other[2], other[3])
			same := 0
			for i := range part {
				if part[i] == whole[i] {
					same++
				}
			}
			if same > 2 {
				t.Errorf("%v gives %d of the same numbers", other, same)
			}
		}
	}
}

// TestNoiseDistributions draws a million numbers. The largest distance of the
// empirical distribution from the exact one exceeds 2.2/√n in one of 16,000 cases
// (Kolmogorov's limit, 2·exp(−2·2.2²)). The moments of N(0, 1) have standard errors
// of √(Var zᵏ/n): Var z = 1, Var z² = 2, Var z³ = 15, Var z⁴ = 96; those of U(0, 1) of
// √(1/12n) and, about the mean, √(1/180n).
func TestNoiseDistributions(t *testing.T) {
	const rows, cols, n = 1000, 1000, 1e6
	dst := make([]float32, rows*cols)
	check := func(what string, got, want, variance float64) {
		t.Helper()
		if math.Abs(got-want) > 5*math.Sqrt(variance/n) {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	distance := func(cdf func(float64) float64) float64 {
		sorted := slices.Sorted(slices.Values(dst))
		most := 0.0
		for i, x := range sorted {
			p := cdf(float64(x))
			most = max(most, p-float64(i)/n, float64(i+1)/n-p)
		}
		return most * math.Sqrt(n)
	}
	new(Noise).Uniforms(dst, rows, cols, 1, 0, 0, 0)
	if slices.Min(dst) <= 0 || slices.Max(dst) >= 1 {
		t.Errorf("uniform numbers from %v to %v", slices.Min(dst), slices.Max(dst))
	}
	var mean, square float64
	for _, u := range dst {
		mean += float64(u) / n
		square += (float64(u) - 0.5) * (float64(u) - 0.5) / n
	}
	check("mean of uniform numbers", mean, 0.5, 1.0/12)
	check("variance of uniform numbers", square, 1.0/12, 1.0/180)
	if d := distance(func(x float64) float64 { return x }); d > 2.2 {
		t.Errorf("uniform numbers: Kolmogorov's distance is %v/√n", d)
	}

	new(Noise).Normals(dst, rows, cols, 1, 0, 0, 0)
	var m [5]float64
	var neighbours, tail float64
	for i, z := range dst {
		for k, p := 1, float64(z); k <= 4; k, p = k+1, p*float64(z) {
			m[k] += p / n
		}
		if i > 0 {
			neighbours += float64(z) * float64(dst[i-1]) / n
		}
		if math.Abs(float64(z)) > 3.5 { // beyond the lowest strip's end at 3.44
			tail++
		}
	}
	for k, variance := range []float64{1: 1, 2: 2, 3: 15, 4: 96} {
		if k > 0 {
			check(fmt.Sprintf("moment %d", k), m[k], []float64{1: 0, 2: 1, 3: 0, 4: 3}[k], variance)
		}
	}
	check("product of neighbours", neighbours, 0, 1)
	q := 2 * portable.NormalCDF(-3.5)
	check("share beyond 3.5", tail/n, q, q)
	if d := distance(portable.NormalCDF); d > 2.2 {
		t.Errorf("normal numbers: Kolmogorov's distance is %v/√n", d)
	}
}

// TestNormalsStay has the first numbers of a key: whatever changes them changes every
// training with noise. Source: this program, when they were first drawn.
func TestNormalsStay(t *testing.T) {
	dst := make([]float32, 4)
	new(Noise).Normals(dst, 1, 4, 1, 2, 3, 4)
	if want := []float32{1.2163458, -0.22836377, -0.7670357, 1.5337065}; !slices.Equal(dst, want) {
		t.Errorf("%v, want %v", dst, want)
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

func BenchmarkNoise(b *testing.B) {
	n, dst := new(Noise), make([]float32, 1000)
	for _, path := range Implementations() {
		for _, cols := range []int{1, 2, 7, 50, 100, 1000} {
			rows := len(dst) / cols
			for kind, draw := range map[string]func([]float32, int, int, uint64, uint32, uint32, uint32){"normals": n.Normals, "uniforms": n.Uniforms} {
				b.Run(fmt.Sprintf("%s/%s/%d", path, kind, cols), func(b *testing.B) {
					onPath(b, path, func() {
						step := uint32(0)
						for b.Loop() {
							draw(dst, rows, cols, 1, 2, step, 4)
							step++
						}
					})
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows*cols), "ns/number")
				})
			}
		}
	}
}
