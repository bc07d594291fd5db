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

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// operation is the vector kernel of one elementwise operation, by its name in
// package kernels.
type operation struct {
	name   string
	unroll int
	body   func(m maths, x []reg.Register) reg.Register
}

// elementwise writes for each number of operands one function, which jumps to
// the loop of the wanted operation.
func elementwise(g *gen) {
	for _, family := range []struct {
		name string
		args []string
		list []operation
		kind string
		end  string // of those that have vector kernels
	}{
		{"unary", []string{"a"}, unaryOperations, "UnaryOp", "lastVectorUnary"},
		{"binary", []string{"a", "b"}, binaryOperations, "BinaryOp", "lastVectorBinary"},
	} {
		list := numbered(family.list, enumeration(filepath.Join(g.dir, "elementwise.go"), family.kind, family.end))
		both(g, func(m maths, suffix string) { m.family(family.name+suffix, family.args, list) })
	}
}

// enumeration lists the names of the constants of a type in a Go file, up to
// one, by number; the first, of number 0, is "_".
func enumeration(file, kind, end string) []string {
	source, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	var names []string
	for _, d := range source.Decls {
		block, ok := d.(*ast.GenDecl)
		if !ok || block.Tok != token.CONST {
			continue
		}
		if of, ok := block.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident); !ok || of.Name != kind {
			continue
		}
		for _, spec := range block.Specs {
			names = append(names, spec.(*ast.ValueSpec).Names[0].Name)
		}
	}
	at := slices.Index(names, end)
	if at < 0 {
		log.Fatalf("%s has no constants of type %s up to %s", file, kind, end)
	}
	return names[:at]
}

// numbered puts operations at the places of their names.
func numbered(list []operation, names []string) []operation {
	sorted := make([]operation, len(names))
	for _, o := range list {
		at := slices.Index(names, o.name)
		if at < 0 {
			log.Fatalf("%s is no operation with a vector kernel", o.name)
		}
		sorted[at] = o
	}
	for i, name := range names[1:] {
		if sorted[i+1].body == nil {
			log.Fatalf("%s has no vector kernel", name)
		}
	}
	return sorted
}

func (m maths) family(name string, args []string, list []operation) {
	var signature strings.Builder
	signature.WriteString("op int, dst *float32")
	for _, a := range args {
		fmt.Fprintf(&signature, ", %s *float32, %sStep int", a, a)
	}
	signature.WriteString(", n int")
	m.function(name, signature.String(), "does operation op to n numbers; an operand with a step of 0 is one number, with 1 a slice.")

	op := m.Load(m.Param("op"), m.GP64())
	dst := m.Load(m.Param("dst"), m.GP64())
	in := make([]stream, len(args))
	for i, a := range args {
		in[i] = m.operand(a)
	}
	n := m.Load(m.Param("n"), m.GP64())
	labels := make([]string, len(list))
	for i, o := range list[1:] {
		i++ // 0 is no operation
		labels[i] = m.label(strings.ToLower(o.name))
		m.CMPQ(op, Imm(uint64(i)))
		m.JEQ(LabelRef(labels[i]))
	}
	m.finish()
	for i, o := range list[1:] {
		m.Label(labels[i+1])
		m.loop(n, []stream{{at: dst}}, in, o.unroll, func(x []reg.Register) []reg.Register {
			return []reg.Register{o.body(m, x)}
		})
		m.finish()
	}
}

// operand loads the address and step of an argument. A single number is
// repeated in a vector on the stack, which the loop reads again and again.
func (m maths) operand(name string) stream {
	from, step := m.GP64(), m.GP64()
	m.Load(m.Param(name), from)
	m.Load(m.Param(name+"Step"), step)
	many := m.label("many")
	m.TESTQ(step, step)
	m.JNE(LabelRef(many))
	repeated := m.AllocLocal(m.bytes())
	m.VMOVUPS(m.broadcast(mem(from, 0)), repeated)
	m.LEAQ(repeated, from)
	m.Label(many)
	m.IMUL3Q(Imm(uint64(m.bytes())), step, step)
	return stream{at: from, step: step}
}

var unaryOperations = []operation{
	{"Neg", 2, func(m maths, x []reg.Register) reg.Register { return m.xor(x[0], m.constant(signBit)) }},
	{"Abs", 2, func(m maths, x []reg.Register) reg.Register { return m.abs(x[0]) }},
	{"Sign", 2, func(m maths, x []reg.Register) reg.Register {
		// A zero or NaN stays; the others give a one with their sign.
		signed := m.or(m.and(x[0], m.constant(signBit)), m.float(1))
		return m.pick(m.compare(unequal, x[0], m.zero()), signed, x[0])
	}},
	{"Square", 2, func(m maths, x []reg.Register) reg.Register { return m.mul(x[0], x[0]) }},
	{"Cube", 2, func(m maths, x []reg.Register) reg.Register { return m.mul(m.mul(x[0], x[0]), x[0]) }},
	{"Sqrt", 2, func(m maths, x []reg.Register) reg.Register { return m.sqrt(x[0]) }},
	{"Inv", 2, func(m maths, x []reg.Register) reg.Register { return m.div(m.load(m.float(1)), x[0]) }},
	{"InvSqrt", 2, func(m maths, x []reg.Register) reg.Register { return m.div(m.load(m.float(1)), m.sqrt(x[0])) }},
	{"Relu", 2, func(m maths, x []reg.Register) reg.Register { return m.max(m.zero(), x[0]) }},
	{"Exp", 1, func(m maths, x []reg.Register) reg.Register { return m.exp(x[0]) }},
	{"Expm1", 1, func(m maths, x []reg.Register) reg.Register { return m.expm1(x[0]) }},
	{"Log", 1, func(m maths, x []reg.Register) reg.Register { return m.log(x[0]) }},
	{"Log1p", 1, func(m maths, x []reg.Register) reg.Register { return m.log1p(x[0]) }},
	{"Softplus", 1, func(m maths, x []reg.Register) reg.Register { return m.softplus(x[0]) }},
	{"Tanh", 1, func(m maths, x []reg.Register) reg.Register { return m.tanh(x[0]) }},
	{"Sigmoid", 1, func(m maths, x []reg.Register) reg.Register { return m.sigmoid(x[0]) }},
	{"Logit", 1, func(m maths, x []reg.Register) reg.Register { return m.logit(x[0]) }},
	{"Erf", 1, inDouble(doubles.erf)},
	{"Gaussian", 1, inDouble(doubles.gaussian)},
	{"NormalPDF", 1, inDouble(doubles.normalPDF)},
	{"NormalCDF", 1, inDouble(doubles.normalCDF)},
	{"LogGammaStep", 1, inDouble(doubles.logGammaStep)},
	{"DigammaStep", 1, inDouble(doubles.digammaStep)},
}

var binaryOperations = []operation{
	{"Add", 2, func(m maths, x []reg.Register) reg.Register { return m.add(x[0], x[1]) }},
	{"Sub", 2, func(m maths, x []reg.Register) reg.Register { return m.sub(x[0], x[1]) }},
	{"Mul", 2, func(m maths, x []reg.Register) reg.Register { return m.mul(x[0], x[1]) }},
	{"Div", 2, func(m maths, x []reg.Register) reg.Register { return m.div(x[0], x[1]) }},
	{"Max", 2, func(m maths, x []reg.Register) reg.Register {
		return m.pick(m.compare(unordered, x[0], x[0]), x[0], m.max(x[0], x[1]))
	}},
	{"Min", 2, func(m maths, x []reg.Register) reg.Register {
		return m.pick(m.compare(unordered, x[0], x[0]), x[0], m.min(x[0], x[1]))
	}},
	{"Gt", 2, comparison(greater)},
	{"Gte", 2, comparison(greaterOrEqual)},
	{"Lt", 2, comparison(less)},
	{"Lte", 2, comparison(lessOrEqual)},
	{"Eq", 2, comparison(equal)},
	{"Ne", 2, comparison(notEqual)},
	{"Gate", 2, func(m maths, x []reg.Register) reg.Register {
		return m.keep(m.compare(greater, x[1], m.zero()), x[0])
	}},
}

func comparison(predicate uint8) func(m maths, x []reg.Register) reg.Register {
	return func(m maths, x []reg.Register) reg.Register {
		return m.keep(m.compare(predicate, x[0], x[1]), m.float(1))
	}
}

func (m maths) copyOf(r reg.Register) reg.Register {
	c := m.GP64()
	m.MOVQ(r, c)
	return c
}
