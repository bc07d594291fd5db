package kernels

import "math"

// This file computes products of more than a few rows in portable Go, faster than addRow and with
// the same bits. It converts B to float64 and copies it to panels of ten columns. For each row of A
// and each panel, ten sums, one for each column, stay in registers while the terms are added. Three
// things make a term cheap:
//
//   - It leaves out terms whose number of A is 0. ReLU and dropout masks make many zeros.
//   - It does not check whether a sum is a denormal number: see canSkip.
//   - It does not compute ties, which fma explains. If a sum may be a tie, it drops the panel's sums,
//     and addRow computes them.
//
// On amd64 a term takes nine instructions for each column: load, multiply, add, round to float32 and
// back, move to an integer register, mask, compare and branch. That is 0.36 ns on a Zen 5 core. It
// takes as long without the last four, since the addition and the two conversions are the bottleneck.

const (
	panelColumns  = 10   // ten sums, a factor and a product fit the registers of amd64; 50 columns are common
	maxPanelTerms = 256  // maximum number of terms in a panel
	maxPackedB    = 8192 // maximum of the numbers in all panels: 64 KiB, which fit a second-level cache
)

// Smaller products take less time without panels.
const (
	minPanelRows    = 4
	minPanelColumns = 5
	minPanelTerms   = 4
)

// panelRow holds the numbers of B for one term: a part of a row of B.
type panelRow [panelColumns]float64

// panels has the numbers of B.
type panels struct {
	values   []panelRow // panel after panel, each term by term; the last panel ends with columns of zeros
	smallest uint32     // magnitude of the smallest number other than 0, less one
	isFinite bool       // whether no number is infinite or NaN
}

// panelTerm is a term of the sums of a row of A.
type panelTerm struct {
	factor float64 // number of A
	index  int     // index of the term in each panel
}

// hasPanels reports whether panels make the product faster.
func (g *Gemm) hasPanels() bool {
	return g.M >= minPanelRows && g.N >= minPanelColumns && g.K >= minPanelTerms
}

// shouldTranspose reports whether the transposed product Bᵀ·Aᵀ, whose panels have the columns of A, is
// faster. It is if its panels have fewer columns of zeros, or if B has more zeros than A, as a gradient
// after ReLU has. The columns of A must be contiguous, as in a transposed matrix.
func (g *Gemm) shouldTranspose() bool {
	if g.ARow != 1 || g.M < minPanelColumns {
		return false
	}
	nonzeroInA := 0 // in a sample of at most 16 terms
	nonzeroInB := 0
	step := (g.K + 15) / 16
	for p := 0; p < g.K; p += step {
		nonzeroInA += countNonzero(g.A[p*g.ACol:][:g.M])
		nonzeroInB += countNonzero(g.B[p*g.LDB:][:g.N])
	}
	return nonzeroInB*panelsFor(g.M) < nonzeroInA*panelsFor(g.N)
}

// countNonzero returns the number of elements other than 0.
func countNonzero(x []float32) int {
	n := 0
	for _, v := range x {
		if magnitude(v) != 0 {
			n++
		}
	}
	return n
}

// panelsFor returns the number of panels for a number of columns.
func panelsFor(columns int) int { return (columns + panelColumns - 1) / panelColumns }

// addPanels adds the product to C. It divides a large product into parts whose panels fit the buffer.
func (g *Gemm) addPanels() {
	buffers := takeBuffers()
	terms := blockSize(g.K, maxPanelTerms, 1)
	columns := blockSize(g.N, maxPackedB/terms, panelColumns)
	buffer := buffers.panels.resize(terms * panelsFor(columns))
	for j := 0; j < g.N; j += columns {
		for p := 0; p < g.K; p += terms {
			part := g.part(p, min(terms, g.K-p), j, min(columns, g.N-j))
			part.addPart(buffer)
		}
	}
	buffers.release()
}

// part returns the part of the product with the given numbers of terms and columns, from term p and
// column j on, without an epilogue.
func (g *Gemm) part(p, terms, j, columns int) Gemm {
	return Gemm{
		M: g.M, N: columns, K: terms,
		A: g.A[p*g.ACol:], ARow: g.ARow, ACol: g.ACol,
		B: g.B[p*g.LDB+j:], LDB: g.LDB,
		C: g.C[j:], LDC: g.LDC,
	}
}

// addPart adds the product to C. The panels must fit the buffer.
func (g *Gemm) addPart(buffer []panelRow) {
	b := g.pack(buffer)
	var terms [maxPanelTerms]panelTerm
	for i := range g.M {
		n, smallest := g.nonzeroTerms(&terms, i)
		if !b.canSkip(smallest) {
			g.addRow(i, 0, g.N)
			continue
		}
		panel := b.values
		for j := 0; j < g.N; j += panelColumns {
			columns := min(panelColumns, g.N-j)
			if !addPanel(g.C[i*g.LDC+j:][:columns], terms[:n], panel[:g.K]) {
				g.addRow(i, j, columns)
			}
			panel = panel[g.K:]
		}
	}
}

// pack copies B to panels in the buffer.
func (g *Gemm) pack(buffer []panelRow) panels {
	smallest := uint32(math.MaxUint32)
	largest := uint32(0)
	next := buffer
	for j := 0; j < g.N; j += panelColumns {
		columns := min(panelColumns, g.N-j)
		for p := range g.K {
			row := &next[0]
			next = next[1:]
			for c, x := range g.B[p*g.LDB+j:][:columns] {
				row[c] = float64(x)
				smallest = min(smallest, magnitude(x)-1) // for 0, the subtraction overflows to the largest number
				largest = max(largest, magnitude(x))
			}
			clear(row[columns:])
		}
	}
	isFinite := largest < magnitude(float32(math.Inf(1)))
	return panels{values: buffer, smallest: smallest, isFinite: isFinite}
}

// nonzeroTerms sets dst to the terms of row i whose number of A is not 0. It returns the number of
// these terms, and the smallest magnitude of their numbers of A, less one.
func (g *Gemm) nonzeroTerms(dst *[maxPanelTerms]panelTerm, i int) (n int, smallest uint32) {
	smallest = math.MaxUint32
	a := g.A[i*g.ARow:]
	for p := range g.K {
		x := a[p*g.ACol]
		dst[n&(maxPanelTerms-1)] = panelTerm{factor: float64(x), index: p}
		if magnitude(x) != 0 {
			n++ // otherwise the next term replaces this one
		}
		smallest = min(smallest, magnitude(x)-1)
	}
	return n, smallest
}

// magnitude returns an integer that is 0 for 0 and grows with |x|: the bits of x without the sign.
func magnitude(x float32) uint32 { return math.Float32bits(x) << 1 }

// canSkip reports whether sums without the terms whose number of A is 0, and without checks for denormal
// numbers, have the bits of addRow. smallest is the smallest magnitude in the row of A, less one.
//
// A number with the biased exponent e is a multiple of 2^(e−150). If the smallest exponents of both
// factors add up to 151, products are multiples of 2⁻¹⁴⁹, as all float32 are, and so are the exact sums.
// A sum below the smallest normal float32 then needs no rounding, and no sum becomes 0, or −0, by
// rounding. A product 0 changes only a sum of −0, which hasLostSign finds. If a number of B is infinite,
// its product with 0 is NaN, and no term can be left out.
func (b *panels) canSkip(smallest uint32) bool {
	const exponent = 24 // position of the exponent in a magnitude
	isMultiple := smallest>>exponent+b.smallest>>exponent >= 151
	return isMultiple && b.isFinite
}

// addPanel adds terms to the numbers of c, at most panelColumns, by the columns of a panel. It returns
// false and changes nothing if addRow has to compute a sum.
func addPanel(c []float32, terms []panelTerm, panel []panelRow) bool {
	var sums [panelColumns]float32
	copy(sums[:], c)
	if !addTerms(&sums, terms, panel) || hasLostSign(c, sums[:]) {
		return false
	}
	copy(c, sums[:])
	return true
}

// hasLostSign reports whether a sum began as −0 and ended as a zero, whose sign may depend on the
// terms that were left out.
func hasLostSign(before, after []float32) bool {
	const negativeZero = 1 << 31
	for i, x := range before {
		if math.Float32bits(x) == negativeZero && after[i] == 0 {
			return true
		}
	}
	return false
}

// addTerms adds terms to the sums c of a panel's columns. It returns false and changes nothing if a sum may
// be a tie.
//
// The sums are ten variables instead of an array, so that the compiler keeps them in registers.
func addTerms(c *[panelColumns]float32, terms []panelTerm, panel []panelRow) bool {
	c0, c1, c2, c3, c4 := float64(c[0]), float64(c[1]), float64(c[2]), float64(c[3]), float64(c[4])
	c5, c6, c7, c8, c9 := float64(c[5]), float64(c[6]), float64(c[7]), float64(c[8]), float64(c[9])
	for _, term := range terms {
		a := term.factor
		b := &panel[term.index]
		var t0, t1, t2, t3, t4, t5, t6, t7, t8, t9 bool
		c0, t0 = addProduct(c0, a, b[0])
		c1, t1 = addProduct(c1, a, b[1])
		if t0 || t1 {
			return false
		}
		c2, t2 = addProduct(c2, a, b[2])
		c3, t3 = addProduct(c3, a, b[3])
		if t2 || t3 {
			return false
		}
		c4, t4 = addProduct(c4, a, b[4])
		c5, t5 = addProduct(c5, a, b[5])
		if t4 || t5 {
			return false
		}
		c6, t6 = addProduct(c6, a, b[6])
		c7, t7 = addProduct(c7, a, b[7])
		if t6 || t7 {
			return false
		}
		c8, t8 = addProduct(c8, a, b[8])
		c9, t9 = addProduct(c9, a, b[9])
		if t8 || t9 {
			return false
		}
	}
	c[0], c[1], c[2], c[3], c[4] = float32(c0), float32(c1), float32(c2), float32(c3), float32(c4)
	c[5], c[6], c[7], c[8], c[9] = float32(c5), float32(c6), float32(c7), float32(c8), float32(c9)
	return true
}

// addProduct returns sum + a·b, rounded to float32, and whether the sum may be a tie.
func addProduct(sum, a, b float64) (rounded float64, mayBeTie bool) {
	sum += float64(a * b)
	return float64(float32(sum)), isNormalTie(sum)
}

// addRow adds columns j, …, j+n−1 of row i of the product to C, as Gemm defines it.
func (g *Gemm) addRow(i, j, n int) {
	c := g.C[i*g.LDC+j:][:n]
	for p := range g.K {
		addScaled(c, g.A[i*g.ARow+p*g.ACol], g.B[p*g.LDB+j:][:n])
	}
}
