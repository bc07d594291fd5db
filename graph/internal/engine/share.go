package engine

import (
	"sml/internal/kernels"
	"sml/internal/ops"
)

// partSizes are the sizes of the parts into which a step is cut for the workers of a pool. The
// parts depend on shapes alone, and a cut never divides a sum: sums over rows are cut between
// columns, products between rows or columns. So each number is computed by the same operations
// in the same order, whatever part it is in.
type partSizes struct {
	block       int // numbers that pass through a chain of elementwise steps at a time
	rows        int // rows of a part of a product
	columns     int // columns of a part of a product, or of a sum of rows
	manyColumns int // smallest number of columns at which a product is cut between columns
}

var defaultPartSizes = partSizes{
	block:       2048, // what one step writes is still in the first-level cache when the next reads it
	rows:        16,   // two tiles of a kernel
	columns:     32,   // two vectors
	manyColumns: 512,
}

// share returns the step of a value, divided among the workers of the pool if the step is large
// enough to gain from it.
func (e emitter[T]) share(s step, v *value) step {
	if !e.pool.Worth(cost(v)) {
		return s
	}
	units, work := e.parts(v)
	if units < 2 {
		return s
	}
	p := e.pool
	return step{s.name, func() { p.Do(units, work) }}
}

// The cost of a function of a number, in multiplications, by how it is computed.
const (
	vectorFunction = 32
	goFunction     = 4096
)

// cost is what computing values takes.
func cost(values ...*value) (multiplications, numbers int) {
	for _, v := range values {
		numbers += v.size()
		for _, a := range v.args {
			if a.kind != broadcast {
				numbers += a.size()
			}
		}
		switch {
		case v.kind == matmul:
			multiplications += v.size() * v.inner()
		case v.kind == batched:
			_, inner, _ := v.args[1].batch()
			multiplications += v.size() * inner
		case v.kind == solution:
			multiplications += v.size() * v.rows / 2
		case v.kind == each, v.kind == binary && !v.binaryOp.Vector(), v.kind == unary && !v.unaryOp.Vector():
			multiplications += v.size() * goFunction
		case v.kind == unary && v.unaryOp >= kernels.Exp:
			multiplications += v.size() * vectorFunction
		}
	}
	return multiplications, numbers
}

// inner is how many products each number of a matrix product is a sum of.
func (v *value) inner() int {
	if v.transA {
		return v.args[0].rows
	}
	return v.args[0].cols
}

// parts makes the work of a value in units that do not need each other, 0 where there are
// none: what is left out costs little, wherever it occurs.
func (e emitter[T]) parts(v *value) (units int, work func(worker, from, to int)) {
	dst := e.memory(v)
	for _, a := range v.args {
		if a.kind == broadcast && v.kind != binary { // it is written out first
			return 0, nil
		}
	}
	var a []T
	var rows, cols int
	if len(v.args) > 0 {
		a, rows, cols = e.memory(v.args[0]), v.args[0].rows, v.args[0].cols
	}
	switch v.kind {
	case matmul:
		p, _ := e.productOf(v, a, e.memory(v.args[1]))
		return e.shareProduct(p)
	case binary:
		return list(e.byRow(v))
	case sumRows:
		return e.shareSumRows(v, dst, a, rows, cols)
	case sumCols:
		return e.rowParts(rows, cols, func(from, to int) func() {
			return func() { e.sumCols(dst[from:to], a[from*cols:to*cols], to-from, cols) }
		})
	case transpose:
		return e.shareTranspose(dst, a, rows, cols)
	case batched:
		n, _, _ := v.batch()
		b := e.memory(v.args[1])
		return n, func(_, from, to int) {
			for i := from; i < to; i++ {
				e.multiply(e.batchedProduct(v, a, b, i))
			}
		}
	case solution:
		return e.shareSolution(v, a)
	case transposeEach:
		n, _, _ := v.batch()
		return n, func(_, from, to int) { e.transposeMatrices(v, dst, a, from, to) }
	case columns:
		return e.rowParts(rows, v.cols, func(from, to int) func() {
			return func() { copyColumns(dst[from*v.cols:], v.cols, 0, a[from*cols:], cols, v.from, to-from, v.cols) }
		})
	case spread:
		return e.rowParts(rows, v.cols, func(from, to int) func() {
			return func() {
				clear(dst[from*v.cols : to*v.cols])
				copyColumns(dst[from*v.cols:], v.cols, v.from, a[from*cols:], cols, 0, to-from, cols)
			}
		})
	case copied:
		return e.rowParts(v.size(), 1, func(from, to int) func() {
			return func() { copy(dst[from:to], a[from:to]) }
		})
	case patches, images:
		return e.shareWindow(v, dst, a)
	}
	return 0, nil
}

// list is work that there is a function for each unit of.
func list(each []func()) (units int, work func(worker, from, to int)) {
	return len(each), func(_, from, to int) {
		for _, run := range each[from:to] {
			run()
		}
	}
}

// rowParts cuts a matrix into rows of about a block of numbers.
func (e emitter[T]) rowParts(rows, cols int, part func(from, to int) func()) (units int, work func(worker, from, to int)) {
	var each []func()
	height := max(1, e.sizes.block/max(1, cols))
	for from := 0; from < rows; from += height {
		each = append(each, part(from, min(from+height, rows)))
	}
	return list(each)
}

// shareProduct cuts a product into columns where it has many, else into rows. The last
// part has what is left over: one column by itself would be a product with a vector,
// whose sums have another order.
func (e emitter[T]) shareProduct(p product[T]) (units int, work func(worker, from, to int)) {
	size, of, cut := e.sizes.rows, p.m, product[T].rows
	if p.n >= e.sizes.manyColumns && p.m < 4*p.n {
		size, of, cut = e.sizes.columns, p.n, product[T].columns
	}
	units = of / size
	return units, func(_, from, to int) {
		from *= size
		if to *= size; to > of-size {
			to = of
		}
		e.multiply(cut(p, from, to))
	}
}

// rows is the product of some rows of a.
func (p product[T]) rows(from, to int) product[T] {
	p.m = to - from
	p.a = p.a[from*p.aRow:]
	for _, x := range []*[]T{&p.c, &p.mask, &p.gate, &p.masked} {
		if *x != nil {
			*x = (*x)[from*p.ld:]
		}
	}
	return p
}

// columns is the product with some columns of b.
func (p product[T]) columns(from, to int) product[T] {
	p.n = to - from
	for _, x := range []*[]T{&p.b, &p.c, &p.bias, &p.mask, &p.gate, &p.masked} {
		if *x != nil {
			*x = (*x)[from:]
		}
	}
	return p
}

// shareSolution solves a triangular system for some of the right-hand sides at a time.
func (e emitter[T]) shareSolution(v *value, t []T) (units int, work func(worker, from, to int)) {
	s, size := e.system(v, t, e.memory(v.args[1])), e.sizes.columns
	units = (s.M + size - 1) / size
	return units, func(_, from, to int) { s.Solve(from*size, min(to*size, s.M)) }
}

// shareSumRows adds rows to some of the columns, in the order of rows.
func (e emitter[T]) shareSumRows(v *value, dst, a []T, rows, cols int) (units int, work func(worker, from, to int)) {
	size := e.sizes.columns
	units = cols / size
	return units, func(_, from, to int) {
		from *= size
		if to *= size; to > cols-size {
			to = cols
		}
		sums := dst[from:to]
		if v.accumulate == nil {
			clear(sums)
		}
		for i := range rows {
			e.addTo(sums, a[i*cols:][from:to])
		}
	}
}

// tile is how many rows and columns of a matrix are transposed at a time, in room that
// stays in the first-level cache.
const tile = 64

// shareTranspose makes columns of tile rows at a time.
func (e emitter[T]) shareTranspose(dst, a []T, rows, cols int) (units int, work func(worker, from, to int)) {
	room := make([][2 * tile * tile]T, e.pool.Threads())
	units = (rows + tile - 1) / tile
	return units, func(worker, from, to int) {
		in, out := room[worker][:tile*tile], room[worker][tile*tile:]
		for i := from * tile; i < min(to*tile, rows); i += tile {
			height := min(tile, rows-i)
			for j := 0; j < cols; j += tile {
				width := min(tile, cols-j)
				copyColumns(in, width, 0, a[i*cols:], cols, j, height, width)
				e.transpose(out[:height*width], in[:height*width], height, width)
				copyColumns(dst[j*rows:], rows, i, out, height, 0, width, height)
			}
		}
	}
}

// shareWindow makes patches, or their sums, image by image.
func (e emitter[T]) shareWindow(v *value, dst, a []T) (units int, work func(worker, from, to int)) {
	one := v.window
	one.Rows = 1
	to, from := v.size()/v.window.Rows, v.args[0].size()/v.window.Rows
	var each []func()
	for i := range v.window.Rows {
		image, of := dst[i*to:][:to], a[i*from:][:from]
		if v.kind == patches {
			each = append(each, func() { ops.Gather(one, image, of) })
		} else {
			each = append(each, func() { ops.Scatter(one, image, of, e.addTo) })
		}
	}
	return list(each)
}
