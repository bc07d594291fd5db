package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"path/filepath"
	"slices"
	"strings"
)

// operation is the vector kernel of one elementwise operation.
type operation struct {
	name   string                                // of the constant in package kernels
	unroll int                                   // vectors per turn of the loop: 1 or 2
	body   func(m vectorMath, x []vector) vector // computes a vector from vectors of the operands x
}

// elementwise writes two functions: one has the operations on one operand, such as exp, and the other
// the operations on two operands, such as addition. dir is the folder of package kernels, whose
// constants number the operations.
func elementwise(dir string, forEach isaLoop) {
	constants := filepath.Join(dir, "elementwise.go")
	unary := orderByName(unaryOperations, constantNames(constants, "UnaryOp", "lastVectorUnary"))
	binary := orderByName(binaryOperations, constantNames(constants, "BinaryOp", "lastVectorBinary"))
	forEach(func(m vectorMath, suffix string) { m.writeOperations("unary"+suffix, []string{"a"}, unary) })
	forEach(func(m vectorMath, suffix string) { m.writeOperations("binary"+suffix, []string{"a", "b"}, binary) })
}

// constantNames returns the names of the constants of a type in a Go file, in the order of their
// values, up to but without the constant end. It looks at const blocks whose first constant has the
// type. The first name, with the value 0, is "_". It ends the program if there is no constant end.
func constantNames(file, kind, end string) []string {
	source, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	var names []string
	for _, d := range source.Decls {
		block, isBlock := d.(*ast.GenDecl)
		if !isBlock || block.Tok != token.CONST {
			continue
		}
		typeName, hasType := block.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident)
		if !hasType || typeName.Name != kind {
			continue
		}
		for _, spec := range block.Specs {
			names = append(names, spec.(*ast.ValueSpec).Names[0].Name)
		}
	}
	last := slices.Index(names, end)
	if last < 0 {
		log.Fatalf("%s has no constant %s of type %s", file, end, kind)
	}
	return names[:last]
}

// orderByName returns the operations in the order of names, so that the index of an operation is the
// value of its constant. Index 0, whose name is "_", stays empty. It ends the program if the name of an
// operation is not among names, or if a name has no operation.
func orderByName(operations []operation, names []string) []operation {
	sorted := make([]operation, len(names))
	for _, o := range operations {
		index := slices.Index(names, o.name)
		if index < 0 {
			log.Fatalf("%s is not an operation with a vector kernel", o.name)
		}
		sorted[index] = o
	}
	for i, name := range names {
		isMissing := sorted[i].body == nil
		if i > 0 && isMissing {
			log.Fatalf("%s has no vector kernel", name)
		}
	}
	return sorted
}

// writeOperations writes the function of all operations on the given operands: it compares its argument
// op with the index of each operation and jumps to the operation's loop. No operation has the index 0.
func (m vectorMath) writeOperations(name string, operands []string, operations []operation) {
	m.function(name, operationParameters(operands), "does operation op to n numbers; an operand with a step of 0 is one number, with 1 a slice.")
	op := m.argument("op")
	dst := m.argument("dst")
	in := make([]stream, len(operands))
	for i, a := range operands {
		in[i] = m.operand(a)
	}
	n := m.argument("n")
	labels := make([]string, len(operations))
	for i := 1; i < len(operations); i++ {
		labels[i] = m.label(strings.ToLower(operations[i].name))
		m.jumpIfEqual(op, i, labels[i])
	}
	m.writeReturn()
	for i := 1; i < len(operations); i++ {
		o := operations[i]
		m.place(labels[i])
		m.loop(n, vectorLoop{
			in:     in,
			out:    []stream{{next: dst}},
			body:   func(x []vector) []vector { return []vector{o.body(m, x)} },
			unroll: o.unroll,
		})
		m.writeReturn()
	}
}

// operationParameters returns the parameters of the function of operations on the given operands.
func operationParameters(operands []string) string {
	parameters := "op int, dst *float32"
	for _, a := range operands {
		parameters += fmt.Sprintf(", %s *float32, %sStep int", a, a)
	}
	return parameters + ", n int"
}

var unaryOperations = []operation{
	{"Neg", 2, func(m vectorMath, x []vector) vector { return m.xor(x[0], m.constant(signBit)) }},
	{"Abs", 2, func(m vectorMath, x []vector) vector { return m.abs(x[0]) }},
	{"Sign", 2, func(m vectorMath, x []vector) vector {
		// Zeros and NaN stay; other numbers become 1 with their sign.
		signed := m.or(m.and(x[0], m.constant(signBit)), m.float(1))
		return m.blend(m.compare(unequal, x[0], m.zero()), signed, x[0])
	}},
	{"Square", 2, func(m vectorMath, x []vector) vector { return m.mul(x[0], x[0]) }},
	{"Cube", 2, func(m vectorMath, x []vector) vector { return m.mul(m.mul(x[0], x[0]), x[0]) }},
	{"Sqrt", 2, func(m vectorMath, x []vector) vector { return m.sqrt(x[0]) }},
	{"Reciprocal", 2, func(m vectorMath, x []vector) vector { return m.div(m.load(m.float(1)), x[0]) }},
	{"InvSqrt", 2, func(m vectorMath, x []vector) vector { return m.div(m.load(m.float(1)), m.sqrt(x[0])) }},
	{"Relu", 2, func(m vectorMath, x []vector) vector { return m.max(m.zero(), x[0]) }},
	{"Exp", 1, func(m vectorMath, x []vector) vector { return m.exp(x[0]) }},
	{"Expm1", 1, func(m vectorMath, x []vector) vector { return m.expm1(x[0]) }},
	{"Log", 1, func(m vectorMath, x []vector) vector { return m.log(x[0]) }},
	{"Log1p", 1, func(m vectorMath, x []vector) vector { return m.log1p(x[0]) }},
	{"Softplus", 1, func(m vectorMath, x []vector) vector { return m.softplus(x[0]) }},
	{"Tanh", 1, func(m vectorMath, x []vector) vector { return m.tanh(x[0]) }},
	{"Sigmoid", 1, func(m vectorMath, x []vector) vector { return m.sigmoid(x[0]) }},
	{"Logit", 1, func(m vectorMath, x []vector) vector { return m.logit(x[0]) }},
	{"Erf", 1, roundResult(doubleMath.erf)},
	{"Gaussian", 1, roundResult(doubleMath.gaussian)},
	{"NormalPDF", 1, roundResult(doubleMath.normalPDF)},
	{"NormalCDF", 1, roundResult(doubleMath.normalCDF)},
	{"LogGammaStep", 1, roundResult(doubleMath.logGammaStep)},
	{"DigammaStep", 1, roundResult(doubleMath.digammaStep)},
}

var binaryOperations = []operation{
	{"Add", 2, func(m vectorMath, x []vector) vector { return m.add(x[0], x[1]) }},
	{"Sub", 2, func(m vectorMath, x []vector) vector { return m.sub(x[0], x[1]) }},
	{"Mul", 2, func(m vectorMath, x []vector) vector { return m.mul(x[0], x[1]) }},
	{"Div", 2, func(m vectorMath, x []vector) vector { return m.div(x[0], x[1]) }},
	{"Max", 2, func(m vectorMath, x []vector) vector {
		return m.blend(m.compare(unordered, x[0], x[0]), x[0], m.max(x[0], x[1]))
	}},
	{"Min", 2, func(m vectorMath, x []vector) vector {
		return m.blend(m.compare(unordered, x[0], x[0]), x[0], m.min(x[0], x[1]))
	}},
	{"Greater", 2, comparison(greater)},
	{"GreaterOrEqual", 2, comparison(greaterOrEqual)},
	{"Less", 2, comparison(less)},
	{"LessOrEqual", 2, comparison(lessOrEqual)},
	{"Equal", 2, comparison(equal)},
	{"NotEqual", 2, comparison(notEqual)},
	{"Gate", 2, func(m vectorMath, x []vector) vector {
		return m.zeroUnless(m.compare(greater, x[1], m.zero()), x[0])
	}},
}

// comparison returns the operation that gives 1 where a comparison holds, and 0 elsewhere.
func comparison(predicate uint8) func(m vectorMath, x []vector) vector {
	return func(m vectorMath, x []vector) vector {
		return m.zeroUnless(m.compare(predicate, x[0], x[1]), m.float(1))
	}
}
