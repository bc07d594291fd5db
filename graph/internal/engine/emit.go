package engine

import (
	"fmt"

	"sml/graph/internal/pool"
	"sml/internal/kernels"
	"sml/internal/ops"
)

// step is one call of a kernel.
type step struct {
	name string
	run  func()
}

// emitter makes the steps of values.
type emitter[T float] struct {
	backend[T]
	memory func(*value) []T
	fail   func(error) // notes what a fallback met while running
	pool   *pool.Pool
	sizes  *partSizes
}

func (e emitter[T]) emit(v *value) step {
	dst := e.memory(v)
	args := make([][]T, len(v.args))
	for i, a := range v.args {
		args[i] = e.memory(a)
	}
	switch v.kind {
	case matmul:
		return e.emitProduct(v)
	case batched:
		return e.emitBatched(v)
	case unary:
		return step{ops.OfUnary(v.unaryOp).Name + " " + shapeText(v), e.unary(v.unaryOp, dst, args[0])}
	case binary:
		return e.emitBinary(v, dst, args)
	case sum:
		return e.plain(v, func(a []T) func() { return e.sum(dst, a) })
	case sumRows:
		rows, cols := v.args[0].rows, v.args[0].cols
		return e.plain(v, func(a []T) func() { return e.sumRows(dst, a, rows, cols, v.accumulate != nil) })
	case sumCols:
		rows, cols := v.args[0].rows, v.args[0].cols
		return e.plain(v, func(a []T) func() { return func() { e.sumCols(dst, a, rows, cols) } })
	case maxRows, maxCols:
		over, rows, cols := ops.OverRows, v.args[0].rows, v.args[0].cols
		if v.kind == maxCols {
			over = ops.OverColumns
		}
		return e.plain(v, func(a []T) func() { return func() { ops.MaxAlongAxis(over, dst, a, rows, cols) } })
	case each:
		return step{v.function.Name + " " + shapeText(v), e.each(v.function, dst, args[0])}
	case transpose:
		rows, cols := v.args[0].rows, v.args[0].cols
		return e.plain(v, func(a []T) func() { return func() { e.transpose(dst, a, rows, cols) } })
	case transposeEach:
		n, _, _ := v.batch()
		return e.plain(v, func(a []T) func() { return func() { e.transposeMatrices(v, dst, a, 0, n) } })
	case columns:
		rows, n, width := v.rows, v.cols, v.args[0].cols
		from := v.from
		return e.plain(v, func(a []T) func() { return func() { copyColumns(dst, n, 0, a, width, from, rows, n) } })
	case spread:
		rows, n, width := v.rows, v.args[0].cols, v.cols
		from := v.from
		return e.plain(v, func(a []T) func() {
			return func() { clear(dst); copyColumns(dst, width, from, a, n, 0, rows, n) }
		})
	case concat:
		return e.emitConcat(v, dst)
	case copied:
		return e.plain(v, func(a []T) func() { return func() { copy(dst, a) } })
	case patches:
		window := v.window
		return e.plain(v, func(a []T) func() { return func() { ops.Gather(window, dst, a) } })
	case images:
		window := v.window
		return e.plain(v, func(a []T) func() { return func() { ops.Scatter(window, dst, a, e.addTo) } })
	case lookedUp:
		return e.byIndex(v, dst, ops.LookUpRows[T])
	case addedUp:
		return e.byIndex(v, dst, ops.SumRowsByIndex[T])
	case cholesky:
		return e.plain(v, func(a []T) func() { return func() { kernels.Cholesky(dst, a, v.rows) } })
	case solution:
		return e.emitSolution(v)
	case triangle:
		return e.plain(v, func(a []T) func() {
			return func() { kernels.Triangle(dst, a, v.rows, v.upper, T(v.number)) }
		})
	case fallback:
		return e.emitFallback(v, dst)
	}
	panic(fmt.Sprintf("engine: no step for values of kind %d", v.kind))
}

// each makes the work of a function on each element.
func (e emitter[T]) each(f ops.Function, dst, a []T) func() {
	return func() {
		if err := ops.Evaluate(f, dst, a); err != nil {
			e.fail(err)
		}
	}
}

// byIndex makes the step of an operation on a matrix and a column of row numbers.
func (e emitter[T]) byIndex(v *value, dst []T, op func(dst, x, index []T, columns int) error) step {
	index, write := e.written(v.args[1])
	columns := v.cols
	return e.plain(v, func(a []T) func() {
		return func() {
			if write != nil {
				write()
			}
			if err := op(dst, a, index, columns); err != nil {
				e.fail(err)
			}
		}
	})
}

// emitSolution makes the step of a triangular system.
func (e emitter[T]) emitSolution(v *value) step {
	t, writeT := e.written(v.args[0])
	b, writeB := e.written(v.args[1])
	s := e.system(v, t, b)
	return step{fmt.Sprintf("solve [%d %d]", s.N, s.M), func() {
		if writeT != nil {
			writeT()
		}
		if writeB != nil {
			writeB()
		}
		s.Solve(0, s.M)
	}}
}

// system returns the triangular system t·x = b whose solution is v.
func (e emitter[T]) system(v *value, t, b []T) kernels.Triangular[T] {
	return kernels.Triangular[T]{N: v.rows, M: v.cols, Upper: v.upper, T: t, B: b, X: e.memory(v)}
}

func shapeText(v *value) string { return fmt.Sprintf("[%d %d]", v.rows, v.cols) }

var kindNames = map[kind]string{
	sum: "sum", sumRows: "sum of rows", sumCols: "sum of columns", maxRows: "maximum of rows", maxCols: "maximum of columns", transpose: "transpose", transposeEach: "transposes", columns: "columns", spread: "spread", copied: "copy",
	patches: "patches", images: "sum of patches", lookedUp: "rows by index", addedUp: "sum by index",
	cholesky: "cholesky", triangle: "triangle",
}

// plain makes the step of a kernel that reads one operand as it lies in
// memory: a broadcast one is written out first.
func (e emitter[T]) plain(v *value, make func(a []T) func()) step {
	a, write := e.written(v.args[0])
	run := make(a)
	name := kindNames[v.kind] + " " + shapeText(v.args[0])
	if write == nil {
		return step{name, run}
	}
	return step{name, func() { write(); run() }}
}

// written returns the memory of a value, and for a broadcast what fills it.
func (e emitter[T]) written(v *value) ([]T, func()) {
	if v.kind != broadcast {
		return e.memory(v), nil
	}
	dst, src := make([]T, v.size()), e.memory(v)
	cols := v.cols
	switch source := v.args[0]; {
	case source.size() == 1:
		return dst, func() {
			for i := range dst {
				dst[i] = src[0]
			}
		}
	case source.rows == 1:
		return dst, func() {
			for i := 0; i < len(dst); i += cols {
				copy(dst[i:i+cols], src)
			}
		}
	default:
		return dst, func() {
			for i := range dst {
				dst[i] = src[i/cols]
			}
		}
	}
}

func (e emitter[T]) emitProduct(v *value) step {
	a, writeA := e.written(v.args[0])
	b, writeB := e.written(v.args[1])
	p, name := e.productOf(v, a, b)
	run := e.product(p)
	if writeA == nil && writeB == nil {
		return step{name, run}
	}
	return step{name, func() {
		if writeA != nil {
			writeA()
		}
		if writeB != nil {
			writeB()
		}
		run()
	}}
}

// productOf is the product of a and b that v is, and what it is called.
func (e emitter[T]) productOf(v *value, a, b []T) (p product[T], name string) {
	x := v.args[0]
	p = product[T]{m: v.rows, n: v.cols, k: x.cols, a: a, aRow: x.cols, aCol: 1, b: b, c: e.memory(v), ld: v.cols, accumulate: v.accumulate != nil, relu: v.tail.relu}
	name = "product"
	if v.transA {
		p.k, p.aRow, p.aCol = x.rows, 1, x.cols
		name = "product, transposed"
	}
	optional := func(w *value, label string) []T {
		if w == nil {
			return nil
		}
		name += " + " + label
		return e.memory(w)
	}
	if p.accumulate {
		name += " + sum"
	}
	p.bias = optional(v.tail.bias, "bias")
	if p.relu {
		name += " + relu"
	}
	p.mask = optional(v.tail.mask, "mask")
	p.gate = optional(v.tail.gate, "gate")
	p.masked = optional(v.tail.twice, "both kept")
	return p, name + fmt.Sprintf(" [%d %d %d]", p.m, p.n, p.k)
}

// emitBinary makes the step of an operation whose operands may be broadcast.
func (e emitter[T]) emitBinary(v *value, dst []T, args [][]T) step {
	x, y, op := v.args[0], v.args[1], v.binaryOp
	name := ops.OfBinary(op).Name + " " + shapeText(v)
	switch {
	case x.kind != broadcast && y.kind != broadcast:
		return step{name, e.binary(op, dst, args[0], args[1])}
	case y.kind == broadcast && y.args[0].size() == 1 && x.kind != broadcast:
		return step{name, e.withScalar(op, dst, args[0], args[1])}
	case x.kind == broadcast && x.args[0].size() == 1 && y.kind != broadcast:
		return step{name, e.scalarWith(op, dst, args[0], args[1])}
	}
	rows := e.byRow(v)
	return step{name + ", by row", func() {
		for _, run := range rows {
			run()
		}
	}}
}

// byRow makes the work on each row of an operation of which an operand is broadcast,
// with an operand of its own.
func (e emitter[T]) byRow(v *value) []func() {
	x, y, op := v.args[0], v.args[1], v.binaryOp
	dst, args := e.memory(v), [2][]T{e.memory(x), e.memory(y)}
	var rows []func()
	for r := range v.rows {
		part := func(a *value, memory []T) (whole, scalar []T) {
			switch {
			case a.kind != broadcast:
				return memory[r*v.cols:][:v.cols], nil
			case a.args[0].size() == 1:
				return nil, memory
			case a.args[0].rows == 1:
				return memory, nil
			default:
				return nil, memory[r : r+1]
			}
		}
		a, as := part(x, args[0])
		b, bs := part(y, args[1])
		to := dst[r*v.cols:][:v.cols]
		switch {
		case as == nil && bs == nil:
			rows = append(rows, e.binary(op, to, a, b))
		case as == nil:
			rows = append(rows, e.withScalar(op, to, a, bs))
		case bs == nil:
			rows = append(rows, e.scalarWith(op, to, as, b))
		default:
			then := e.withScalar(op, to, to, bs)
			rows = append(rows, func() {
				for j := range to {
					to[j] = as[0]
				}
				then()
			})
		}
	}
	return rows
}

func (e emitter[T]) emitConcat(v *value, dst []T) step {
	var parts []func()
	at, width, rows := 0, v.cols, v.rows
	for _, a := range v.args {
		src, write := e.written(a)
		to, n := at, a.cols
		if write != nil {
			parts = append(parts, write)
		}
		parts = append(parts, func() { copyColumns(dst, width, to, src, n, 0, rows, n) })
		at += n
	}
	return step{"concat " + shapeText(v), func() {
		for _, run := range parts {
			run()
		}
	}}
}

// copyColumns copies n columns of a matrix with srcCols into one with dstCols.
func copyColumns[T float](dst []T, dstCols, at int, src []T, srcCols, from, rows, n int) {
	if n == 1 { // a call of copy for one number costs more than the number
		for r := range rows {
			dst[r*dstCols+at] = src[r*srcCols+from]
		}
		return
	}
	for r := range rows {
		copy(dst[r*dstCols+at:][:n], src[r*srcCols+from:])
	}
}
