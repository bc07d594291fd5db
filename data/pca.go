package data

import (
	"context"
	"errors"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// projection is what principal found, once.
type projection struct {
	lock   sync.Mutex
	known  bool
	values []float64
	err    error
}

// project is principal, found at the first call and kept, unless ctx ends it.
func (t *Table) project(ctx context.Context) ([]float64, error) {
	p := &t.projection
	p.lock.Lock()
	defer p.lock.Unlock()
	if !p.known {
		values, err := t.principal(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p.known, p.values, p.err = true, values, err
	}
	return p.values, p.err
}

// principal returns the projection of the standardised inputs of every row on
// their first principal component. The component's largest loading is positive,
// the first of them where several are equally large.
func (t *Table) principal(ctx context.Context) ([]float64, error) {
	scaler := FitScaler(t.X, len(t.Columns), nil)
	var eigen mat.EigenSym
	correlation, err := t.correlation(ctx, scaler)
	if err != nil {
		return nil, err
	}
	if !eigen.Factorize(correlation, true) {
		return nil, errors.New("the inputs' principal component cannot be found; are there values near the limits of float64?")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	loadings := mat.Col(nil, len(t.Columns)-1, &vectors) // eigenvalues ascend
	sign := orientation(loadings)

	// A plain sum, in the order of the columns: equal rows get equal projections,
	// to the last bit, so that no fold edge runs between them.
	out := make([]float64, t.Rows())
	for r := range out {
		for j, v := range t.X[r*len(t.Columns):][:len(t.Columns)] {
			out[r] += float64(sign*loadings[j]*(v-scaler.Mean[j])) / scaler.Std[j]
		}
	}
	return out, nil
}

// correlation is the covariance of the standardised inputs, summed over blocks of
// rows: the standardised inputs of a large table are never held whole.
func (t *Table) correlation(ctx context.Context, s Scaler) (*mat.SymDense, error) {
	const block = 1024
	columns := len(t.Columns)
	sum := mat.NewSymDense(columns, nil)
	z := make([]float64, block*columns)
	for first := 0; first < len(t.X); first += block * columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := copy(z, t.X[first:])
		for i := range z[:n] {
			z[i] = (z[i] - s.Mean[i%columns]) / s.Std[i%columns]
		}
		rows := mat.NewDense(n/columns, columns, z[:n])
		sum.SymRankK(sum, 1/float64(t.Rows()), rows.T())
	}
	return sum, nil
}

// orientation is the sign of the largest element. Elements that differ by no more
// than rounding count as equal, and the first of them decides.
func orientation(loadings []float64) float64 {
	largest := 0.0
	for _, v := range loadings {
		largest = max(largest, math.Abs(v))
	}
	for _, v := range loadings {
		if math.Abs(v) >= largest*(1-1e-9) {
			return math.Copysign(1, v)
		}
	}
	return 1
}
