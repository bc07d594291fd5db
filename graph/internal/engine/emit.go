package engine

import (
	"fmt"

	"sml/graph/internal/pool"
	"sml/internal/kernels"
	"sml/internal/ops"
)

// instruction is one call of a kernel.
type instruction struct {
	name string // kernel, operations fused into it, and sizes in brackets
	run  func()
}

// emitter creates the instructions that compute values. An instruction holds the slices it reads
// and writes, so that running it allocates nothing and looks nothing up.
type emitter[T float] struct {
	backend[T]
	memory func(*value) []T // the numbers of a value; of a broadcast, the numbers it repeats
	fail   func(error)      // records an error of a running instruction
	pool   *pool.Pool       // nil for one goroutine
	sizes  PartSizes        // how large instructions are divided among the goroutines
}

// emit returns the instruction that computes a value. It must not be called for inputs, constants,
// broadcasts and reshapes, which need no computation, and for masked results, which the
// instruction of their product computes. It panics for other kinds that have no kernel.
func (e emitter[T]) emit(v *value) instruction {
	dst := e.memory(v)
	switch v.kind {
	case kindMatMul:
		return e.emitProduct(v)
	case kindBatchedMatMul:
		return e.emitBatchedProduct(v)
	case kindUnary:
		name := ops.EntryOfUnaryKernel(v.unaryOp).Name + " " + shapeText(v)
		return instruction{name, e.unaryCall(v.unaryOp, dst, e.memory(v.args[0]))}
	case kindFunction:
		name := v.function.Name + " " + shapeText(v)
		return instruction{name, e.functionCall(v.function, dst, e.memory(v.args[0]))}
	case kindBinary:
		return e.emitBinary(v)
	case kindConcat:
		return e.emitConcat(v, dst)
	case kindTriangularSolution:
		return e.emitTriangularSolution(v)
	case kindFallback:
		return e.emitFallback(v, dst)
	}
	// The kernels of all other kinds (see kindNames) read one number for each element of the
	// first operand. So a broadcast, which has fewer numbers than elements, is written out by
	// fill before each call; for other operands fill is nil.
	a, fill := e.materialize(v.args[0])
	name := kindNames[v.kind] + " " + shapeText(v.args[0])
	return instruction{name, runAfter(fill, e.matrixCall(v, dst, a))}
}

// kindNames are the names of the kernels that matrixCall calls.
var kindNames = map[kind]string{
	kindSum:               "sum",
	kindSumRows:           "sum of rows",
	kindSumCols:           "sum of columns",
	kindMaxRows:           "maximum of rows",
	kindMaxCols:           "maximum of columns",
	kindTranspose:         "transpose",
	kindTransposeMatrices: "transposes",
	kindSliceColumns:      "columns",
	kindPadColumns:        "spread",
	kindCopy:              "copy",
	kindPatches:           "patches",
	kindImages:            "sum of patches",
	kindGatherRows:        "rows by index",
	kindScatterRows:       "sum by index",
	kindCumulativeSum:     "cumulative sum",
	kindOrder:             "order",
	kindCholesky:          "cholesky",
	kindTriangle:          "triangle",
}

// matrixCall returns the kernel call that computes v from the numbers a of its first operand.
func (e emitter[T]) matrixCall(v *value, dst, a []T) func() {
	rows, cols := v.args[0].rows, v.args[0].cols
	switch v.kind {
	case kindSum:
		return e.sumCall(dst, a)
	case kindSumRows:
		return e.sumRowsCall(dst, a, rows, cols, v.accumulate != nil)
	case kindSumCols:
		return func() { e.sumCols(dst, a, rows, cols) }
	case kindMaxRows:
		return func() { ops.MaxAlongAxis(ops.OverRows, dst, a, rows, cols) }
	case kindMaxCols:
		return func() { ops.MaxAlongAxis(ops.OverColumns, dst, a, rows, cols) }
	case kindCopy:
		return func() { copy(dst, a) }
	case kindGatherRows:
		return e.rowIndexCall(v, dst, a, ops.LookUpRows[T])
	case kindScatterRows:
		return e.rowIndexCall(v, dst, a, ops.SumRowsByIndex[T])
	case kindCumulativeSum:
		return func() { ops.CumulateRows(dst, a, cols, v.fromEnd) }
	case kindOrder:
		buffer := make([]int, rows)
		return func() { ops.OrderRows(dst, a, cols, buffer) }
	case kindCholesky:
		return func() { kernels.Cholesky(dst, a, v.rows) }
	case kindTriangle:
		return func() { kernels.Triangles(dst, a, v.cols, v.upper, T(v.number)) }
	}
	return e.rearrangeCall(v, dst, a)
}

// rearrangeCall returns the kernel call that rearranges the numbers a of v's first operand.
func (e emitter[T]) rearrangeCall(v *value, dst, a []T) func() {
	rows, cols := v.args[0].rows, v.args[0].cols
	switch v.kind {
	case kindTranspose:
		return func() { e.transpose(dst, a, rows, cols) }
	case kindTransposeMatrices:
		matrices, _, _ := v.matrices()
		return func() { e.transposeMatrixRange(v, dst, a, 0, matrices) }
	case kindSliceColumns:
		to := matrixColumns[T]{dst, v.cols, 0}
		from := matrixColumns[T]{a, cols, v.firstColumn}
		return func() { copyColumns(to, from, rows, v.cols) }
	case kindPadColumns:
		to := matrixColumns[T]{dst, v.cols, v.firstColumn}
		from := matrixColumns[T]{a, cols, 0}
		return func() {
			clear(dst)
			copyColumns(to, from, rows, cols)
		}
	case kindPatches:
		return func() { ops.Gather(v.window, dst, a) }
	case kindImages: // patches overlap, so that Scatter adds them up, with the backend's addition
		return func() { ops.Scatter(v.window, dst, a, e.addTo) }
	}
	panic(fmt.Sprintf("engine: no instruction computes values of kind %d", v.kind))
}

// functionCall returns a function that writes f of each element of a to dst. An error of f is
// recorded by e.fail, since instructions return nothing.
func (e emitter[T]) functionCall(f ops.Function, dst, a []T) func() {
	return func() {
		if err := ops.Evaluate(f, dst, a); err != nil {
			e.fail(err)
		}
	}
}

// rowIndexCall returns the call of an operation on the matrix a and the row indices in v's
// second operand.
func (e emitter[T]) rowIndexCall(v *value, dst, a []T, op func(dst, x, index []T, columns int) error) func() {
	index, fill := e.materialize(v.args[1])
	columns := v.cols
	return runAfter(fill, func() {
		if err := op(dst, a, index, columns); err != nil {
			e.fail(err)
		}
	})
}

// emitTriangularSolution returns the instruction that solves triangular systems of N equations for all
// of their M right-hand sides.
func (e emitter[T]) emitTriangularSolution(v *value) instruction {
	triangle, fillTriangle := e.materialize(v.args[0])
	rightSides, fillRightSides := e.materialize(v.args[1])
	system := e.triangularSystem(v, triangle, rightSides)
	name := fmt.Sprintf("solve [%d %d]", system.N, system.M)
	if systems := system.Systems(); systems > 1 {
		name = fmt.Sprintf("solve [%d %d %d]", systems, system.N, system.M)
	}
	return instruction{name, runAfter(fillTriangle, runAfter(fillRightSides, system.SolveAll))}
}

// triangularSystem returns the system triangle·x = rightSides, or the systems, whose solution x is v.
func (e emitter[T]) triangularSystem(v *value, triangle, rightSides []T) kernels.Triangular[T] {
	_, n, m := v.matrices()
	return kernels.Triangular[T]{
		N:     n,
		M:     m,
		Upper: v.upper,
		T:     triangle,
		B:     rightSides,
		X:     e.memory(v),
	}
}

// shapeText returns the rows and columns of a value.
func shapeText(v *value) string { return fmt.Sprintf("[%d %d]", v.rows, v.cols) }

// runAfter returns a function that calls fill and then run. fill may be nil.
func runAfter(fill, run func()) func() {
	if fill == nil {
		return run
	}
	return func() {
		fill()
		run()
	}
}

// callAll calls functions one after another.
func callAll(calls []func()) {
	for _, call := range calls {
		call()
	}
}

// materialize returns memory with one number for each element of a value, for kernels that cannot
// repeat numbers themselves. For a broadcast it allocates the memory, and returns the function that
// fills it on every run; for other values fill is nil.
func (e emitter[T]) materialize(v *value) (elements []T, fill func()) {
	if v.kind != kindBroadcast {
		return e.memory(v), nil
	}
	dst := make([]T, v.size())
	src := e.memory(v) // the numbers that v repeats
	cols := v.cols
	source := v.args[0]
	switch {
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
	default: // a column
		return dst, func() {
			for i := range dst {
				dst[i] = src[i/cols]
			}
		}
	}
}

// emitProduct returns the instruction of a matrix product and its epilogue.
func (e emitter[T]) emitProduct(v *value) instruction {
	a, fillA := e.materialize(v.args[0])
	b, fillB := e.materialize(v.args[1])
	run := e.productCall(e.newProduct(v, a, b))
	return instruction{productName(v), runAfter(fillA, runAfter(fillB, run))}
}

// newProduct returns the matrix product that computes v from the numbers a and b of its
// operands.
func (e emitter[T]) newProduct(v *value, a, b []T) product[T] {
	operand := v.args[0]
	p := product[T]{
		m:           v.rows,
		n:           v.cols,
		k:           v.innerSize(),
		a:           a,
		b:           b,
		c:           e.memory(v),
		aRow:        operand.cols,
		aCol:        1,
		rowDistance: v.cols,
		accumulate:  v.accumulate != nil,
		bias:        e.optionalMemory(v.epilogue.bias),
		relu:        v.epilogue.relu,
		mask:        e.optionalMemory(v.epilogue.mask),
		gate:        e.optionalMemory(v.epilogue.gate),
		masked:      e.optionalMemory(v.epilogue.maskedResult),
	}
	if v.epilogue.mask != nil && v.epilogue.mask.size() == v.size() { // otherwise it is one row for all rows
		p.maskDistance = v.cols
	}
	if v.transA { // element (i, p) of the transpose is element (p, i) of the operand
		p.aRow = 1
		p.aCol = operand.cols
	}
	return p
}

// optionalMemory returns the memory of a value, nil for a nil value.
func (e emitter[T]) optionalMemory(v *value) []T {
	if v == nil {
		return nil
	}
	return e.memory(v)
}

// innerSize returns the number of multiplications for each element of the matrix product v: k in
// (m×k)·(k×n).
func (v *value) innerSize() int {
	if v.transA {
		return v.args[0].rows
	}
	return v.args[0].cols
}

// productName returns the name of a matrix product with its epilogue and sizes m, n and k.
func productName(v *value) string {
	name := "product"
	if v.transA {
		name += ", transposed"
	}
	for _, operation := range []struct {
		name  string
		isSet bool
	}{
		{"sum", v.accumulate != nil},
		{"bias", v.epilogue.bias != nil},
		{"relu", v.epilogue.relu},
		{"mask", v.epilogue.mask != nil},
		{"gate", v.epilogue.gate != nil},
		{"both kept", v.epilogue.maskedResult != nil},
	} {
		if operation.isSet {
			name += " + " + operation.name
		}
	}
	return fmt.Sprintf("%s [%d %d %d]", name, v.rows, v.cols, v.innerSize())
}

// emitBinary returns the instruction of an elementwise operation on two values. Where an
// operand repeats a row or column, the instruction works row by row.
func (e emitter[T]) emitBinary(v *value) instruction {
	a, b, op := v.args[0], v.args[1], v.binaryOp
	name := ops.EntryOfBinaryKernel(op).Name + " " + shapeText(v)
	switch {
	case a.kind != kindBroadcast && b.kind != kindBroadcast:
		return instruction{name, e.binaryCall(op, e.memory(v), e.memory(a), e.memory(b))}
	case isScalarBroadcast(b) && a.kind != kindBroadcast:
		return instruction{name, e.arrayScalarCall(op, e.memory(v), e.memory(a), e.memory(b))}
	case isScalarBroadcast(a) && b.kind != kindBroadcast:
		return instruction{name, e.scalarArrayCall(op, e.memory(v), e.memory(a), e.memory(b))}
	}
	calls := e.rowCalls(v)
	return instruction{name + ", by row", func() { callAll(calls) }}
}

// rowCalls returns a kernel call for each row of an elementwise operation on two values, of
// which at least one is a broadcast.
func (e emitter[T]) rowCalls(v *value) []func() {
	var calls []func()
	for row := range v.rows {
		dst := e.memory(v)[row*v.cols:][:v.cols]
		a := e.rowOperand(v.args[0], row, v.cols)
		b := e.rowOperand(v.args[1], row, v.cols)
		calls = append(calls, e.rowCall(v.binaryOp, dst, a, b))
	}
	return calls
}

// rowOperand is one row of an operand: its numbers, or one number for the whole row. The other
// field is nil.
type rowOperand[T float] struct{ numbers, scalar []T }

// rowOperand returns a row of an operand with cols columns. The memory of a broadcast holds only the
// numbers that it repeats.
func (e emitter[T]) rowOperand(v *value, row, cols int) rowOperand[T] {
	memory := e.memory(v)
	switch {
	case v.kind != kindBroadcast:
		return rowOperand[T]{numbers: memory[row*cols:][:cols]}
	case isScalarBroadcast(v):
		return rowOperand[T]{scalar: memory}
	case v.args[0].rows == 1: // every row is the same
		return rowOperand[T]{numbers: memory}
	default: // a repeated column has one number per row
		return rowOperand[T]{scalar: memory[row : row+1]}
	}
}

// rowCall returns the kernel call of a op b for one row.
func (e emitter[T]) rowCall(op kernels.BinaryOp, dst []T, a, b rowOperand[T]) func() {
	switch {
	case a.scalar == nil && b.scalar == nil:
		return e.binaryCall(op, dst, a.numbers, b.numbers)
	case a.scalar == nil:
		return e.arrayScalarCall(op, dst, a.numbers, b.scalar)
	case b.scalar == nil:
		return e.scalarArrayCall(op, dst, a.scalar, b.numbers)
	}
	// No kernel takes two single numbers: the first one fills the row.
	call := e.arrayScalarCall(op, dst, dst, b.scalar)
	return func() {
		for j := range dst {
			dst[j] = a.scalar[0]
		}
		call()
	}
}

// emitConcat returns the instruction that puts the operands of v side by side: each is copied
// into the columns after those of the operand before.
func (e emitter[T]) emitConcat(v *value, dst []T) instruction {
	var calls []func()
	column := 0
	for _, a := range v.args {
		src, fill := e.materialize(a)
		to := matrixColumns[T]{dst, v.cols, column}
		from := matrixColumns[T]{src, a.cols, 0}
		calls = append(calls, runAfter(fill, func() { copyColumns(to, from, v.rows, a.cols) }))
		column += a.cols
	}
	return instruction{"concat " + shapeText(v), func() { callAll(calls) }}
}

// matrixColumns is a range of columns, from column first on, of a matrix with width columns.
type matrixColumns[T float] struct {
	numbers []T
	width   int
	first   int
}

// copyColumns copies columns of one matrix into another.
func copyColumns[T float](to, from matrixColumns[T], rows, columns int) {
	if columns == 1 { // a call of copy for one number costs more than the number
		for row := range rows {
			to.numbers[row*to.width+to.first] = from.numbers[row*from.width+from.first]
		}
		return
	}
	for row := range rows {
		copy(to.numbers[row*to.width+to.first:][:columns], from.numbers[row*from.width+from.first:])
	}
}
