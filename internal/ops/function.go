package ops

import (
	"fmt"
	"hash"
	"math"
	"slices"
	"sync/atomic"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Function is a function of one number in float64, which is computed element by element.
type Function struct {
	Name string // name in profiles
	Key  string // unique among all functions of the process
	Eval func(x float64) float64

	// Recover, unless it is nil, is deferred around calls of Eval, which may then panic. It turns
	// the panic into an error that begins with Description.
	Recover     Recover
	Description string
}

// Recover is a function to defer. It turns a panic in what into an error.
type Recover func(err *error, what string)

// Evaluate writes f(x) to dst, element by element. It returns an error if f panics and has a
// Recover function.
func Evaluate[T float32 | float64](f Function, dst, x []T) error {
	if f.Recover != nil {
		return evaluateRecovering(f, dst, x)
	}
	evaluate(f, dst, x)
	return nil
}

// evaluateRecovering is Evaluate for a function that may panic. It is a function of its own because
// its deferred call moves err to the heap.
func evaluateRecovering[T float32 | float64](f Function, dst, x []T) (err error) {
	defer f.Recover(&err, f.Description)
	evaluate(f, dst, x)
	return nil
}

// evaluate writes f(x) to dst, element by element.
func evaluate[T float32 | float64](f Function, dst, x []T) {
	for i, v := range x {
		dst[i] = T(f.Eval(float64(v)))
	}
}

// UserFunction is an elementwise operation of one operand that a user wrote in Go.
type UserFunction struct {
	baseOp
	function   Function
	derivative *UserFunction // nil for a derivative, whose own derivative is unknown
	userName   string        // user's name of the function, also in its derivative
}

// functionCount is the number of functions that this process has made. It numbers them, since
// Gorgonia takes operations of equal hash for one, and Go cannot compare functions.
var functionCount atomic.Int64

// NewUserFunction returns the operation of a function and its derivative. recover turns their
// panics into errors.
func NewUserFunction(name string, f, derivative func(x float64) float64, recover Recover) UserFunction {
	derivativeName := "derivative of " + name
	return UserFunction{
		baseOp:   baseOp{name: name, arity: 1},
		function: newFunction(name, f, recover),
		userName: name,
		derivative: &UserFunction{
			baseOp:   baseOp{name: derivativeName, arity: 1},
			function: newFunction(derivativeName, derivative, recover),
			userName: name,
		},
	}
}

// newFunction returns f as a Function that differs from all others.
func newFunction(name string, f func(x float64) float64, recover Recover) Function {
	return Function{
		Name:        name,
		Key:         fmt.Sprintf("function %d", functionCount.Add(1)),
		Eval:        f,
		Recover:     recover,
		Description: fmt.Sprintf("Elementwise %q", name),
	}
}

// probePoints are the arguments at which graph.SameComputation compares functions: both signs and several sizes, so
// that no two usual functions agree at all of them.
var probePoints = []float64{0, 1e-3, 0.37, 1.3, 4.1, 57.3, 1e5, -1e-3, -0.37, -1.3, -4.1, -57.3, -1e5}

// Same reports whether two operations have the same name and, at all probePoints, the same values
// and derivatives. Go cannot compare functions themselves.
func (o UserFunction) Same(p UserFunction) bool {
	oHasDerivative := o.derivative != nil // false for a derivative
	pHasDerivative := p.derivative != nil
	if o.function.Name != p.function.Name || oHasDerivative != pHasDerivative {
		return false
	}
	if !slices.EqualFunc(o.function.probe(), p.function.probe(), equalBits) {
		return false
	}
	return !oHasDerivative || o.derivative.Same(*p.derivative)
}

// probe returns the function's values at probePoints, or nil if it panics. Two functions that panic
// therefore count as equal; their names agree as well.
func (f Function) probe() []float64 {
	values := make([]float64, len(probePoints))
	if err := Evaluate(f, values, probePoints); err != nil {
		return nil
	}
	return values
}

// equalBits reports whether v and w are the same number or the same NaN.
func equalBits(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) }

// WriteHash writes the key of the function. Two functions with one name are two operations.
func (o UserFunction) WriteHash(h hash.Hash) { fmt.Fprint(h, o.function.Key) }

// Hashcode returns the hash of the text that WriteHash writes.
func (o UserFunction) Hashcode() uint32 { return hashcode(o) }

// InferShape returns the shape of the operand.
func (o UserFunction) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	shape, ok := shapes[0].(tensor.Shape)
	if !ok {
		return nil, fmt.Errorf("want a tensor, not %T", shapes[0])
	}
	return shape.Clone(), nil
}

// Do returns the function's values. It returns an error if the function panics.
func (o UserFunction) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	var panicErr error // set by the functions below, which newValue calls
	v, err := newValue(inputs[0], inputs[0].Shape(),
		func(dst, x []float32) { panicErr = Evaluate(o.function, dst, x) },
		func(dst, x []float64) { panicErr = Evaluate(o.function, dst, x) })
	if panicErr != nil {
		return nil, panicErr
	}
	return v, err
}

// SymDiff returns grad times the derivative. It returns an error for an operation that is itself a
// derivative.
func (o UserFunction) SymDiff(operands gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	if o.derivative == nil {
		return nil, fmt.Errorf("the second derivative of Elementwise %q is not known: build the function of operations whose derivatives are known, or keep its gradient out of the loss", o.userName)
	}
	e := new(expression)
	return e.results(e.mul(grad, e.apply(*o.derivative, operands[0])))
}
