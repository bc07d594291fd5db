package onnx

import (
	"fmt"
	"math"

	"sml/internal/ops"
)

// operators maps elementwise operations, by their names in internal/ops, to single operators of ONNX.
var operators = map[string]string{
	"negate": "Neg", "abs": "Abs", "sign": "Sign", "sqrt": "Sqrt", "1/x": "Reciprocal", "relu": "Relu",
	"exp": "Exp", "log": "Log", "tanh": "Tanh", "sigmoid": "Sigmoid", "sin": "Sin", "ceil": "Ceil", "floor": "Floor",
	"add": "Add", "subtract": "Sub", "multiply": "Mul", "divide": "Div", "power": "Pow", "pow": "Pow",
	"max": "Max", "max between": "Max", "min": "Min", "min between": "Min", "clamp min": "Max", "clamp max": "Min",
}

// comparisonOperators maps comparisons to operators of ONNX. A Cast turns the results, true and false,
// into 1 and 0.
var comparisonOperators = map[string]string{
	"greater": "Greater", "greater or equal": "GreaterOrEqual", "less": "Less", "less or equal": "LessOrEqual", "equal": "Equal",
}

// expansions maps elementwise operations to functions that build them from several operators, which is
// necessary if ONNX has no such operator. In double precision ONNX Runtime lacks Erf, Softplus and Cos,
// too.
var expansions = map[string]func(g *Graph, x []Value) Value{
	"square":   func(g *Graph, x []Value) Value { return g.Mul(x[0], x[0]) },
	"cube":     func(g *Graph, x []Value) Value { return g.Mul(g.Mul(x[0], x[0]), x[0]) },
	"1/sqrt":   func(g *Graph, x []Value) Value { return g.Unary("Reciprocal", g.Unary("Sqrt", x[0])) },
	"expm1":    func(g *Graph, x []Value) Value { return g.Expm1(x[0]) },
	"log1p":    func(g *Graph, x []Value) Value { return g.Unary("Log", g.AddNumber(x[0], 1)) },
	"log2":     func(g *Graph, x []Value) Value { return g.Scale(g.Unary("Log", x[0]), 1/math.Ln2) },
	"softplus": func(g *Graph, x []Value) Value { return g.Softplus(x[0]) },
	"logit": func(g *Graph, x []Value) Value {
		return g.Unary("Log", g.Binary("Div", x[0], g.AddNumber(g.Unary("Neg", x[0]), 1)))
	},
	"cos":      func(g *Graph, x []Value) Value { return g.Unary("Sin", g.AddNumber(x[0], math.Pi/2)) },
	"gaussian": func(g *Graph, x []Value) Value { return g.Unary("Exp", g.Unary("Neg", g.Mul(x[0], x[0]))) },
	"normal pdf": func(g *Graph, x []Value) Value {
		return g.Scale(g.Unary("Exp", g.Scale(g.Mul(x[0], x[0]), -0.5)), 1/math.Sqrt(2*math.Pi))
	},
	"cosh":            func(g *Graph, x []Value) Value { return g.Cosh(x[0]) },
	"sinh":            func(g *Graph, x []Value) Value { return g.Sinh(x[0]) },
	"asinh":           func(g *Graph, x []Value) Value { return g.Asinh(x[0]) },
	"atan":            func(g *Graph, x []Value) Value { return g.Atan(x[0]) },
	"log gamma":       func(g *Graph, x []Value) Value { return g.LogGamma(x[0]) },
	"normal quantile": func(g *Graph, x []Value) Value { return g.NormalQuantile(x[0]) },
	"normal cdf":      func(g *Graph, x []Value) Value { return g.NormalCDF(x[0]) },
	"erf": func(g *Graph, x []Value) Value {
		if x[0].Type == Float {
			return g.Unary("Erf", x[0])
		}
		return g.AddNumber(g.Scale(g.NormalCDF(g.Scale(x[0], math.Sqrt2)), 2), -1)
	},
	"gate": func(g *Graph, x []Value) Value {
		zero := g.file.Number(x[0].Type, 0)
		return g.Where(g.Compare("Greater", x[1], zero), x[0], zero)
	},
	"not equal": func(g *Graph, x []Value) Value {
		return g.Cast(g.opOfType("Not", "", Bool, []Value{g.Compare("Equal", x[0], x[1])}), x[0].Type)
	},
}

// addElementwise adds an elementwise operation on the operands x, and returns its result. It returns an
// error if ONNX has no counterpart, or if the result would be boolean.
func (g *Graph) addElementwise(op ops.Operation, x []Value) (Value, error) {
	name := op.Elementwise.Name
	if op.Boolean {
		return Value{}, fmt.Errorf("operation %q returns true and false, which cannot be exported; let it return numbers", name)
	}
	if op.Elementwise.HasConstant { // such as the bound of a clamp: a second operand in ONNX
		x = append(x, g.file.Number(x[0].Type, op.Constant))
	}
	if expand := expansions[name]; expand != nil {
		return expand(g, x), nil
	}
	if operator := comparisonOperators[name]; operator != "" {
		return g.Cast(g.Compare(operator, x[0], x[1]), x[0].Type), nil
	}
	if operator := operators[name]; operator != "" {
		return g.Op(operator, x), nil
	}
	return Value{}, fmt.Errorf("the operation %q has no counterpart in ONNX", name)
}

// Softplus returns log(1 + eˣ), without overflow. If x is Double, it is max(x, 0) + log(1 + e^−|x|), since
// ONNX Runtime has the operator in single precision only.
func (g *Graph) Softplus(x Value) Value {
	if x.Type == Float {
		return g.Unary("Softplus", x)
	}
	small := g.Unary("Exp", g.Unary("Neg", g.Unary("Abs", x))) // e^−|x|
	tail := g.Unary("Log", g.AddNumber(small, 1))
	return g.Add(g.Binary("Max", x, g.file.Number(x.Type, 0)), tail)
}

// Expm1 returns eˣ − 1 = tanh(x/2)·(eˣ + 1), without cancellation.
func (g *Graph) Expm1(x Value) Value {
	return g.Mul(g.Unary("Tanh", g.Scale(x, 0.5)), g.AddNumber(g.Unary("Exp", x), 1))
}
