package data

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"sml/internal/expect"
	"sml/internal/linear"
	"sml/internal/portable"
)

var ctx = context.Background()

// factorTable returns a table with the given numbers of rows and columns. Each column is a sum of shared factors and
// noise.
func factorTable(rows, columns, factors int, seed uint64) *Table {
	r := rand.New(rand.NewPCG(seed, 7))
	t := &Table{Name: "made", Columns: make([]string, columns)}
	weights := make([]float64, factors*columns)
	for i := range weights {
		weights[i] = portable.NormFloat64(r) / float64(1+i/columns)
	}
	for range rows {
		row := make([]float64, columns)
		for f := range factors {
			z := portable.NormFloat64(r)
			for j := range row {
				row[j] += float64(z * weights[f*columns+j])
			}
		}
		for j := range row {
			t.X = append(t.X, 100+float64(j)+float64(float64(1+j%7)*(row[j]+portable.NormFloat64(r))))
		}
	}
	return t
}

// gonumProjection is principal by gonum's mat.EigenSym.
func gonumProjection(t *Table) []float64 {
	d, s := len(t.Columns), FitScalers(t.X, t.Columns, nil)
	z := mat.NewDense(t.Rows(), d, nil)
	for i, v := range t.X {
		z.Set(i/d, i%d, (v-s[i%d].Mean)/s[i%d].Std)
	}
	var covariance mat.SymDense
	covariance.SymOuterK(1/float64(t.Rows()), z.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&covariance, true) {
		panic("no eigenvalues")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	loadings := mat.Col(nil, d-1, &vectors)
	orient(loadings)
	var out mat.VecDense
	out.MulVec(z, mat.NewVecDense(d, loadings))
	return out.RawVector().Data
}

func TestPrincipalAsGonum(t *testing.T) {
	for _, c := range []struct{ rows, columns, factors int }{
		{20, 1, 1}, {20, 2, 1}, {2, 3, 1}, {3, 2, 2}, {500, 8, 3}, {1025, 30, 4}, {40, 120, 2},
		{30, 300, 2}, {400, 270, 3}, {300, 300, 0}, {12, 12, 0}, {5000, 5, 0},
	} {
		t.Run(fmt.Sprintf("%dx%d", c.rows, c.columns), func(t *testing.T) {
			table := factorTable(c.rows, c.columns, c.factors, 1)
			got := expect.Must(table.PrincipalComponent(ctx))
			for i, want := range gonumProjection(table) {
				if math.Abs(got[i]-want) > 1e-10 {
					t.Fatalf("row %d: %v, want %v", i, got[i], want)
				}
			}
		})
	}
}

// Columns of a full factorial design are uncorrelated: every vector is an
// eigenvector, and the one found must be the same each time.
func TestPrincipalOfEqualEigenvalues(t *testing.T) {
	design := func() *Table {
		t := &Table{Columns: []string{"a", "b", "c"}}
		for i := range 8 {
			t.X = append(t.X, float64(i&1), float64(i>>1&1), float64(i>>2))
		}
		return t
	}
	first := expect.Must(design().PrincipalComponent(ctx))
	again, err := design().PrincipalComponent(ctx)
	if err != nil || !slices.Equal(first, again) {
		t.Errorf("%v, and then %v, %v", first, again, err)
	}
	square := 0.0
	for _, v := range first {
		square += v * v / 8
	}
	if math.Abs(square-1) > 1e-14 { // the eigenvalue, by hand
		t.Errorf("the projection's variance is %v, want 1", square)
	}
}

// A column that no other varies with has the loading 0, not what rounding leaves:
// rows that differ in it alone lie on one side of every edge.
func TestPrincipalOfUncorrelatedColumn(t *testing.T) {
	table := &Table{Columns: []string{"a", "b", "apart"}}
	for i := range 30 {
		for apart := range 4 {
			table.X = append(table.X, float64(i), 0.1*float64(i*i), float64(apart))
		}
	}
	got := expect.Must(table.PrincipalComponent(ctx))
	for i := range got {
		if got[i] != got[i/4*4] {
			t.Fatalf("rows %d and %d: %v, %v", i/4*4, i, got[i/4*4], got[i])
		}
	}
}

func TestPrincipalOfConstants(t *testing.T) {
	for _, columns := range []int{1, 3, maxMatrixColumns + 1} {
		table := &Table{Name: "constants", Columns: make([]string, columns), X: slices.Repeat([]float64{0.3}, 20*columns)}
		if got, err := table.PrincipalComponent(ctx); err != nil || slices.Max(got) != slices.Min(got) {
			t.Errorf("%d columns: %v, %v; want equal values", columns, got, err)
		}
	}
}

// A table of many more columns than rows takes as many products as it has rows.
func TestPrincipalOfWideTable(t *testing.T) {
	table := factorTable(60, 3000, 3, 1)
	products := 0
	times := table.rowwiseCovarianceProduct(ctx, FitScalers(table.X, table.Columns, nil))
	v, ok := leadingEigenvector(ctx, 3000, func(dst, v []float64) { products++; times(dst, v) })
	if !ok || products > 61 {
		t.Errorf("%d products, ok %v; want at most 61", products, ok)
	}
	image := make([]float64, 3000)
	times(image, v)
	value := linear.Dot(image, v)
	linear.AddScaled(image, -value, v)
	if rest := math.Sqrt(linear.Dot(image, image)); rest > 1e-13*value {
		t.Errorf("%v of the eigenvalue %v is left over", rest, value)
	}
}

// TestPrincipalSameBits hashes projections. The hash is the same on every CPU and
// for every compiler; it was found on amd64.
func TestPrincipalSameBits(t *testing.T) {
	h := fnv.New64a()
	for _, table := range []*Table{factorTable(1030, 7, 2, 9), factorTable(50, 300, 2, 9), factorTable(100, 100, 0, 9)} {
		values := expect.Must(table.PrincipalComponent(ctx))
		for _, v := range values {
			fmt.Fprintf(h, "%x\n", v)
		}
	}
	const want = 0x620636417d96790
	if got := h.Sum64(); got != want {
		t.Errorf("hash %#x, want %#x", got, uint64(want))
	}
}
