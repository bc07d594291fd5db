package ops

import (
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"slices"
	"sync/atomic"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Function is a function of one number that is computed element by element, in
// float64.
type Function struct {
	Name string // name in profiles
	Key  string // unique among all functions
	Eval func(x float64) float64

	// Recover is deferred to turn a panic in At into an error that begins with What. It is
	// nil if At never panics.
	Recover Recover
	What    string
}

// Recover is the type of a deferred function that turns a panic in what into an error.
type Recover func(err *error, what string)

// Evaluate writes f of each element of x to dst.
func Evaluate[T float32 | float64](f Function, dst, x []T) error {
	if f.Recover != nil {
		return eachRecovered(f, dst, x)
	}
	each(f, dst, x)
	return nil
}

// eachRecovered is Each for a function that may panic. It is separate because its deferred call
// moves err to the heap.
func eachRecovered[T float32 | float64](f Function, dst, x []T) (err error) {
	defer f.Recover(&err, f.What)
	each(f, dst, x)
	return nil
}

func each[T float32 | float64](f Function, dst, x []T) {
	for i, v := range x {
		dst[i] = T(f.Eval(float64(v)))
	}
}

// UserFunction is an operation of one operand that its user wrote in Go.
type UserFunction struct {
	baseOp
	function   Function
	derivative *UserFunction // nil if it is not known
	of         string        // user's name of the function, whose derivative this may be
}

// functions counts the functions of a process: Gorgonia takes two operations of
// equal hash for one, and two functions cannot be compared.
var functions atomic.Int64

// NewUserFunction makes an operation of a function and its derivative.
func NewUserFunction(name string, f, derivative func(x float64) float64, recover Recover) UserFunction {
	o := UserFunction{baseOp: baseOp{name, 1}, function: newFunction(name, f), of: name}
	derived := "derivative of " + name
	d := UserFunction{baseOp: baseOp{derived, 1}, function: newFunction(derived, derivative), of: name}
	o.function.Recover = recover
	d.function.Recover = recover
	o.derivative = &d
	return o
}

// newFunction returns a function that differs from all others.
func newFunction(name string, at func(x float64) float64) Function {
	return Function{
		Name: name,
		Key:  fmt.Sprintf("function %d", functions.Add(1)),
		Eval: at,
		What: fmt.Sprintf("Elementwise %q", name),
	}
}

// probePoints are the arguments at which Same compares functions: both signs and several sizes, chosen
// so that no two usual functions agree at all of them.
var probePoints = []float64{0, 1e-3, 0.37, 1.3, 4.1, 57.3, 1e5, -1e-3, -0.37, -1.3, -4.1, -57.3, -1e5}

// Same reports whether two operations have the same name, and the same values of functions and
// derivatives at all arguments in probePoints. Go cannot compare functions themselves.
func (o UserFunction) Same(p UserFunction) bool {
	if o.function.Name != p.function.Name || (o.derivative == nil) != (p.derivative == nil) {
		return false
	}
	at := func(f Function) []float64 {
		values := make([]float64, len(probePoints))
		if err := Evaluate(f, values, probePoints); err != nil {
			return nil
		}
		return values
	}
	bits := func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) }
	if !slices.EqualFunc(at(o.function), at(p.function), bits) {
		return false
	}
	return o.derivative == nil || o.derivative.Same(*p.derivative)
}

func (o UserFunction) WriteHash(h hash.Hash) { fmt.Fprint(h, o.function.Key) }

func (o UserFunction) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

func (o UserFunction) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	shape, ok := shapes[0].(tensor.Shape)
	if !ok {
		return nil, fmt.Errorf("want a tensor, not %T", shapes[0])
	}
	return shape.Clone(), nil
}

func (o UserFunction) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	var failed error
	v, err := newValue(inputs[0], inputs[0].Shape(),
		func(dst, x []float32) { failed = Evaluate(o.function, dst, x) },
		func(dst, x []float64) { failed = Evaluate(o.function, dst, x) })
	if failed != nil {
		return nil, failed
	}
	return v, err
}

func (o UserFunction) SymDiff(operands gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	if o.derivative == nil {
		return nil, fmt.Errorf("the second derivative of Elementwise %q is not known: build it of operations whose derivatives are, or keep its gradient out of the loss", o.of)
	}
	e := new(expression)
	return e.results(e.mul(grad, e.apply(*o.derivative, operands[0])))
}
