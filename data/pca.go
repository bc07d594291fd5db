package data

import (
	"context"
	"errors"
	"math"
	"sync"

	"sml/internal/linear"
)

// projection holds a table's projection on its first principal component once it is computed.
type projection struct {
	lock   sync.Mutex
	values []float64 // nil before the first successful call of Table.PrincipalComponent
}

// PrincipalComponent returns, for every row, the projection of the standardised inputs on their first
// principal component: the direction of their largest variance. The direction's elements, the loadings,
// are determined up to their sign; the largest one, or the first of several equally large ones, is
// positive.
//
// The projection is computed once for each table; callers must not change it. The error is the
// context's if it ended early.
func (t *Table) PrincipalComponent(ctx context.Context) ([]float64, error) {
	p := &t.projection
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.values != nil {
		return p.values, nil
	}
	values, err := t.project(ctx)
	if err == nil {
		p.values = values
	}
	return values, err
}

// project computes the result of PrincipalComponent. It returns an error if a number exceeds the range
// of float64.
func (t *Table) project(ctx context.Context) ([]float64, error) {
	scalers := FitScalers(t.X, t.Columns, nil)
	multiply := t.rowwiseCovarianceProduct(ctx, scalers)
	if len(t.Columns) <= maxMatrixColumns {
		multiply = t.covarianceProduct(ctx, scalers)
	}
	loadings, ok := leadingEigenvector(ctx, len(t.Columns), multiply)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !ok {
		return nil, errors.New("the inputs' principal component cannot be computed; are there values near the limits of float64?")
	}
	orient(loadings)

	// The sum runs in the order of the columns in every row: equal rows get equal projections, to the
	// last bit, so that no edge of a fold runs between them.
	projections := make([]float64, t.Rows())
	for r := range projections {
		row := t.X[r*len(t.Columns):][:len(t.Columns)]
		for j, v := range row {
			projections[r] += float64(loadings[j]*(v-scalers[j].Mean)) / scalers[j].Std
		}
	}
	return projections, nil
}

// maxMatrixColumns is the number of columns up to which a table's covariance is computed as a matrix.
// Computing the matrix takes as long as columns/4 products of rowwiseCovarianceProduct, and
// leadingEigenvector needs about a hundred products.
const maxMatrixColumns = 256

// covarianceProduct computes the covariance matrix of the standardised inputs and returns a
// function that sets dst to covariance·v. If ctx ends, the matrix is incomplete, and callers must not
// use the products.
func (t *Table) covarianceProduct(ctx context.Context, s Scalers) func(dst, v []float64) {
	d := len(t.Columns)
	matrix := t.covarianceMatrix(ctx, s)
	return func(dst, v []float64) {
		for i := range dst {
			dst[i] = linear.Dot(matrix[i*d:][:d], v)
		}
	}
}

// covarianceMatrix returns the covariance matrix of the standardised inputs, row-major. It sums the
// products of each block of rows by themselves, and then the blocks: smaller sums lose less to
// rounding. The matrix is incomplete if ctx ends.
func (t *Table) covarianceMatrix(ctx context.Context, s Scalers) []float64 {
	const blockRows = 1024
	d := len(t.Columns)
	sum := make([]float64, d*d)
	blockSum := make([]float64, d*d)
	fourRows := make([]float64, 4*d) // standardised inputs of four rows
	for start := 0; start < len(t.X) && ctx.Err() == nil; start += blockRows * d {
		clear(blockSum)
		block := t.X[start:min(start+blockRows*d, len(t.X))]
		for len(block) > 0 {
			values := block[:min(4*d, len(block))]
			block = block[len(values):]
			clear(fourRows) // rows that the last four rows lack count as zeros
			for i, v := range values {
				fourRows[i] = (v - s[i%d].Mean) / s[i%d].Std
			}
			addProducts(blockSum, fourRows, d)
		}
		for i, v := range blockSum {
			sum[i] += v
		}
	}
	for i := range d {
		for j := i; j < d; j++ { // addProducts sums only the elements on and above the diagonal
			covariance := sum[i*d+j] / float64(t.Rows())
			sum[i*d+j] = covariance
			sum[j*d+i] = covariance
		}
	}
	return sum
}

// addProducts adds the sum of products z[i]·z[j] over four rows z of d values to element (i, j) of a
// d×d matrix, for j ≥ i: the matrix is symmetric. rows has the four rows one after the other. Four
// rows at a time need a quarter of the memory traffic; their products are added in a fixed order.
func addProducts(matrix, rows []float64, d int) {
	for i := range d {
		upper := matrix[i*d+i : (i+1)*d] // row i of the matrix from the diagonal on
		// The values of the four rows from column i on. Slices of one length spare bounds checks.
		z0 := rows[i:d][:len(upper)]
		z1 := rows[d+i : 2*d][:len(upper)]
		z2 := rows[2*d+i : 3*d][:len(upper)]
		z3 := rows[3*d+i:][:len(upper)]
		a0, a1, a2, a3 := z0[0], z1[0], z2[0], z3[0]
		for j := range upper {
			upper[j] += (float64(a0*z0[j]) + float64(a1*z1[j])) + (float64(a2*z2[j]) + float64(a3*z3[j]))
		}
	}
}

// rowwiseCovarianceProduct returns a function that sets dst to covariance·v, as covarianceProduct does,
// for tables with many columns. It does not compute the matrix: every call of the function adds, for
// each row, the row times its product with v.
func (t *Table) rowwiseCovarianceProduct(ctx context.Context, s Scalers) func(dst, v []float64) {
	d := len(t.Columns)
	weights := make([]float64, d) // v in the units of the columns
	centred := make([]float64, d) // one row, less the means
	return func(dst, v []float64) {
		clear(dst)
		for j := range v {
			weights[j] = v[j] / s[j].Std
		}
		for start := 0; start < len(t.X) && ctx.Err() == nil; start += d {
			for j, x := range t.X[start : start+d] {
				centred[j] = x - s[j].Mean
			}
			linear.AddScaled(dst, linear.Dot(centred, weights), centred)
		}
		for j := range dst {
			dst[j] = dst[j] / s[j].Std / float64(t.Rows())
		}
	}
}

// orient changes the sign of all loadings, if necessary, so that the largest one is positive, or the
// first of several equal up to rounding. It sets loadings as small as rounding errors to 0:
// rows that differ only in their columns must have equal projections.
func orient(loadings []float64) {
	const (
		equalFraction    = 1 - 1e-9 // of the largest loading, from which loadings count as equally large
		roundingFraction = 1e-12    // of the largest loading, up to which loadings count as 0
	)
	largest := 0.0
	for _, v := range loadings {
		largest = max(largest, math.Abs(v))
	}
	sign := 0.0
	for j, v := range loadings {
		if sign == 0 && math.Abs(v) >= largest*equalFraction {
			sign = math.Copysign(1, v)
		}
		if math.Abs(v) <= roundingFraction*largest {
			loadings[j] = 0
		}
	}
	scaleVector(loadings, sign)
}
