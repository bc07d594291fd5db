package kernels

// Gemm is a product C = A·B of small matrices with an epilogue: elementwise operations that are
// applied while an element is still in a register. The steps for each element are
//
//	v = Σ_p A[i,p]·B[p,j]                 C[i,j] + Σ if Accumulate
//	v += Bias[j]                          if Bias
//	v = 0 if v < 0                        if Relu (NaN and −0 stay)
//	C[i,j] = v                            if Masked; the final v then goes to Masked
//	v *= Mask[i,j]                        if Mask
//	v = 0 unless Gate[i,j] > 0            if Gate
//	C[i,j] = v                            unless Masked
//
// The sum is a chain of fma over ascending p that begins with 0 or C. Products with a vector are
// an exception, for speed: where N and ACol are 1, term p is added by fma to lane p%16 of 16
// lanes, the lanes are added as in Sum, and the result is added to 0 or C.
//
// Slices may be longer than needed. Bias, Mask, Masked and Gate are left out if nil. No matrix may
// overlap C or Masked.
type Gemm struct {
	M, N, K int

	A          []float32
	ARow, ACol int // element (i, p) is A[i*ARow+p*ACol]; ARow is 1 for a transposed matrix

	B   []float32
	LDB int // element (p, j) is B[p*LDB+j]

	C          []float32
	LDC        int  // element (i, j) is C[i*LDC+j]; similarly for the matrices below
	Accumulate bool // whether the product is added to C

	Bias []float32 // N numbers
	Relu bool

	Mask   []float32 // M×N, or one row for all rows if LDMask is 0
	LDMask int

	Masked   []float32 // M×N; receives the masked elements, while C keeps those before the mask
	LDMasked int

	Gate   []float32 // M×N; must be nil if Masked is set
	LDGate int
}

// Run computes the product. It panics if a slice is too short for its matrix.
func (g *Gemm) Run() {
	g.check()
	if g.M == 0 || g.N == 0 {
		return
	}
	if g.N == 1 && g.ACol == 1 { // a matrix with contiguous rows times a vector
		g.runVector()
		return
	}
	if currentISA == portableISA {
		g.runPortable()
		return
	}
	t := g.newTile()
	lastColumns := g.lastColumns()
	if !g.shouldTransposeLast(lastColumns) {
		t.run()
		return
	}
	t.n -= lastColumns
	if t.n > 0 {
		t.run()
	}
	g.runLastColumns(lastColumns)
}

// vectorWidth is the number of float32 in a vector of AVX-512.
const vectorWidth = 16

// maxLastColumns is the maximum number of columns after the last full vector that a product with a
// transposed A computes separately: as rows of the transposed product Bᵀ·Aᵀ, whose vectors run
// along the contiguous columns of A. With AVX-512, the gradient of a weight with 50 columns then
// needs 3 vectors per row, not 4, and a gradient of 50 rows and 2 columns needs 8 vectors in all,
// not 50.
const maxLastColumns = 4

// minTransposedRows is the number of rows of C from which copying the last columns to and from the
// transposed product costs less than it saves.
const minTransposedRows = 32

// lastColumns returns the number of columns after the last full vector that may be computed separately. With NEON,
// whose vectors have 4 columns and may overlap, these are all columns of a product with at most maxLastColumns.
func (g *Gemm) lastColumns() int {
	if currentISA == neon && g.N > maxLastColumns {
		return 0
	}
	return g.N % vectorWidth
}

// shouldTransposeLast reports whether the last columns, after the last full vector, are faster as
// rows of the transposed product. That needs a transposed A, whose columns are contiguous, and no
// epilogue, whose matrices would have to be transposed as well.
func (g *Gemm) shouldTransposeLast(columns int) bool {
	hasFewColumns := 0 < columns && columns <= maxLastColumns
	return g.ARow == 1 && g.hasNoEpilogue() && hasFewColumns && g.M >= minTransposedRows && g.K > 0
}

// hasNoEpilogue reports whether elements are stored as they are summed.
func (g *Gemm) hasNoEpilogue() bool {
	return g.Bias == nil && !g.Relu && g.Mask == nil && g.Masked == nil && g.Gate == nil
}

// runLastColumns computes the last columns of C as rows of the transposed product, for 64 rows of C
// at a time: the result of each turn is a small matrix on the stack, which is copied to the columns.
func (g *Gemm) runLastColumns(columns int) {
	const width = 64 // rows of C per turn, the columns of transposed
	var transposed [maxLastColumns * width]float32
	first := g.N - columns
	for i := 0; i < g.M; i += width {
		rows := min(width, g.M-i)
		t := tile{ // Cᵀ = Bᵀ·Aᵀ: the operands change places
			a:    &g.B[first],
			b:    &g.A[i],
			c:    &transposed[0],
			m:    columns,
			n:    rows,
			k:    g.K,
			aRow: float32Bytes,
			aCol: float32Bytes * g.LDB,
			ldb:  float32Bytes * g.ACol,
			ldc:  float32Bytes * width,
		}
		if g.Accumulate {
			t.accumulate = 1
			for j := range columns {
				g.loadColumn(transposed[j*width:][:rows], i, first+j)
			}
		}
		t.run()
		for j := range columns {
			g.storeColumn(transposed[j*width:][:rows], i, first+j)
		}
	}
}

// loadColumn copies elements of column j of C, from row i on, to dst.
func (g *Gemm) loadColumn(dst []float32, i, j int) {
	column := g.C[i*g.LDC+j:]
	for r := range dst {
		dst[r] = column[r*g.LDC]
	}
}

// storeColumn copies src to column j of C, from row i on.
func (g *Gemm) storeColumn(src []float32, i, j int) {
	column := g.C[i*g.LDC+j:]
	for r, v := range src {
		column[r*g.LDC] = v
	}
}

// check panics if a slice is too short for its matrix.
func (g *Gemm) check() {
	m, n, k := g.M, g.N, g.K
	if m < 0 || n < 0 || k < 0 {
		panic("kernels: Gemm: negative size")
	}
	if m == 0 || n == 0 {
		return
	}
	if k > 0 { // with k = 0, A and B have no elements and are not read
		lastOfA := (m-1)*g.ARow + (k-1)*g.ACol // index of A's last element
		if g.ARow < 0 || g.ACol < 0 || len(g.A) <= lastOfA {
			panic("kernels: Gemm: A is shorter than M rows of K columns")
		}
		checkSize(g.B, k, n, g.LDB, "kernels: Gemm: B is shorter than K rows of N columns, or LDB < N")
	}
	checkSize(g.C, m, n, g.LDC, "kernels: Gemm: C is shorter than M rows of N columns, or LDC < N")
	if g.Bias != nil && len(g.Bias) < n {
		panic("kernels: Gemm: Bias is shorter than N")
	}
	if g.Mask != nil {
		maskRows := m
		if g.LDMask == 0 {
			maskRows = 1
		}
		checkSize(g.Mask, maskRows, n, g.LDMask, "kernels: Gemm: Mask is shorter than M rows of N columns, or LDMask < N")
	}
	if g.Masked != nil {
		checkSize(g.Masked, m, n, g.LDMasked, "kernels: Gemm: Masked is shorter than M rows of N columns, or LDMasked < N")
		if g.Gate != nil {
			panic("kernels: Gemm: Masked and Gate together")
		}
	}
	if g.Gate != nil {
		checkSize(g.Gate, m, n, g.LDGate, "kernels: Gemm: Gate is shorter than M rows of N columns, or LDGate < N")
	}
}

// checkSize panics with a message unless x has room for rows×cols numbers, with the rows ld numbers
// apart.
func checkSize(x []float32, rows, cols, ld int, message string) {
	if ld < cols && rows > 1 || len(x) < (rows-1)*ld+cols {
		panic(message)
	}
}

// tile is a Gemm as the assembly reads it. gen/gemm.go relies on the order of its fields.
type tile struct {
	a, b, c                  *float32
	bias, mask, masked, gate *float32 // nil if left out
	m, n, k                  int
	aRow, aCol, ldb, ldc     int // distances in bytes
	ldMask, ldMasked, ldGate int // distances in bytes
	accumulate, relu         int // 0 or 1
}

// newTile returns the tile of the whole product.
func (g *Gemm) newTile() tile {
	t := tile{
		a:        addressOf(g.A),
		b:        addressOf(g.B),
		c:        addressOf(g.C),
		bias:     addressOf(g.Bias),
		mask:     addressOf(g.Mask),
		masked:   addressOf(g.Masked),
		gate:     addressOf(g.Gate),
		m:        g.M,
		n:        g.N,
		k:        g.K,
		aRow:     float32Bytes * g.ARow,
		aCol:     float32Bytes * g.ACol,
		ldb:      float32Bytes * g.LDB,
		ldc:      float32Bytes * g.LDC,
		ldMask:   float32Bytes * g.LDMask,
		ldMasked: float32Bytes * g.LDMasked,
		ldGate:   float32Bytes * g.LDGate,
	}
	if g.Accumulate {
		t.accumulate = 1
	}
	if g.Relu {
		t.relu = 1
	}
	return t
}

// addressOf returns the address of a slice's first number, nil for an empty slice.
func addressOf(x []float32) *float32 {
	if len(x) == 0 {
		return nil
	}
	return &x[0]
}

// runPortable computes the product in portable Go.
func (g *Gemm) runPortable() {
	if !g.Accumulate {
		for i := range g.M {
			clear(g.C[i*g.LDC:][:g.N])
		}
	}
	switch {
	case !g.hasPanels():
		for i := range g.M {
			g.addRow(i, 0, g.N)
		}
	case g.shouldTranspose():
		g.addTransposed()
	default:
		g.addPanels()
	}
	for i := range g.M {
		g.applyEpilogue(i)
	}
}

// addTransposed adds the product to C by panels of the transposed product Cᵀ = Bᵀ·Aᵀ.
func (g *Gemm) addTransposed() {
	buffers := takeBuffers()
	t := Gemm{
		M: g.N, N: g.M, K: g.K,
		A: g.B, ARow: 1, ACol: g.LDB, // the operands change places
		B: g.A, LDB: g.ACol,
		C: buffers.a.resize(g.M * g.N), LDC: g.M,
	}
	for j := range g.N {
		g.loadColumn(t.C[j*g.M:][:g.M], 0, j)
	}
	t.addPanels()
	for j := range g.N {
		g.storeColumn(t.C[j*g.M:][:g.M], 0, j)
	}
	buffers.release()
}

// applyEpilogue applies the epilogue to row i of C, whose elements are the sums.
func (g *Gemm) applyEpilogue(i int) {
	c := g.C[i*g.LDC:][:g.N]
	if g.Bias != nil {
		for j, bias := range g.Bias[:len(c)] {
			c[j] += bias
		}
	}
	if g.Relu {
		for j, v := range c {
			c[j] = zeroIf(v < 0, v)
		}
	}
	if g.Masked != nil { // C keeps the numbers before the mask
		masked := g.Masked[i*g.LDMasked:][:g.N]
		copy(masked, c)
		c = masked
	}
	if g.Mask != nil {
		for j, m := range g.Mask[i*g.LDMask:][:len(c)] {
			c[j] *= m
		}
	}
	if g.Gate != nil {
		for j, gate := range g.Gate[i*g.LDGate:][:len(c)] {
			c[j] = zeroIf(!(gate > 0), c[j]) // closed for NaN, too
		}
	}
}
