package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// operation is one elementwise operation; its index in a list is its number
// in package kernels.
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
	}{
		{"unary", []string{"a"}, unaryOperations},
		{"binary", []string{"a", "b"}, binaryOperations},
		{"ternary", []string{"a", "b", "c"}, ternaryOperations},
	} {
		both(g, func(m maths, suffix string) { m.family(family.name+suffix, family.args, family.list) })
	}
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
	for i, o := range list {
		labels[i] = m.label(o.name)
		m.CMPQ(op, Imm(uint64(i)))
		m.JEQ(LabelRef(labels[i]))
	}
	m.finish()
	for i, o := range list {
		m.Label(labels[i])
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
	{"copy", 2, func(m maths, x []reg.Register) reg.Register { return x[0] }},
	{"neg", 2, func(m maths, x []reg.Register) reg.Register { return m.xor(x[0], m.constant(signBit)) }},
	{"abs", 2, func(m maths, x []reg.Register) reg.Register { return m.abs(x[0]) }},
	{"sign", 2, func(m maths, x []reg.Register) reg.Register {
		// A zero or NaN stays; the others give a one with their sign.
		signed := m.or(m.and(x[0], m.constant(signBit)), m.float(1))
		return m.pick(m.compare(unequal, x[0], m.zero()), signed, x[0])
	}},
	{"square", 2, func(m maths, x []reg.Register) reg.Register { return m.mul(x[0], x[0]) }},
	{"cube", 2, func(m maths, x []reg.Register) reg.Register { return m.mul(m.mul(x[0], x[0]), x[0]) }},
	{"sqrt", 2, func(m maths, x []reg.Register) reg.Register { return m.sqrt(x[0]) }},
	{"inv", 2, func(m maths, x []reg.Register) reg.Register { return m.div(m.load(m.float(1)), x[0]) }},
	{"invsqrt", 2, func(m maths, x []reg.Register) reg.Register { return m.div(m.load(m.float(1)), m.sqrt(x[0])) }},
	{"relu", 2, func(m maths, x []reg.Register) reg.Register { return m.max(m.zero(), x[0]) }},
	{"exp", 1, func(m maths, x []reg.Register) reg.Register { return m.exp(x[0]) }},
	{"expm1", 1, func(m maths, x []reg.Register) reg.Register { return m.expm1(x[0]) }},
	{"log", 1, func(m maths, x []reg.Register) reg.Register { return m.log(x[0]) }},
	{"log1p", 1, func(m maths, x []reg.Register) reg.Register { return m.log1p(x[0]) }},
	{"softplus", 1, func(m maths, x []reg.Register) reg.Register { return m.softplus(x[0]) }},
	{"tanh", 1, func(m maths, x []reg.Register) reg.Register { return m.tanh(x[0]) }},
	{"sigmoid", 1, func(m maths, x []reg.Register) reg.Register { return m.sigmoid(x[0]) }},
}

var binaryOperations = []operation{
	{"add", 2, func(m maths, x []reg.Register) reg.Register { return m.add(x[0], x[1]) }},
	{"sub", 2, func(m maths, x []reg.Register) reg.Register { return m.sub(x[0], x[1]) }},
	{"mul", 2, func(m maths, x []reg.Register) reg.Register { return m.mul(x[0], x[1]) }},
	{"div", 2, func(m maths, x []reg.Register) reg.Register { return m.div(x[0], x[1]) }},
	{"max", 2, func(m maths, x []reg.Register) reg.Register {
		return m.pick(m.compare(unordered, x[0], x[0]), x[0], m.max(x[0], x[1]))
	}},
	{"min", 2, func(m maths, x []reg.Register) reg.Register {
		return m.pick(m.compare(unordered, x[0], x[0]), x[0], m.min(x[0], x[1]))
	}},
	{"gt", 2, comparison(greater)},
	{"gte", 2, comparison(greaterOrEqual)},
	{"lt", 2, comparison(less)},
	{"lte", 2, comparison(lessOrEqual)},
	{"eq", 2, comparison(equal)},
	{"ne", 2, comparison(notEqual)},
}

func comparison(predicate uint8) func(m maths, x []reg.Register) reg.Register {
	return func(m maths, x []reg.Register) reg.Register {
		return m.keep(m.compare(predicate, x[0], x[1]), m.float(1))
	}
}

var ternaryOperations = []operation{
	{"gate", 2, func(m maths, x []reg.Register) reg.Register {
		return m.keep(m.compare(greater, x[2], m.zero()), m.mul(x[0], x[1]))
	}},
}

func (m maths) copyOf(r reg.Register) reg.Register {
	c := m.GP64()
	m.MOVQ(r, c)
	return c
}
