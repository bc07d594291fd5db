package graph_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"sml/graph"
	"sml/internal/ops"
)

// program lists nodes for interpreters, operands before their users.
type program struct {
	nodes      graph.Nodes
	operations []ops.Operation
	operands   [][]int // indices in nodes
	index      map[*graph.Node]int
}

// add adds n and the nodes that it is computed from, unless the program has them, and returns the index
// of n.
func (p *program) add(n *graph.Node) int {
	if k, ok := p.index[n]; ok {
		return k
	}
	var operands []int
	for _, x := range graph.Operands(n) {
		operands = append(operands, p.add(x))
	}
	p.index[n] = len(p.nodes)
	p.nodes = append(p.nodes, n)
	p.operations = append(p.operations, ops.OperationOf(n))
	p.operands = append(p.operands, operands)
	return p.index[n]
}

// interpreter computes the nodes of a program one after another in float64, by loops over the
// definitions of the operations. It shares no code with the engines but the table of elementwise
// functions.
type interpreter struct {
	*program
	leaf   func(n *graph.Node) []float64 // numbers of a node without an operation
	held   *interpreter                  // has the values behind each StopGradient; nil for the operand's own
	random *rand.Rand                    // draws rounding errors; nil for none
	values [][]float64                   // of the first nodes
}

// newInterpreter returns an interpreter of an empty program.
func newInterpreter(leaf func(n *graph.Node) []float64) *interpreter {
	return &interpreter{program: &program{index: make(map[*graph.Node]int)}, leaf: leaf}
}

// float32Rounding is the largest relative error of a float32 operation.
const float32Rounding = 1.0 / (1 << 24)

// value returns the numbers of n, row by row.
func (p *interpreter) value(n *graph.Node) []float64 {
	last := p.add(n)
	for k := len(p.values); k <= last; k++ {
		p.values = append(p.values, p.compute(k))
	}
	return p.values[last]
}

// sums are numbers with the sums of the magnitudes of their terms, to which a rounding error is in
// proportion.
type sums struct{ total, magnitude []float64 }

func newSums(n int) sums { return sums{make([]float64, n), make([]float64, n)} }

func (s sums) add(i int, term float64) {
	s.total[i] += term
	s.magnitude[i] += math.Abs(term)
}

// round adds a rounding error to each number if the interpreter draws them. Errors of one size and
// random signs would cancel too often.
func (p *interpreter) round(s sums) []float64 {
	if p.random != nil {
		for i, m := range s.magnitude {
			sign := float64(1 - 2*p.random.IntN(2))
			s.total[i] += sign * (0.5 + 0.5*p.random.Float64()) * m * float32Rounding
		}
	}
	return s.total
}

// compute returns the numbers of node k from those of its operands.
func (p *interpreter) compute(k int) []float64 {
	n := p.nodes[k]
	o := p.operations[k]
	var x [][]float64
	for _, i := range p.operands[k] {
		x = append(x, p.values[i])
	}
	s := newSums(max(1, n.Shape().TotalSize()))
	switch o.Kind {
	case ops.KindInput:
		return p.leaf(n)
	case ops.KindReshape:
		return x[0]
	case ops.KindStopGradient:
		if p.held != nil {
			return p.held.values[k]
		}
		return x[0]
	case ops.KindScalar:
		v, _ := ops.ScalarOf(n)
		s.add(0, v)
	case ops.KindSize:
		s.total[0] = float64(o.AxisLength)
		if o.AxisLength == 0 {
			s.total[0] = float64(p.shape(k, 0)[o.Axes[0]])
		}
	case ops.KindElementwise, ops.KindUserFunction:
		for i := range s.total {
			var operands []float64
			for _, v := range x {
				operands = append(operands, v[i%len(v)]) // a scalar is the same everywhere
			}
			s.add(i, apply(o, operands))
		}
	case ops.KindProduct:
		p.multiply(s, k, o, x[0], x[1])
	case ops.KindSum, ops.KindMaximum, ops.KindRepeat:
		p.alongAxes(s, k, o, x[0])
	case ops.KindCholesky:
		cholesky(s, x[0], n.Shape()[0])
	case ops.KindTriangularSolve:
		shape := n.Shape()
		size := shape[len(shape)-2]
		sides := size * shape[len(shape)-1]
		for i := range len(s.total) / sides { // each system
			part := sums{s.total[i*sides:][:sides], s.magnitude[i*sides:][:sides]}
			solve(part, x[0][i*size*size:][:size*size], x[1][i*sides:][:sides], size, o.Upper)
		}
	case ops.KindRows, ops.KindSumByRow:
		width := n.Shape()[1]
		for i, row := range x[1] {
			for j := range width {
				if o.Kind == ops.KindRows {
					s.total[i*width+j] = x[0][int(row)*width+j]
				} else {
					s.add(int(row)*width+j, x[0][i*width+j])
				}
			}
		}
	default:
		p.move(s, k, o, x)
	}
	return p.round(s)
}

// shape returns the shape of an operand of node k.
func (p *interpreter) shape(k, operand int) []int { return p.nodes[p.operands[k][operand]].Shape() }

// apply returns an elementwise operation of numbers.
func apply(o ops.Operation, x []float64) float64 {
	e := o.Elementwise
	switch {
	case e == nil:
		return o.Function.Eval(x[0])
	case e.UnaryFunc != nil:
		return e.UnaryFunc(x[0])
	case e.HasConstant:
		return e.BinaryFunc(x[0], o.Constant)
	}
	return e.BinaryFunc(x[0], x[1])
}

// multiply computes products of matrices and vectors.
func (p *interpreter) multiply(s sums, k int, o ops.Operation, x, y []float64) {
	matrix := func(operand int, transposed bool, isColumn bool) (rows, columns, rowStep, columnStep int) {
		shape := p.shape(k, operand)
		columns = shape[len(shape)-1]
		rows = 1
		if len(shape) > 1 {
			rows = shape[len(shape)-2]
		} else if isColumn {
			rows, columns = columns, 1
		}
		if transposed {
			return columns, rows, 1, columns
		}
		return rows, columns, columns, 1
	}
	m, inner, xRow, xColumn := matrix(0, o.TransposeX, o.Form == ops.Outer)
	innerY, n, yRow, yColumn := matrix(1, o.TransposeY && o.Form != ops.MatrixVector, o.Form != ops.Outer)
	if inner != innerY {
		panic(fmt.Sprintf("the interpreter cannot multiply %v", p.nodes[k].Op()))
	}
	for i := range s.total {
		matrix, row, column := i/(m*n), i/n%m, i%n
		for q := range inner {
			s.add(i, x[matrix*m*inner+row*xRow+q*xColumn]*y[matrix*inner*n+q*yRow+column*yColumn])
		}
	}
}

// alongAxes computes sums, maxima and repetitions. Element i of the operand belongs to one element of
// a sum, and element i of a repetition to one element of the operand.
func (p *interpreter) alongAxes(s sums, k int, o ops.Operation, x []float64) {
	large := p.shape(k, 0)
	if o.Kind == ops.KindRepeat {
		large = p.nodes[k].Shape()
	}
	columns := 1
	if len(large) > 0 {
		columns = large[len(large)-1]
	}
	isOver := func(axis int) bool { return slices.Contains(o.Axes, axis) }
	small := func(i int) int {
		switch {
		case o.Kind == ops.KindRepeat && len(x) == len(s.total):
			return i
		case o.Kind == ops.KindRepeat && len(x) == 1, len(s.total) == 1, len(o.Axes) == len(large):
			return 0
		case len(large) == 2 && isOver(0):
			return i % columns
		case len(large) == 2 && isOver(1):
			return i / columns
		}
		panic(fmt.Sprintf("the interpreter cannot compute %v of %v", p.nodes[k].Op(), p.shape(k, 0)))
	}
	switch o.Kind {
	case ops.KindRepeat:
		for i := range s.total {
			s.total[i] = x[small(i)]
		}
	case ops.KindSum:
		for i, v := range x {
			s.add(small(i), v)
		}
	case ops.KindMaximum:
		for i := range s.total {
			s.total[i] = math.Inf(-1)
		}
		for i, v := range x {
			s.total[small(i)] = max(s.total[small(i)], v)
		}
	}
}

// cholesky computes the factor of the symmetric part of a, column by column.
func cholesky(s sums, a []float64, n int) {
	l := s.total
	for j := range n {
		for i := j; i < n; i++ {
			v := (a[i*n+j] + a[j*n+i]) / 2
			s.magnitude[i*n+j] = math.Abs(v)
			for q := range j {
				v -= l[i*n+q] * l[j*n+q]
				s.magnitude[i*n+j] += math.Abs(l[i*n+q] * l[j*n+q])
			}
			if i == j {
				l[i*n+i] = math.Sqrt(v)
			} else {
				l[i*n+j] = v / l[j*n+j]
			}
			s.magnitude[i*n+j] /= l[j*n+j]
		}
	}
}

// solve computes x of t·x = b by substitution.
func solve(s sums, t, b []float64, n int, upper bool) {
	m := len(b) / n
	for step := range n {
		i := step
		if upper {
			i = n - 1 - step
		}
		for j := range m {
			v := b[i*m+j]
			magnitude := math.Abs(v)
			for done := range step {
				q := done
				if upper {
					q = n - 1 - done
				}
				v -= t[i*n+q] * s.total[q*m+j]
				magnitude += math.Abs(t[i*n+q] * s.total[q*m+j])
			}
			s.total[i*m+j] = v / t[i*n+i]
			s.magnitude[i*m+j] = magnitude / math.Abs(t[i*n+i])
		}
	}
}

// move computes operations that move numbers, and sums of patches and of rows.
func (p *interpreter) move(s sums, k int, o ops.Operation, x [][]float64) {
	shape := p.nodes[k].Shape()
	columns := shape[len(shape)-1]
	switch o.Kind {
	case ops.KindTranspose:
		rows := shape[len(shape)-2]
		for i := range s.total {
			matrix, row, column := i/(rows*columns), i/columns%rows, i%columns
			s.total[i] = x[0][(matrix*columns+column)*rows+row]
		}
	case ops.KindColumns, ops.KindPadColumns:
		wide := max(columns, p.shape(k, 0)[1])
		narrow := min(columns, p.shape(k, 0)[1])
		for i := range len(s.total) / columns * narrow {
			inWide := i/narrow*wide + o.From + i%narrow
			if o.Kind == ops.KindColumns {
				s.total[i] = x[0][inWide]
			} else {
				s.total[inWide] = x[0][i]
			}
		}
	case ops.KindConcat:
		first := 0
		for operand, v := range x {
			width := p.shape(k, operand)[1]
			for i, number := range v {
				s.total[i/width*columns+first+i%width] = number
			}
			first += width
		}
	case ops.KindCumulativeSum:
		rows := len(s.total) / columns
		for i := range s.total {
			for row := range rows {
				if isBehind := row > i/columns; row == i/columns || isBehind == o.FromEnd {
					s.add(i, x[0][row*columns+i%columns])
				}
			}
		}
	case ops.KindOrder: // the place of an element is the number of elements before it
		for i, v := range x[0] {
			place := 0
			for j, other := range x[0] {
				if i%columns == j%columns && (other < v || other == v && j < i) {
					place++
				}
			}
			s.total[place*columns+i%columns] = float64(i / columns)
		}
	case ops.KindTriangle:
		for i, v := range x[0] {
			row, column := i/columns%columns, i%columns
			if row == column {
				s.add(i, o.Constant*v)
			} else if (row < column) == o.Upper {
				s.total[i] = v
			}
		}
	case ops.KindPatches:
		visitPatches(o.Window, func(patch, image int) { s.total[patch] = x[0][image] })
	case ops.KindImages:
		visitPatches(o.Window, func(patch, image int) { s.add(image, x[0][patch]) })
	default:
		panic(fmt.Sprintf("the interpreter does not know %v", p.nodes[k].Op()))
	}
}

// visitPatches calls visit with the index of each number in the patches of a window and its index in
// the images, except for numbers in the padding.
func visitPatches(w ops.Window, visit func(patch, image int)) {
	v, h := w.Vertical, w.Horizontal
	pixels := v.Kernel * h.Kernel
	position := 0
	for row := range w.Rows {
		for i := range v.Positions() {
			for j := range h.Positions() {
				for pixel := range pixels {
					y := i*v.Stride - v.Padding + pixel/h.Kernel*v.Dilation
					x := j*h.Stride - h.Padding + pixel%h.Kernel*h.Dilation
					if y < 0 || y >= v.Size || x < 0 || x >= h.Size {
						continue
					}
					for channel := range w.Channels {
						patch := (position*pixels+pixel)*w.Channels + channel
						if w.PerChannel {
							patch = (position*w.Channels+channel)*pixels + pixel
						}
						visit(patch, ((row*v.Size+y)*h.Size+x)*w.Channels+channel)
					}
				}
				position++
			}
		}
	}
}
