package data

import (
	"context"
	"errors"
	"math"
	"sync"
)

// projection holds a table's projection on its first principal component once it is computed.
type projection struct {
	lock   sync.Mutex
	values []float64 // nil before the first successful call of Table.PrincipalComponent
}

// PrincipalComponent returns the projection of every row's standardised inputs on their first
// principal component. The component's largest loading is positive, or the first of several
// equally large loadings. The projection is computed once for each table; callers must not
// change it. The error is the context's if it ended early.
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

// project computes the result of PrincipalComponent.
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

	// A plain sum, in the order of the columns: equal rows get equal projections,
	// to the last bit, so that no fold edge runs between them.
	out := make([]float64, t.Rows())
	for r := range out {
		row := t.X[r*len(t.Columns):][:len(t.Columns)]
		for j, v := range row {
			out[r] += float64(loadings[j]*(v-scalers[j].Mean)) / scalers[j].Std
		}
	}
	return out, nil
}

// maxMatrixColumns is the number of columns up to which a table's covariance is held as a matrix.
// To compute the matrix costs as much as columns/4 products without it, and about a hundred
// products are needed.
const maxMatrixColumns = 256

// covarianceProduct computes the covariance matrix of the standardised inputs and returns a
// function that sets dst to covariance·v. The matrix is incomplete if ctx ends.
func (t *Table) covarianceProduct(ctx context.Context, s Scalers) func(dst, v []float64) {
	d := len(t.Columns)
	matrix := t.covarianceMatrix(ctx, s)
	return func(dst, v []float64) {
		for i := range dst {
			dst[i] = dot(matrix[i*d:][:d], v)
		}
	}
}

// covarianceMatrix returns the covariance matrix of the standardised inputs, row-major. Each block
// of rows is summed by itself, which loses less to rounding. The matrix is incomplete if ctx ends.
func (t *Table) covarianceMatrix(ctx context.Context, s Scalers) []float64 {
	const blockRows = 1024
	d := len(t.Columns)
	sum := make([]float64, d*d)
	blockSum := make([]float64, d*d)
	four := make([]float64, 4*d) // standardised inputs of four rows
	for first := 0; first < len(t.X) && ctx.Err() == nil; first += blockRows * d {
		clear(blockSum)
		rows := t.X[first:min(first+blockRows*d, len(t.X))]
		for len(rows) > 0 {
			values := rows[:min(4*d, len(rows))]
			rows = rows[len(values):]
			clear(four) // missing rows at the end count as zeros
			for i, v := range values {
				four[i] = (v - s[i%d].Mean) / s[i%d].Std
			}
			addProducts(blockSum, four, d)
		}
		for i, v := range blockSum {
			sum[i] += v
		}
	}
	for i := range d {
		for j := i; j < d; j++ {
			v := sum[i*d+j] / float64(t.Rows())
			sum[i*d+j] = v
			sum[j*d+i] = v
		}
	}
	return sum
}

// addProducts adds zᵀ·z for four rows z of d values to a d×d matrix. It adds the four products of
// an element in one fixed order.
func addProducts(matrix, z []float64, d int) {
	for i := range d {
		z0, z1, z2, z3 := z[i:d], z[d+i:2*d], z[2*d+i:3*d], z[3*d+i:]
		a0, a1, a2, a3 := z0[0], z1[0], z2[0], z3[0]
		upper := matrix[i*d+i : (i+1)*d] // row i from the diagonal on; the matrix is symmetric
		z0, z1, z2, z3 = z0[:len(upper)], z1[:len(upper)], z2[:len(upper)], z3[:len(upper)]
		for j := range upper {
			upper[j] += (float64(a0*z0[j]) + float64(a1*z1[j])) + (float64(a2*z2[j]) + float64(a3*z3[j]))
		}
	}
}

// rowwiseCovarianceProduct returns the same function as covarianceProduct for tables with many
// columns. It does not hold the matrix: every call of the function reads all rows.
func (t *Table) rowwiseCovarianceProduct(ctx context.Context, s Scalers) func(dst, v []float64) {
	d := len(t.Columns)
	weights := make([]float64, d)
	centred := make([]float64, d)
	return func(dst, v []float64) {
		clear(dst)
		for j := range v {
			weights[j] = v[j] / s[j].Std
		}
		for first := 0; first < len(t.X) && ctx.Err() == nil; first += d {
			for j, x := range t.X[first : first+d] {
				centred[j] = x - s[j].Mean
			}
			addScaled(dst, dot(centred, weights), centred)
		}
		for j := range dst {
			dst[j] = dst[j] / s[j].Std / float64(t.Rows())
		}
	}
}

// orient makes the largest loading positive, or the first of several largest loadings, which may
// differ by rounding. It clears loadings as small as rounding errors: rows that differ only in
// these columns must have equal projections.
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
