package engine

import (
	"sml/internal/kernels"
	"sml/internal/ops"
)

// PartSizes are the sizes of the parts into which an instruction is divided for the workers of
// a pool. The parts depend on shapes alone, and no part divides a sum: sums over rows are
// divided between columns, products between rows or columns. So each number is computed by the
// same operations in the same order by any worker.
type PartSizes struct {
	Block       int // numbers that pass through a chain of elementwise instructions at a time
	Rows        int // rows per part of a product
	Columns     int // columns per part of a product, or of a sum over rows
	ManyColumns int // smallest number of columns for which a product is divided between columns
}

// Parts are the sizes for programs that are compiled from now on. Tests make them smaller.
var Parts = PartSizes{
	Block:       2048, // the result of one instruction is still in the first-level cache for the next
	Rows:        16,   // two tiles of a kernel
	Columns:     32,   // two vectors
	ManyColumns: 512,
}

// parallelWork is work in units that can be done in any order and at the same time. Its zero
// value has no units.
type parallelWork struct {
	units int

	// run does units from, …, to−1. worker is the index of the calling worker.
	run func(worker, from, to int)
}

// divideAmongWorkers returns the instruction that computes v, divided among the workers of the pool if it
// is large enough.
func (e emitter[T]) divideAmongWorkers(whole instruction, v *value) instruction {
	if !e.pool.ShouldShare(cost(v)) {
		return whole
	}
	work := e.divide(v)
	if work.units < 2 {
		return whole
	}
	p := e.pool
	return instruction{whole.name, func() { p.Do(work.units, work.run) }}
}

// Estimated durations of one call of a function, in multiplications.
const (
	vectorFunctionCost = 32   // computed by a vector kernel
	goFunctionCost     = 4096 // computed in Go, number by number
)

// cost returns the estimated duration of computing the values, in multiplications, and how many
// numbers are read or written.
func cost(values ...*value) (multiplications, numbers int) {
	for _, v := range values {
		multiplications += v.size() * multiplicationsPerElement(v)
		if v.kind == kindTriangularSolution { // each number is computed from half of the others, on average
			_, n, _ := v.matrices()
			multiplications += v.size() * n / 2
		}
		numbers += v.size()
		for _, a := range v.args {
			if a.kind != kindBroadcast {
				numbers += a.size()
			}
		}
	}
	return multiplications, numbers
}

// multiplicationsPerElement returns the estimated duration of computing one element of a value,
// in multiplications; 0 if reading and writing the numbers takes longer. Vector reports whether
// an operation has a vector kernel; the others are computed in Go.
func multiplicationsPerElement(v *value) int {
	switch v.kind {
	case kindMatMul:
		return v.innerSize()
	case kindBatchedMatMul:
		_, inner, _ := v.args[1].matrices()
		return inner
	case kindFunction:
		return goFunctionCost
	case kindBinary:
		if !v.binaryOp.Vector() {
			return goFunctionCost
		}
	case kindUnary:
		if !v.unaryOp.Vector() {
			return goFunctionCost
		}
		if v.unaryOp >= kernels.Exp { // the constants before Exp are operations of a few instructions
			return vectorFunctionCost
		}
	}
	return 0
}

// divide returns the work that computes v, divided into units. It returns no units for kinds
// that are always cheap, and for operands that must be materialized first.
func (e emitter[T]) divide(v *value) parallelWork {
	if v.kind == kindBinary { // repeats a row or column, or else it would be a chain
		return unitCalls(e.rowCalls(v))
	}
	for _, a := range v.args {
		if a.kind == kindBroadcast {
			return parallelWork{}
		}
	}
	switch v.kind {
	case kindMatMul:
		return e.splitProduct(e.newProduct(v, e.memory(v.args[0]), e.memory(v.args[1])))
	case kindBatchedMatMul:
		matrices, _, _ := v.matrices()
		a := e.memory(v.args[0])
		b := e.memory(v.args[1])
		return parallelWork{matrices, func(_, from, to int) { e.multiplyRange(v, a, b, from, to) }}
	case kindTriangularSolution:
		return e.splitTriangularSolution(v)
	case kindSumRows:
		return e.splitSumRows(v)
	case kindTranspose:
		return e.splitTranspose(v)
	case kindTransposeMatrices:
		matrices, _, _ := v.matrices()
		dst, a := e.memory(v), e.memory(v.args[0])
		return parallelWork{matrices, func(_, from, to int) { e.transposeMatrixRange(v, dst, a, from, to) }}
	case kindSumCols, kindSliceColumns, kindPadColumns, kindCopy:
		return e.splitByRows(v)
	case kindPatches, kindImages:
		return e.splitImages(v)
	}
	return parallelWork{}
}

// unitCalls returns work with one function for each unit.
func unitCalls(calls []func()) parallelWork {
	return parallelWork{len(calls), func(_, from, to int) { callAll(calls[from:to]) }}
}

// splitByRows divides a value whose rows depend on one row of its operand each. For each unit it runs the
// same kernel on slices that begin with the unit's first row.
func (e emitter[T]) splitByRows(v *value) parallelWork {
	dst, a := e.memory(v), e.memory(v.args[0])
	rows, cols := v.args[0].rows, v.args[0].cols
	switch v.kind {
	case kindSumCols:
		return e.rowRanges(rows, cols, func(from, to int) {
			e.sumCols(dst[from:to], a[from*cols:to*cols], to-from, cols)
		})
	case kindSliceColumns:
		return e.rowRanges(rows, v.cols, func(from, to int) {
			slice := matrixColumns[T]{dst[from*v.cols:], v.cols, 0}
			copyColumns(slice, matrixColumns[T]{a[from*cols:], cols, v.firstColumn}, to-from, v.cols)
		})
	case kindPadColumns:
		return e.rowRanges(rows, v.cols, func(from, to int) {
			clear(dst[from*v.cols : to*v.cols])
			padded := matrixColumns[T]{dst[from*v.cols:], v.cols, v.firstColumn}
			copyColumns(padded, matrixColumns[T]{a[from*cols:], cols, 0}, to-from, cols)
		})
	default: // kindCopy
		return e.rowRanges(v.size(), 1, func(from, to int) { copy(dst[from:to], a[from:to]) })
	}
}

// rowRanges divides the rows of a matrix into units of about one block of numbers, but at least
// one row. run does rows from, …, to−1.
func (e emitter[T]) rowRanges(rows, cols int, run func(from, to int)) parallelWork {
	height := max(1, e.sizes.Block/max(1, cols))
	units := (rows + height - 1) / height
	return parallelWork{units, func(_, from, to int) {
		for unit := from; unit < to; unit++ {
			run(unit*height, min((unit+1)*height, rows))
		}
	}}
}

// splitProduct divides a product between its columns if it has many, or else between its rows. Each
// part of columns reads all of a, so that the product must not be much higher than wide.
func (e emitter[T]) splitProduct(p product[T]) parallelWork {
	const maxRowsPerColumn = 4
	if p.n >= e.sizes.ManyColumns && p.m < maxRowsPerColumn*p.n {
		return wideRanges(p.n, e.sizes.Columns, func(from, to int) { e.multiply(p.columns(from, to)) })
	}
	return wideRanges(p.m, e.sizes.Rows, func(from, to int) { e.multiply(p.rows(from, to)) })
}

// wideRanges divides n rows or columns into units of size rows or columns. The last unit has the
// remainder, too: a single column would be a product with a vector, whose sums are added in
// another order. If n is below size there is no unit, and the instruction stays whole.
func wideRanges(n, size int, run func(from, to int)) parallelWork {
	units := n / size
	return parallelWork{units, func(_, from, to int) {
		end := to * size
		if to == units {
			end = n
		}
		run(from*size, end)
	}}
}

// rows returns the product of rows from, …, to−1 of a with b. The bias stays: it is the same for
// every row.
func (p product[T]) rows(from, to int) product[T] {
	p.m = to - from
	p.a = p.a[from*p.aRow:]
	first := from * p.rowDistance // index of the first number of row from in the other matrices
	p.c = p.c[first:]
	p.mask = skipNumbers(p.mask, from*p.maskDistance)
	p.gate = skipNumbers(p.gate, first)
	p.masked = skipNumbers(p.masked, first)
	return p
}

// columns returns the product of a with columns from, …, to−1 of b. The matrices keep the
// distance of their rows, so that skipping numbers of the first row skips columns of all rows.
func (p product[T]) columns(from, to int) product[T] {
	p.n = to - from
	p.b = p.b[from:]
	p.c = p.c[from:]
	p.bias = skipNumbers(p.bias, from)
	p.mask = skipNumbers(p.mask, from)
	p.gate = skipNumbers(p.gate, from)
	p.masked = skipNumbers(p.masked, from)
	return p
}

// skipNumbers returns the numbers from index n on of an operand of an epilogue, nil if the
// epilogue has none.
func skipNumbers[T float](operand []T, n int) []T {
	if operand == nil {
		return nil
	}
	return operand[n:]
}

// splitTriangularSolution divides triangular systems, and each between its right-hand sides.
func (e emitter[T]) splitTriangularSolution(v *value) parallelWork {
	system := e.triangularSystem(v, e.memory(v.args[0]), e.memory(v.args[1]))
	size := e.sizes.Columns
	parts := (system.M + size - 1) / size // of each system
	return parallelWork{system.Systems() * parts, func(_, from, to int) {
		for unit := from; unit < to; unit++ {
			first := unit % parts * size
			one := system.System(unit / parts)
			one.Solve(first, min(first+size, system.M))
		}
	}}
}

// splitSumRows divides a sum over rows between the columns. Each sum is added in the order of
// the rows.
func (e emitter[T]) splitSumRows(v *value) parallelWork {
	dst, a := e.memory(v), e.memory(v.args[0])
	rows, cols := v.args[0].rows, v.args[0].cols
	return wideRanges(cols, e.sizes.Columns, func(from, to int) {
		sums := dst[from:to]
		if v.accumulate == nil {
			clear(sums)
		}
		for i := range rows {
			e.addTo(sums, a[i*cols:][from:to])
		}
	})
}

// transposeTile is the number of rows and columns of the squares that a shared transpose copies
// at a time. A square before and after the transpose fits into the first-level cache.
const transposeTile = 64

// transposeBuffer holds a tile of a matrix and the transpose of the tile.
type transposeBuffer[T float] struct {
	tile, transposed [transposeTile * transposeTile]T
}

// splitTranspose divides a transpose into units of one row of tiles.
func (e emitter[T]) splitTranspose(v *value) parallelWork {
	buffers := make([]transposeBuffer[T], e.pool.Workers()) // one per worker
	rows := v.args[0].rows
	units := (rows + transposeTile - 1) / transposeTile
	return parallelWork{units, func(worker, from, to int) {
		for row := from * transposeTile; row < min(to*transposeTile, rows); row += transposeTile {
			e.transposeTileRow(v, row, &buffers[worker])
		}
	}}
}

// transposeTileRow transposes the tiles of v's operand that begin at the given row. Each tile is
// copied out of the matrix, transposed, and copied into the result: the kernel of transposes
// reads and writes whole matrices without gaps between their rows.
func (e emitter[T]) transposeTileRow(v *value, row int, buffer *transposeBuffer[T]) {
	dst, a := e.memory(v), e.memory(v.args[0])
	rows, cols := v.args[0].rows, v.args[0].cols
	height := min(transposeTile, rows-row)
	for column := 0; column < cols; column += transposeTile {
		width := min(transposeTile, cols-column)
		tile := buffer.tile[:height*width]
		transposed := buffer.transposed[:height*width]
		copyColumns(matrixColumns[T]{tile, width, 0}, matrixColumns[T]{a[row*cols:], cols, column}, height, width)
		e.transpose(transposed, tile, height, width)
		copyColumns(matrixColumns[T]{dst[column*rows:], rows, row}, matrixColumns[T]{transposed, height, 0}, width, height)
	}
}

// splitImages divides the conversion between images and patches into one unit for each image. No
// patch spans two images, so that units write to different memory. Gather copies the patches of
// an image; Scatter adds patches up to an image, with the backend's addition.
func (e emitter[T]) splitImages(v *value) parallelWork {
	images := v.window.Rows // a window counts the rows of a batch, and each row is one image
	window := v.window
	window.Rows = 1 // each call converts one image
	dstSize := v.size() / images
	srcSize := v.args[0].size() / images
	var calls []func()
	for i := range images {
		dst := e.memory(v)[i*dstSize:][:dstSize]
		src := e.memory(v.args[0])[i*srcSize:][:srcSize]
		if v.kind == kindPatches {
			calls = append(calls, func() { ops.Gather(window, dst, src) })
		} else {
			calls = append(calls, func() { ops.Scatter(window, dst, src, e.addTo) })
		}
	}
	return unitCalls(calls)
}
