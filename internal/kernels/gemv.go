package kernels

// vector is Gemm where B is one column and A's rows are contiguous.
func (g *Gemm) vector() {
	x, k := g.B, g.K
	if active == inGo || g.LDB != 1 || k == 0 {
		for i := range g.M {
			var lanes [16]float32
			row := g.A[min(i*g.ARow, len(g.A)):][:k]
			for p, a := range row {
				lanes[p%16] = fma(a, x[p*g.LDB], lanes[p%16])
			}
			g.C[i*g.LDC] = g.start(i) + tree(lanes[:])
		}
	} else {
		accumulate := 0
		if g.Accumulate {
			accumulate = 1
		}
		if active == avx512 {
			gemvAVX512(&g.C[0], 4*g.LDC, &g.A[0], 4*g.ARow, &x[0], g.M, k, accumulate)
		} else {
			gemvAVX2(&g.C[0], 4*g.LDC, &g.A[0], 4*g.ARow, &x[0], g.M, k, accumulate)
		}
	}
	if !g.Relu && g.Mask == nil && g.Masked == nil && g.Gate == nil {
		switch {
		case g.Bias == nil:
			return
		case g.LDC == 1: // the output layer of a network: one addition for each row
			BinaryScalar(Add, g.C[:g.M], g.C[:g.M], g.Bias[0])
			return
		}
	}
	for i := range g.M {
		g.tail(i)
	}
}

// start is what the sum of row i is added to.
func (g *Gemm) start(i int) float32 {
	if g.Accumulate {
		return g.C[i*g.LDC]
	}
	return 0
}

// tree adds a power of two of lanes: the upper half to the lower, until one
// is left. It overwrites lanes.
func tree(lanes []float32) float32 {
	for n := len(lanes) / 2; n > 0; n /= 2 {
		for i := range n {
			lanes[i] += lanes[i+n]
		}
	}
	return lanes[0]
}
