package kernels

// vectorLanes is the number of interleaved partial sums of a product with a vector.
const vectorLanes = 16

// runVector computes a product whose B is one column, if the rows of A are contiguous: first all sums,
// and then the epilogue over the column C.
func (g *Gemm) runVector() {
	if currentISA == portableISA || g.LDB != 1 || g.K == 0 {
		g.sumVectorPortable()
	} else {
		g.sumVector()
	}
	hasAtMostBias := !g.Relu && g.Mask == nil && g.Masked == nil && g.Gate == nil
	switch {
	case hasAtMostBias && g.Bias == nil:
	case hasAtMostBias && g.LDC == 1: // the output layer of a network: C is contiguous
		BinaryScalar(Add, g.C[:g.M], g.C[:g.M], g.Bias[0])
	default:
		for i := range g.M {
			g.applyEpilogue(i)
		}
	}
}

// sumVectorPortable is the definition of the sums of a product with a vector.
func (g *Gemm) sumVectorPortable() {
	for i := range g.M {
		var lanes [vectorLanes]float32
		row := g.A[min(i*g.ARow, len(g.A)):][:g.K] // without min, an empty A would panic if K is 0
		for p, a := range row {
			lane := &lanes[p%vectorLanes]
			b := g.B[p*g.LDB]
			sum := float64(float64(a)*float64(b)) + float64(*lane) // the usual case of fma, for speed
			if mayBeTie(sum) {
				*lane = fmaTie(a, b, *lane)
			} else {
				*lane = float32(sum)
			}
		}
		initial := float32(0)
		if g.Accumulate {
			initial = g.C[i*g.LDC]
		}
		g.C[i*g.LDC] = initial + addLanes(lanes[:])
	}
}

// sumVector computes the sums of a product with a contiguous vector in assembly, which takes distances
// in bytes.
func (g *Gemm) sumVector() {
	accumulate := 0
	if g.Accumulate {
		accumulate = 1
	}
	switch currentISA {
	case avx512:
		gemvAVX512(&g.C[0], float32Bytes*g.LDC, &g.A[0], float32Bytes*g.ARow, &g.B[0], g.M, g.K, accumulate)
	case avx2:
		gemvAVX2(&g.C[0], float32Bytes*g.LDC, &g.A[0], float32Bytes*g.ARow, &g.B[0], g.M, g.K, accumulate)
	default:
		gemvNEON(&g.C[0], float32Bytes*g.LDC, &g.A[0], float32Bytes*g.ARow, &g.B[0], g.M, g.K, accumulate)
	}
}

// addLanes adds the upper half of the lanes to the lower half until one lane is left, and returns
// it. It overwrites lanes, whose number is a power of two.
func addLanes(lanes []float32) float32 {
	for n := len(lanes) / 2; n > 0; n /= 2 {
		for i := range n {
			lanes[i] += lanes[i+n]
		}
	}
	return lanes[0]
}
