package ops

import (
	"fmt"
	"math"

	"sml/internal/kernels"
	"sml/internal/portable"
)

// Elementwise is an operation on each element of one operand or of two: of
// Gorgonia, or of this project. The table of them is what the Builder, the
// compiled engine, drawings, profiles and docs/reference/operations.md know operations from.
type Elementwise struct {
	Name     string // in profiles; and how an operation of this project prints, before its constant
	Gorgonia string // how Gorgonia prints an operation of its own, "" if it has none
	Method   string // of graph.Builder, "" if there is none
	Formula  string // of operands x and y and a constant c
	Label    string // in drawings, where that is not Name
	Gradient string // what flows to x and y, where the formula leaves it open

	// The kernel, and the definition in float64. An operation without a kernel is
	// computed by its definition, element by element; one without both runs through
	// Gorgonia.
	UnaryKernel kernels.UnaryOp
	UnaryFunc   func(x float64) float64

	// The same of two operands, or of one and a constant.
	BinaryKernel kernels.BinaryOp
	BinaryFunc   func(x, y float64) float64
	HasConstant  bool // y is a constant

	// The gradient with respect to each operand, nil where none flows. Operations of
	// Gorgonia whose own gradient is right have no gradients here.
	gradients []gradient
}

// Table lists the elementwise operations, and decides nothing by their order.
func Table() []Elementwise { return table }

var table = []Elementwise{
	{Name: "negate", Gorgonia: "neg", Method: "Neg", Formula: "−x", Label: "negative",
		UnaryKernel: kernels.Neg, UnaryFunc: func(x float64) float64 { return -x }},
	{Name: "abs", Gorgonia: "abs", Method: "Abs", Formula: "|x|", Label: "absolute value", Gradient: "0 at 0",
		UnaryKernel: kernels.Abs, UnaryFunc: math.Abs},
	{Name: "sign", Gorgonia: "sign", Method: "Sign", Formula: "1, −1, or x where x is 0 or NaN", Gradient: "none",
		UnaryKernel: kernels.Sign, UnaryFunc: sign},
	{Name: "square", Gorgonia: "square", Method: "Square", Formula: "x·x",
		UnaryKernel: kernels.Square, UnaryFunc: func(x float64) float64 { return x * x }},
	{Name: "cube", Gorgonia: "cube", Formula: "(x·x)·x",
		UnaryKernel: kernels.Cube, UnaryFunc: func(x float64) float64 { return x * x * x }},
	{Name: "sqrt", Gorgonia: "sqrt", Method: "Sqrt", Formula: "√x", Gradient: "+∞ at 0",
		UnaryKernel: kernels.Sqrt, UnaryFunc: math.Sqrt},
	{Name: "1/x", Gorgonia: "inv", Formula: "1/x", Label: "inv",
		UnaryKernel: kernels.Inv, UnaryFunc: func(x float64) float64 { return 1 / x }},
	{Name: "1/sqrt", Gorgonia: "invSqrt", Formula: "1/√x", Label: "invSqrt",
		UnaryKernel: kernels.InvSqrt, UnaryFunc: func(x float64) float64 { return 1 / math.Sqrt(x) }, gradients: []gradient{inverseSqrtGradient}},
	{Name: "relu", Method: "ReLU", Formula: "x where x > 0, else 0; NaN stays", Gradient: "0 at 0",
		UnaryKernel: kernels.Relu, UnaryFunc: relu},
	{Name: "exp", Gorgonia: "exp", Method: "Exp", Formula: "eˣ", UnaryKernel: kernels.Exp, UnaryFunc: portable.Exp},
	{Name: "expm1", Gorgonia: "expm1", Method: "Expm1", Formula: "eˣ − 1", UnaryKernel: kernels.Expm1, UnaryFunc: portable.Expm1},
	{Name: "log", Gorgonia: "ln", Method: "Log", Formula: "log x, natural", UnaryKernel: kernels.Log, UnaryFunc: portable.Log},
	{Name: "log1p", Gorgonia: "log1p", Method: "Log1p", Formula: "log(1 + x)", UnaryKernel: kernels.Log1p, UnaryFunc: portable.Log1p},
	{Name: "log2", Gorgonia: "log2", Formula: "log₂ x", UnaryFunc: portable.Log2, gradients: []gradient{log2Gradient}},
	{Name: "softplus", Gorgonia: "softplus", Method: "Softplus", Formula: "log(1 + eˣ), without overflow", UnaryKernel: kernels.Softplus, UnaryFunc: portable.Softplus},
	{Name: "tanh", Gorgonia: "tanh", Method: "Tanh", Formula: "tanh x", UnaryKernel: kernels.Tanh, UnaryFunc: portable.Tanh},
	{Name: "sigmoid", Gorgonia: "sigmoid", Method: "Sigmoid", Formula: "1/(1 + e⁻ˣ)", UnaryKernel: kernels.Sigmoid, UnaryFunc: portable.Sigmoid},
	{Name: "logit", Method: "Logit", Formula: "log(x/(1 − x))", UnaryKernel: kernels.Logit, UnaryFunc: logit, gradients: []gradient{logitGradient}},
	{Name: "sin", Gorgonia: "sin", Method: "Sin", Formula: "sin x", UnaryFunc: portable.Sin, gradients: []gradient{chainRule("cos")}},
	{Name: "cos", Gorgonia: "cos", Method: "Cos", Formula: "cos x", UnaryFunc: portable.Cos, gradients: []gradient{scaleGradient(-1, chainRule("sin"))}},
	{Name: "ceil", Gorgonia: "ceil", Formula: "⌈x⌉", Gradient: "none", UnaryFunc: math.Ceil},
	{Name: "floor", Gorgonia: "floor", Formula: "⌊x⌋", Gradient: "none", UnaryFunc: math.Floor},
	{Name: "erf", Method: "Erf", Formula: "erf x", UnaryKernel: kernels.Erf, UnaryFunc: portable.Erf, gradients: []gradient{scaleGradient(2/math.SqrtPi, chainRule("gaussian"))}},
	{Name: "gaussian", Formula: "e^(−x²)", UnaryKernel: kernels.Gaussian, UnaryFunc: gaussian, gradients: []gradient{scaleByOperand(-2, chainRule("gaussian"))}},
	{Name: "normal pdf", Method: "NormalPDF", Formula: "φ(x), the density of N(0, 1)", UnaryKernel: kernels.NormalPDF, UnaryFunc: portable.NormalPDF, gradients: []gradient{scaleByOperand(-1, chainRule("normal pdf"))}},
	{Name: "normal cdf", Method: "NormalCDF", Formula: "Φ(x), the distribution function of N(0, 1)", UnaryKernel: kernels.NormalCDF, UnaryFunc: portable.NormalCDF, gradients: []gradient{chainRule("normal pdf")}},
	{Name: "log normal cdf", Method: "LogNormalCDF", Formula: "log Φ(x), to the last places in both tails", UnaryFunc: portable.LogNormalCDF, gradients: []gradient{chainRule("inverse mills")}},
	{Name: "inverse mills", Method: "InverseMills", Formula: "φ(x)/Φ(x)", UnaryFunc: portable.InverseMills, gradients: []gradient{inverseMillsGradient}},
	{Name: "mills excess", Formula: "x + φ(x)/Φ(x), without cancellation", UnaryFunc: portable.MillsExcess, gradients: []gradient{millsExcessGradient}},
	{Name: "log gamma", Method: "LogGamma", Formula: "log |Γ(x)|; +∞ at 0, −1, …", UnaryFunc: portable.LogGamma, gradients: []gradient{chainRule("digamma")}},
	{Name: "digamma", Method: "Digamma", Formula: "the derivative of log Γ(x); −∞ at 0, NaN at −1, −2, …", UnaryFunc: portable.Digamma, gradients: []gradient{raiseOrder("polygamma")}},
	{Name: "polygamma", Formula: "the derivative of order c of digamma", BinaryFunc: polygamma, HasConstant: true, gradients: []gradient{raiseOrder("polygamma")}},
	{Name: "log gamma step", Formula: "log Γ(x + ½) − log Γ(x); NaN for x < 0", UnaryKernel: kernels.LogGammaStep, UnaryFunc: portable.LogGammaStep, gradients: []gradient{chainRule("digamma step")}},
	{Name: "digamma step", Formula: "the derivative of log gamma step", UnaryKernel: kernels.DigammaStep, UnaryFunc: digammaStep, gradients: []gradient{raiseOrder("polygamma step")}},
	{Name: "polygamma step", Formula: "the derivative of order c of digamma step", BinaryFunc: polygammaStep, HasConstant: true, gradients: []gradient{raiseOrder("polygamma step")}},

	{Name: "add", Gorgonia: "+", Method: "Add", Formula: "x + y", Label: "+",
		BinaryKernel: kernels.Add, BinaryFunc: func(x, y float64) float64 { return x + y }},
	{Name: "subtract", Gorgonia: "-", Method: "Sub", Formula: "x − y", Label: "−",
		BinaryKernel: kernels.Sub, BinaryFunc: func(x, y float64) float64 { return x - y }},
	{Name: "multiply", Gorgonia: "⊙", Method: "Mul", Formula: "x·y", Label: "×",
		BinaryKernel: kernels.Mul, BinaryFunc: func(x, y float64) float64 { return x * y }},
	{Name: "divide", Gorgonia: "÷", Method: "Div", Formula: "x / y", Label: "÷",
		BinaryKernel: kernels.Div, BinaryFunc: func(x, y float64) float64 { return x / y }},
	{Name: "pow", Method: "Pow", Formula: "xᶜ, NaN where x < 0 unless c is an integer; 1 for c = 0", Gradient: "c·xᶜ⁻¹: at 0 it is 0 for c > 1, 1 for c = 1, ±∞ below; 0 everywhere for c = 0",
		BinaryKernel: kernels.Pow, BinaryFunc: kernels.Power, HasConstant: true, gradients: []gradient{powGradient}},
	{Name: "power", Gorgonia: "^", Formula: "xʸ", Label: "^", Gradient: "to x as that of pow where y is a constant; to y none where x = 0",
		BinaryKernel: kernels.Pow, BinaryFunc: kernels.Power, gradients: []gradient{baseGradient, exponentGradient}},
	{Name: "max", Method: "Max", Formula: "the larger of x and y; NaN where either is", Gradient: "to the larger; half to each where x = y; none where either is NaN",
		BinaryKernel: kernels.Max, BinaryFunc: maximum, gradients: []gradient{maxGradient(0), maxGradient(1)}},
	{Name: "max between", Gorgonia: "MaxBetween", Formula: "the larger of x and y; NaN where either is", Label: "MaxBetween", Gradient: "to x where x = y",
		BinaryKernel: kernels.Max, BinaryFunc: maximum},
	{Name: "min", Method: "Min", Formula: "the smaller of x and y; NaN where either is", Gradient: "to the smaller; half to each where x = y; none where either is NaN",
		BinaryKernel: kernels.Min, BinaryFunc: minimum, gradients: []gradient{minGradient(0), minGradient(1)}},
	{Name: "min between", Gorgonia: "MinBetween", Formula: "the smaller of x and y; NaN where either is", Label: "MinBetween", Gradient: "to x where x = y",
		BinaryKernel: kernels.Min, BinaryFunc: minimum},
	{Name: "clamp min", Method: "ClampMin", Formula: "x where x > c, else c; NaN stays", Gradient: "0 where x ≤ c or x is NaN, whatever comes back",
		BinaryKernel: kernels.Max, BinaryFunc: maximum, HasConstant: true, gradients: []gradient{clampMinGradient}},
	{Name: "clamp max", Method: "ClampMax", Formula: "x where x < c, else c; NaN stays", Gradient: "0 where x ≥ c or x is NaN, whatever comes back",
		BinaryKernel: kernels.Min, BinaryFunc: minimum, HasConstant: true, gradients: []gradient{clampMaxGradient}},
	{Name: "gate", Formula: "x where y > 0, else 0", Gradient: "to x where y > 0; none to y",
		BinaryKernel: kernels.Gate, BinaryFunc: gate, gradients: []gradient{gateGradient, nil}},
	{Name: "greater", Gorgonia: ">", Method: "Greater", Formula: "1 where x > y, else 0", Label: ">", Gradient: "none",
		BinaryKernel: kernels.Gt, BinaryFunc: func(x, y float64) float64 { return boolToNumber(x > y) }},
	{Name: "greater or equal", Gorgonia: ">=", Formula: "1 where x ≥ y, else 0", Label: ">=", Gradient: "none",
		BinaryKernel: kernels.Gte, BinaryFunc: func(x, y float64) float64 { return boolToNumber(x >= y) }},
	{Name: "less", Gorgonia: "<", Formula: "1 where x < y, else 0", Label: "<", Gradient: "none",
		BinaryKernel: kernels.Lt, BinaryFunc: func(x, y float64) float64 { return boolToNumber(x < y) }},
	{Name: "less or equal", Gorgonia: "<=", Formula: "1 where x ≤ y, else 0", Label: "<=", Gradient: "none",
		BinaryKernel: kernels.Lte, BinaryFunc: func(x, y float64) float64 { return boolToNumber(x <= y) }},
	{Name: "equal", Gorgonia: "==", Method: "Equal", Formula: "1 where x = y, else 0", Label: "==", Gradient: "none",
		BinaryKernel: kernels.Eq, BinaryFunc: func(x, y float64) float64 { return boolToNumber(x == y) }},
	{Name: "not equal", Gorgonia: "!=", Formula: "1 where x ≠ y, else 0", Label: "!=", Gradient: "none",
		BinaryKernel: kernels.Ne, BinaryFunc: func(x, y float64) float64 { return boolToNumber(x != y) }},
}

// label is what a drawing calls the operation.
func (e *Elementwise) label() string {
	if e.Label != "" {
		return e.Label
	}
	return e.Name
}

// Applies reports whether the operation is one of this project, which Apply applies. It is
// not if the table only replaces a gradient of Gorgonia.
func (e *Elementwise) Applies() bool {
	return e.gradients != nil && (e.Gorgonia == "" || e.Method != "")
}

// Defined reports whether there is a definition.
func (e *Elementwise) Defined() bool { return e.UnaryFunc != nil || e.BinaryFunc != nil }

// Function is the definition of an operation on one operand, and a constant if it
// has one.
func (e *Elementwise) Function(c float64) Function {
	if e.HasConstant {
		key := fmt.Sprintf("%s %v", e.Name, c)
		return Function{Name: key, Key: key, Eval: func(x float64) float64 { return e.BinaryFunc(x, c) }}
	}
	return Function{Name: e.Name, Key: e.Name, Eval: e.UnaryFunc}
}

// comparison tells whether the operation yields 1 or 0.
func (e *Elementwise) comparison() bool {
	return e.BinaryKernel >= kernels.Gt && e.BinaryKernel <= kernels.Ne
}

// Operands is how many operands there are, beside a constant.
func (e *Elementwise) Operands() int {
	if e.BinaryFunc != nil && !e.HasConstant {
		return 2
	}
	return 1
}

var (
	byName     = make(map[string]*Elementwise)
	byGorgonia = make(map[string]*Elementwise)
	byUnary    = make(map[kernels.UnaryOp]*Elementwise)
	byBinary   = make(map[kernels.BinaryOp]*Elementwise)
)

func init() {
	for i := range table {
		e := &table[i]
		byName[e.Name] = e
		if e.Gorgonia != "" {
			byGorgonia[e.Gorgonia] = e
		}
		if e.UnaryKernel != 0 {
			byUnary[e.UnaryKernel] = e
		}
		if e.BinaryKernel != 0 && byBinary[e.BinaryKernel] == nil { // several operations share a kernel
			byBinary[e.BinaryKernel] = e
		}
	}
}

// EntryOfUnaryKernel returns the operation that a kernel is named after.
func EntryOfUnaryKernel(op kernels.UnaryOp) *Elementwise { return byUnary[op] }

// EntryOfBinaryKernel returns the first operation of the table that has the kernel.
func EntryOfBinaryKernel(op kernels.BinaryOp) *Elementwise { return byBinary[op] }
