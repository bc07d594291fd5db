package data

import (
	"context"
	"errors"
	"math"
	"sync"
)

// projection holds a table's projection on its first principal component, once it is known.
type projection struct {
	lock   sync.Mutex
	values []float64 // nil before the first call
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

// project computes the values of PrincipalComponent.
func (t *Table) project(ctx context.Context) ([]float64, error) {
	scalers := FitScalers(t.X, t.Columns, nil)
	times := t.covarianceTimes(ctx, scalers)
	if len(t.Columns) <= fewColumns {
		times = t.covariance(ctx, scalers)
	}
	loadings, ok := leadingEigenvector(ctx, len(t.Columns), times)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !ok {
		return nil, errors.New("the inputs' principal component cannot be found; are there values near the limits of float64?")
	}
	orient(loadings)

	// A plain sum, in the order of the columns: equal rows get equal projections,
	// to the last bit, so that no fold edge runs between them.
	out := make([]float64, t.Rows())
	for r := range out {
		for j, v := range t.X[r*len(t.Columns):][:len(t.Columns)] {
			out[r] += float64(loadings[j]*(v-scalers[j].Mean)) / scalers[j].Std // rounded here: the same bits on every CPU
		}
	}
	return out, nil
}

// Tables with at most fewColumns columns hold their covariance as a matrix. To compute the matrix
// costs as much as columns/4 products with it, and a hundred are needed.
const fewColumns = 256

// covariance returns a function that computes dst = covariance·v, with the covariance of the
// standardised inputs. Each block of rows has a sum of its own, which loses less to rounding;
// four rows at a time are added in a fixed order. It stops early when ctx ends.
func (t *Table) covariance(ctx context.Context, s Scalers) func(dst, v []float64) {
	const block = 1024
	d := len(t.Columns)
	sum, part := make([]float64, d*d), make([]float64, d*d)
	z := make([]float64, 4*d)
	for first := 0; first < len(t.X) && ctx.Err() == nil; first += block * d {
		clear(part)
		for rows := t.X[first:min(first+block*d, len(t.X))]; len(rows) > 0; rows = rows[min(4*d, len(rows)):] {
			clear(z)
			for i, v := range rows[:min(4*d, len(rows))] {
				z[i] = (v - s[i%d].Mean) / s[i%d].Std
			}
			for i := range d {
				z0, z1, z2, z3 := z[i:d], z[d+i:2*d], z[2*d+i:3*d], z[3*d+i:]
				a0, a1, a2, a3 := z0[0], z1[0], z2[0], z3[0]
				c := part[i*d+i : (i+1)*d]
				z0, z1, z2, z3 = z0[:len(c)], z1[:len(c)], z2[:len(c)], z3[:len(c)]
				for j := range c {
					c[j] += (float64(a0*z0[j]) + float64(a1*z1[j])) + (float64(a2*z2[j]) + float64(a3*z3[j]))
				}
			}
		}
		for i, v := range part {
			sum[i] += v
		}
	}
	for i := range d {
		for j := i; j < d; j++ {
			v := sum[i*d+j] / float64(t.Rows())
			sum[i*d+j], sum[j*d+i] = v, v
		}
	}
	return func(dst, v []float64) {
		for i := range dst {
			dst[i] = dot(sum[i*d:][:d], v)
		}
	}
}

// covarianceTimes is covariance for tables with many columns: the matrix is not held, and every
// call of the function goes over all rows.
func (t *Table) covarianceTimes(ctx context.Context, s Scalers) func(dst, v []float64) {
	d := len(t.Columns)
	weights, z := make([]float64, d), make([]float64, d)
	return func(dst, v []float64) {
		clear(dst)
		for j := range v {
			weights[j] = v[j] / s[j].Std
		}
		for first := 0; first < len(t.X) && ctx.Err() == nil; first += d {
			for j, x := range t.X[first : first+d] {
				z[j] = x - s[j].Mean
			}
			accumulate(dst, dot(z, weights), z)
		}
		for j := range dst {
			dst[j] = dst[j] / s[j].Std / float64(t.Rows())
		}
	}
}

// orient makes the largest loading positive, or the first of several largest ones, which may
// differ by rounding. It clears loadings as small as rounding errors, since rows with different
// values in these columns alone must have equal projections.
func orient(loadings []float64) {
	most, sign := 0.0, 0.0
	for _, v := range loadings {
		most = max(most, math.Abs(v))
	}
	for j, v := range loadings {
		if sign == 0 && math.Abs(v) >= most*(1-1e-9) {
			sign = math.Copysign(1, v)
		}
		if math.Abs(v) <= 1e-12*most {
			loadings[j] = 0
		}
	}
	scaleBy(loadings, sign)
}
