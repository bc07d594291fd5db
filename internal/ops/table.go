package ops

import (
	"fmt"
	"math"

	"sml/internal/kernels"
	"sml/internal/portable"
)

// Elementwise is an elementwise operation of one operand x, of two operands x and y, or of one
// operand x and a constant c. It is Gorgonia's or this project's.
type Elementwise struct {
	// Name is unique. Profiles show it, and an operation of this project prints as its name and
	// constant.
	Name string

	Gorgonia string // printed form of Gorgonia's operation, "" if Gorgonia has none
	Method   string // method of graph.Builder, "" if there is none
	Formula  string // value in terms of x, y and c, for docs/reference/operations.md
	Label    string // name in drawings, "" for Name
	Gradient string // gradient where the formula does not determine it, for docs/reference/operations.md

	// An operation of one operand has a UnaryFunc, which defines it in float64, and a UnaryKernel
	// if it is fast. All others have a BinaryFunc and a BinaryKernel. The engine computes an
	// operation without a kernel by its function, number by number.
	UnaryKernel  kernels.UnaryOp
	UnaryFunc    func(x float64) float64
	BinaryKernel kernels.BinaryOp
	BinaryFunc   func(x, y float64) float64
	HasConstant  bool // whether y of the kernel and the function is the constant c

	// gradients has the gradient with respect to each operand, nil if no gradient flows to it. It
	// is nil for an operation of Gorgonia whose own gradient is right.
	gradients []gradient
}

// Table returns all elementwise operations. Their order has no meaning. The caller must not change
// them.
func Table() []Elementwise { return table }

// table has all elementwise operations, which Table documents.
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
		UnaryKernel: kernels.Reciprocal, UnaryFunc: func(x float64) float64 { return 1 / x }},
	{Name: "1/sqrt", Gorgonia: "invSqrt", Formula: "1/√x", Label: "invSqrt",
		UnaryKernel: kernels.InvSqrt, UnaryFunc: func(x float64) float64 { return 1 / math.Sqrt(x) }, gradients: []gradient{inverseSqrtGradient}},
	{Name: "relu", Method: "ReLU", Formula: "x where x > 0, else 0", Gradient: "0 at 0",
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
	{Name: "atan", Method: "Atan", Formula: "arctan x", UnaryFunc: portable.Atan, gradients: []gradient{atanGradient}},
	{Name: "sinh", Method: "Sinh", Formula: "sinh x", UnaryFunc: portable.Sinh, gradients: []gradient{chainRule("cosh")}},
	{Name: "cosh", Formula: "cosh x", UnaryFunc: portable.Cosh, gradients: []gradient{chainRule("sinh")}},
	{Name: "asinh", Method: "Asinh", Formula: "log(x + √(x² + 1)), the inverse of sinh x, precise near 0", UnaryFunc: portable.Asinh, gradients: []gradient{asinhGradient}},
	{Name: "ceil", Gorgonia: "ceil", Formula: "⌈x⌉", Gradient: "none", UnaryFunc: math.Ceil},
	{Name: "floor", Gorgonia: "floor", Formula: "⌊x⌋", Gradient: "none", UnaryFunc: math.Floor},
	{Name: "erf", Method: "Erf", Formula: "erf x", UnaryKernel: kernels.Erf, UnaryFunc: portable.Erf, gradients: []gradient{scaleGradient(2/math.SqrtPi, chainRule("gaussian"))}},
	{Name: "gaussian", Formula: "e^(−x²)", UnaryKernel: kernels.Gaussian, UnaryFunc: gaussian, gradients: []gradient{scaleByOperand(-2, chainRule("gaussian"))}},
	{Name: "normal pdf", Method: "NormalPDF", Formula: "φ(x), the density of N(0, 1)", UnaryKernel: kernels.NormalPDF, UnaryFunc: portable.NormalPDF, gradients: []gradient{scaleByOperand(-1, chainRule("normal pdf"))}},
	{Name: "normal cdf", Method: "NormalCDF", Formula: "Φ(x), the distribution function of N(0, 1)", UnaryKernel: kernels.NormalCDF, UnaryFunc: portable.NormalCDF, gradients: []gradient{chainRule("normal pdf")}},
	{Name: "normal quantile", Method: "NormalQuantile", Formula: "Φ⁻¹(x), the quantile of N(0, 1) at level x; NaN outside of [0, 1]", UnaryFunc: portable.NormalQuantile, gradients: []gradient{normalQuantileGradient}},
	{Name: "log normal cdf", Method: "LogNormalCDF", Formula: "log Φ(x), precise in both tails", UnaryFunc: portable.LogNormalCDF, gradients: []gradient{chainRule("inverse mills")}},
	{Name: "inverse mills", Method: "InverseMills", Formula: "φ(x)/Φ(x)", UnaryFunc: portable.InverseMills, gradients: []gradient{inverseMillsGradient}},
	{Name: "mills excess", Formula: "x + φ(x)/Φ(x), without cancellation", UnaryFunc: portable.MillsExcess, gradients: []gradient{millsExcessGradient}},
	{Name: "log gamma", Method: "LogGamma", Formula: "log |Γ(x)|; +∞ at 0, −1, …", UnaryFunc: portable.LogGamma, gradients: []gradient{chainRule("digamma")}},
	{Name: "digamma", Method: "Digamma", Formula: "the derivative of log Γ(x); −∞ at 0, NaN at −1, −2, …", UnaryFunc: portable.Digamma, gradients: []gradient{raiseOrder("polygamma")}},
	{Name: "polygamma", Formula: "the derivative of order c of digamma", BinaryFunc: polygamma, HasConstant: true, gradients: []gradient{raiseOrder("polygamma")}},
	{Name: "log gamma step", Method: "LogGammaStep", Formula: "log Γ(x + ½) − log Γ(x); NaN for x < 0", UnaryKernel: kernels.LogGammaStep, UnaryFunc: portable.LogGammaStep, gradients: []gradient{chainRule("digamma step")}},
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
	{Name: "pow", Method: "Pow", Formula: "xᶜ, NaN where x < 0 unless c is an integer; 1 for c = 0", Gradient: "c·xᶜ⁻¹; at x = 0 it is 0 for c > 1, 1 for c = 1, ±∞ for c < 1; 0 everywhere for c = 0",
		BinaryKernel: kernels.Pow, BinaryFunc: kernels.Power, HasConstant: true, gradients: []gradient{powGradient}},
	{Name: "power", Gorgonia: "^", Formula: "xʸ", Label: "^", Gradient: "to x: as for pow if y is a constant; to y: 0 where x = 0",
		BinaryKernel: kernels.Pow, BinaryFunc: kernels.Power, gradients: []gradient{baseGradient, exponentGradient}},
	{Name: "max", Method: "Max", Formula: "the larger of x and y", Gradient: "to the larger; half to each where x = y",
		BinaryKernel: kernels.Max, BinaryFunc: maximum, gradients: []gradient{maxGradient(0), maxGradient(1)}},
	{Name: "max between", Gorgonia: "MaxBetween", Formula: "the larger of x and y", Label: "MaxBetween", Gradient: "to x where x = y",
		BinaryKernel: kernels.Max, BinaryFunc: maximum},
	{Name: "min", Method: "Min", Formula: "the smaller of x and y", Gradient: "to the smaller; half to each where x = y",
		BinaryKernel: kernels.Min, BinaryFunc: minimum, gradients: []gradient{minGradient(0), minGradient(1)}},
	{Name: "min between", Gorgonia: "MinBetween", Formula: "the smaller of x and y", Label: "MinBetween", Gradient: "to x where x = y",
		BinaryKernel: kernels.Min, BinaryFunc: minimum},
	{Name: "clamp min", Method: "ClampMin", Formula: "x where x > c, else c", Gradient: "0 where x ≤ c, also if the arriving gradient is infinite",
		BinaryKernel: kernels.Max, BinaryFunc: maximum, HasConstant: true, gradients: []gradient{clampMinGradient}},
	{Name: "clamp max", Method: "ClampMax", Formula: "x where x < c, else c", Gradient: "0 where x ≥ c, also if the arriving gradient is infinite",
		BinaryKernel: kernels.Min, BinaryFunc: minimum, HasConstant: true, gradients: []gradient{clampMaxGradient}},
	{Name: "gate", Formula: "x where y > 0, else 0", Gradient: "to x: where y > 0; to y: none",
		BinaryKernel: kernels.Gate, BinaryFunc: gate, gradients: []gradient{gateGradient, nil}},
	{Name: "greater", Gorgonia: ">", Method: "Greater", Formula: "1 where x > y, else 0", Label: ">", Gradient: "none",
		BinaryKernel: kernels.Greater, BinaryFunc: func(x, y float64) float64 { return boolToNumber(x > y) }},
	{Name: "greater or equal", Gorgonia: ">=", Formula: "1 where x ≥ y, else 0", Label: ">=", Gradient: "none",
		BinaryKernel: kernels.GreaterOrEqual, BinaryFunc: func(x, y float64) float64 { return boolToNumber(x >= y) }},
	{Name: "less", Gorgonia: "<", Formula: "1 where x < y, else 0", Label: "<", Gradient: "none",
		BinaryKernel: kernels.Less, BinaryFunc: func(x, y float64) float64 { return boolToNumber(x < y) }},
	{Name: "less or equal", Gorgonia: "<=", Formula: "1 where x ≤ y, else 0", Label: "<=", Gradient: "none",
		BinaryKernel: kernels.LessOrEqual, BinaryFunc: func(x, y float64) float64 { return boolToNumber(x <= y) }},
	{Name: "equal", Gorgonia: "==", Method: "Equal", Formula: "1 where x = y, else 0", Label: "==", Gradient: "none",
		BinaryKernel: kernels.Equal, BinaryFunc: func(x, y float64) float64 { return boolToNumber(x == y) }},
	{Name: "not equal", Gorgonia: "!=", Formula: "1 where x ≠ y, else 0", Label: "!=", Gradient: "none",
		BinaryKernel: kernels.NotEqual, BinaryFunc: func(x, y float64) float64 { return boolToNumber(x != y) }},
}

// label returns the name of the operation in drawings.
func (e *Elementwise) label() string {
	if e.Label != "" {
		return e.Label
	}
	return e.Name
}

// Applies reports whether graphs contain the operation as a tableOp, which Apply makes. They contain
// Gorgonia's own operation where the table describes it and at most replaces its gradient.
func (e *Elementwise) Applies() bool {
	return e.gradients != nil && (e.Gorgonia == "" || e.Method != "")
}

// Defined reports whether the table has a function for the operation.
func (e *Elementwise) Defined() bool { return e.UnaryFunc != nil || e.BinaryFunc != nil }

// Function returns the definition of an operation of one operand. It ignores the constant if the
// operation has none.
func (e *Elementwise) Function(constant float64) Function {
	if !e.HasConstant {
		return Function{Name: e.Name, Key: e.Name, Eval: e.UnaryFunc}
	}
	key := fmt.Sprintf("%s %v", e.Name, constant)
	return Function{
		Name: key,
		Key:  key,
		Eval: func(x float64) float64 { return e.BinaryFunc(x, constant) },
	}
}

// isComparison reports whether the operation compares x and y, with the result 1 or 0.
func (e *Elementwise) isComparison() bool {
	return e.BinaryKernel >= kernels.Greater && e.BinaryKernel <= kernels.NotEqual
}

// Operands returns the number of operands, 1 or 2. A constant is not an operand.
func (e *Elementwise) Operands() int {
	if e.BinaryFunc != nil && !e.HasConstant {
		return 2
	}
	return 1
}

// The entries of the table by name, by the printed form in Gorgonia and by kernel. init fills these
// maps.
var (
	byName         = make(map[string]*Elementwise)
	byGorgonia     = make(map[string]*Elementwise)
	byUnaryKernel  = make(map[kernels.UnaryOp]*Elementwise)
	byBinaryKernel = make(map[kernels.BinaryOp]*Elementwise)
)

// init fills the maps of entries.
func init() {
	for i := range table {
		e := &table[i]
		byName[e.Name] = e
		if e.Gorgonia != "" {
			byGorgonia[e.Gorgonia] = e
		}
		if e.UnaryKernel != 0 {
			byUnaryKernel[e.UnaryKernel] = e
		}
		if e.BinaryKernel != 0 && byBinaryKernel[e.BinaryKernel] == nil { // several entries can share a kernel
			byBinaryKernel[e.BinaryKernel] = e
		}
	}
}

// EntryOfUnaryKernel returns the entry with the kernel op, or nil.
func EntryOfUnaryKernel(op kernels.UnaryOp) *Elementwise { return byUnaryKernel[op] }

// EntryOfBinaryKernel returns the first entry with the kernel op, or nil.
func EntryOfBinaryKernel(op kernels.BinaryOp) *Elementwise { return byBinaryKernel[op] }
